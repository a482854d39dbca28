import { expect, test } from 'vitest'
import { FaultDeck, faultKinds } from './fault-deck.ts'
import { randomOf } from './random.ts'

const operations = ['GetItem', 'TransactWriteItems', 'PutItem', 'BatchGetItem', 'Query']
const dealt = (seed: number) => {
  const deck = new FaultDeck(randomOf(seed), faultKinds)
  return Array.from({ length: 1200 }, (_, index) => deck.deal(operations[index % operations.length] ?? '', {}))
}

test('one seed deals the same, another something else', () => {
  expect(dealt(1)).toEqual(dealt(1))
  expect(dealt(1)).not.toEqual(dealt(2))
})

test('each deck has every kind', () => {
  const kinds = dealt(3)
  for (const kind of faultKinds) expect(kinds, kind).toContain(kind)
})

test('a fault waits for a request that it suits', () => {
  const deck = new FaultDeck(randomOf(4), ['unprocessed'])
  const reads = Array.from({ length: 2400 }, () => deck.deal('GetItem', {}))
  expect(reads.every((kind) => kind === undefined)).toBe(true)
  expect(deck.deal('BatchGetItem', {})).toBe('unprocessed')
})
