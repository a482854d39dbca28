import { ownTableOf } from '../../../../test/engine/own-table.ts'
import { type ConnectOptions, connect, type Table } from '../../src/run/connect.ts'
import { directSender, noWait } from '../depot/table.ts'
import { shop } from './design.ts'

export type ShopTable = Table<typeof shop>

/** The shop in a table that is there. */
export function shopOf(table: string, options: ConnectOptions = {}): ShopTable {
  return connect(shop, { table, sender: directSender(), sleep: noWait, ...options })
}

/** A table of this test's own, with one shop and one ware. */
export async function ownShop(options: ConnectOptions = {}): Promise<ShopTable> {
  const table = await ownTableOf(shop, { sender: directSender(), ...options })
  await table.Shop.create({ shop: 's', name: 'Shop' })
  await table.Ware.create({ shop: 's', id: 'w', name: 'Ware', stock: 5, tags: ['a', 'b'] })
  return table
}

export const ware = { shop: 's', id: 'w' }
