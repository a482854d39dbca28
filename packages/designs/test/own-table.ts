import { randomUUID } from 'node:crypto'
import { type ConnectOptions, connect, ensureTable, type Table } from '@freehold/table'
import { inject } from 'vitest'
import { rebac } from '../src/rebac/design.ts'

/** A rebac table of this test's own on the shared engine. */
export async function ownTable(options: ConnectOptions = {}): Promise<Table<typeof rebac>> {
  const table = connect(rebac, { table: `rebac-${randomUUID()}`, dynamo: { endpoint: inject('endpoint') }, ...options })
  await ensureTable(table.runtime)
  return table
}
