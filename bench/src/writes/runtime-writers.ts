import * as language from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { newOrder } from '../orders.js'
import { newEvent, orderId, shopOf } from '../shop.js'
import { noteOf, removedFrom, updated, updatedFrom, type Writer, type Writers } from './written.js'

const { connect, meter } = language
export const shop = shopOf(language)

type ShopTable = language.Table<typeof shop>

async function draftsFrom(table: ShopTable, from: number, count: number): Promise<void> {
  const outcomes = await table.Draft.createMany(Array.from({ length: count }, (_, index) => newOrder(from + index)))
  for (const { error } of outcomes) if (error !== undefined) throw error
}

function writer(run: (index: number) => Promise<unknown>, more: Pick<Writer, 'prepare'> = {}): Writer {
  return { name: 'freehold', run, count: async (index) => (await meter(() => run(index))).cost, ...more }
}

/** This project: input, keys and conditions checked, lost answers recognised, and an update that reads what it changes. */
export async function runtimeWriters(endpoint: string, name: string): Promise<Writers> {
  const table = connect(shop, { dynamo: { endpoint }, table: name })
  await ensureTable(table.runtime)
  await draftsFrom(table, updatedFrom, updated)
  return {
    'create, lone': writer((index) => table.Draft.create(newOrder(index))),
    'create, append-only': writer((index) => table.Event.create(newEvent(index))),
    update: writer((index) => table.Draft.update(orderId(updatedFrom + (index % updated)), { note: noteOf(index) })),
    'remove of a leaf': writer((index) => table.Draft.remove(orderId(removedFrom + index)), {
      prepare: (from, count) => draftsFrom(table, removedFrom + from, count),
    }),
  }
}
