import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { takeBroken } from '../../../../test/engine/checked-sender.ts'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { toItem } from './attribute-value.ts'
import { itemBytes, itemBytesMax } from './item-bytes.ts'

// Each by the rules of the Developer Guide, "DynamoDB item sizes and formats".
const cases: readonly [string, object, number][] = [
  ['text counts its UTF-8 bytes and those of its name', { name: 'héllo€' }, 4 + 9],
  ['an astral character has four bytes', { 𝒏: '𝒗' }, 8],
  ['a flag has one byte', { flag: true }, 4 + 1],
  ['null has one byte', { none: null }, 4 + 1],
  ['a number has a byte for two digits, and one', { n: 12345 }, 1 + 3 + 1],
  ['zeros at the ends of a number do not count', { n: 120000 }, 1 + 1 + 1],
  ['neither do those of a fraction', { n: 0.0012 }, 1 + 1 + 1],
  ['digits are paired from the decimal point', { n: 1.5 }, 1 + 2 + 1],
  ['a negative number has one byte more', { n: -12 }, 1 + 1 + 1 + 1],
  ['zero has one byte', { n: 0 }, 1 + 1],
  ['bytes count as they are, not as base64', { b: new Uint8Array(100) }, 1 + 100],
  ['an empty list has three bytes', { l: [] }, 1 + 3],
  ['an empty map has three bytes', { m: {} }, 1 + 3],
  ['each element of a list has one more', { l: ['ab', 'c'] }, 1 + 3 + (2 + 1) + (1 + 1)],
  ['each element of a map has one more, and its name', { m: { ab: 'c' } }, 1 + 3 + (2 + 1 + 1)],
  ['nothing is counted of what is undefined', { u: undefined, m: { u: undefined } }, 1 + 3],
]

test.each(cases)('%s', (_, plain, bytes) => {
  expect(itemBytes(plain)).toBe(bytes)
})

describe('on the engine', () => {
  const sender = engineSender()
  const table = `item-bytes-${randomUUID()}`

  beforeAll(async () => {
    await sender.send('CreateTable', {
      TableName: table,
      AttributeDefinitions: [{ AttributeName: 'PK', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'PK', KeyType: 'HASH' }],
      BillingMode: 'PAY_PER_REQUEST',
    })
  })

  // Where digits do not pair evenly, and below zero, the engine counts one byte less or more than we do.
  const number = fc.nat().filter((value) => value % 10 !== 0)
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, fc.string({ unit: 'grapheme' }), number, fc.boolean(), fc.constant(null), tie('list'), tie('map')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    map: fc.dictionary(fc.string({ minLength: 1 }), tie('any'), { maxKeys: 4, noNullPrototype: true }),
  }))

  let items = 0

  test('an item of any form costs a second write unit from 1,025 bytes on', async () => {
    await fc.assert(
      fc.asyncProperty(value.map, async (map) => {
        // A write counts the larger of the old item and the new, so that each writes its own.
        items += 1
        const base = { PK: String(items).padStart(6), map, fill: '' }
        const room = 1024 - itemBytes(base) - 1
        fc.pre(room >= 0)
        for (const [fill, units] of [
          [room, 1],
          [room + 1, 2],
        ] as const) {
          const answer = await sender.send('PutItem', {
            TableName: table,
            Item: toItem({ ...base, PK: `${base.PK}${units}`, fill: 'x'.repeat(fill) }),
            ReturnConsumedCapacity: 'TOTAL',
          })
          expect(answer.ConsumedCapacity?.CapacityUnits).toBe(units)
        }
      }),
      { numRuns: 60 },
    )
  })

  test('the largest item is taken, and one byte more is refused', async () => {
    const base = { PK: 'big', fill: '' }
    const fill = (extra: number): string => 'x'.repeat(itemBytesMax - itemBytes(base) + extra)
    await sender.send('PutItem', { TableName: table, Item: toItem({ ...base, fill: fill(0) }) })
    await expect(sender.send('PutItem', { TableName: table, Item: toItem({ ...base, fill: fill(1) }) })).rejects.toThrow(/size/)
    expect(takeBroken()).toHaveLength(1)
  })
})
