import { beforeAll, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { bookItem, bookItems, type Catalogue, catalogueOf, ownCatalogue } from '../../test/catalogue/table.ts'
import { rawItem, rawItems } from '../../test/depot/raw.ts'
import { codeOf } from '../../test/depot/refused.ts'
import { faultySender } from '../testing/faulty-sender.ts'
import { meter } from './meter.ts'
import { restoreItems } from './restore.ts'

let table: Catalogue
beforeAll(async () => {
  table = await ownCatalogue()
})

async function through(left: number, times: number) {
  const faults = faultySender(engineSender(), [{ operation: 'BatchWriteItem', fault: { kind: 'unprocessed', left }, times }])
  return { faults, runtime: catalogueOf(table.runtime.table, { sender: faults }).runtime }
}

const shelf = async (name: string) => (await rawItems(table)).filter(({ shelf: own }) => own === name)

test('items are put exactly as they are, over what is there', async () => {
  const item = { PK: 'any', SK: 'thing', Type: 'Unknown', list: [1, { a: null }], flag: true, shelf: 'exact' }
  await restoreItems(table.runtime, [item])
  expect(await rawItem(table, 'any', 'thing')).toEqual(item)
  await restoreItems(table.runtime, [{ PK: 'any', SK: 'thing' }])
  expect(await rawItem(table, 'any', 'thing')).toEqual({ PK: 'any', SK: 'thing' })
})

test.each([
  [0, 0],
  [1, 1],
  [25, 1],
  [26, 2],
  [130, 6],
])('%i items are written side by side in %i requests', async (count, requests) => {
  const items = bookItems(`n${count}`, count)
  const { cost } = await meter(() => restoreItems(table.runtime, items))
  expect(cost).toMatchObject({ requests, roundTrips: count === 0 ? 0 : 1, writeUnits: count })
  expect(await shelf(`n${count}`)).toEqual(items)
})

test('items that were not processed are written again until they are', async () => {
  const { faults, runtime } = await through(20, 4)
  const items = bookItems('again', 60)
  await restoreItems(runtime, items)
  expect(await shelf('again')).toEqual(items)
  expect(faults.log.length).toBeGreaterThan(4)
})

test('items that are never processed end it', async () => {
  const { faults, runtime } = await through(25, 1_000)
  expect(await codeOf(restoreItems(runtime, [bookItem('never', 'x', 'a')]))).toBe('Busy')
  expect(faults.log).toHaveLength(9)
  expect(await shelf('never')).toEqual([])
})
