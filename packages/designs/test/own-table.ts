import type { ConnectOptions, Table } from '@freehold/table'
import { ownTableOf } from '../../../test/engine/own-table.ts'
import { rebac } from '../src/rebac/design.ts'

export { engineSender } from '../../../test/engine/endpoint.ts'
export { ownTableOf }

/** A rebac table of this test's own. */
export const ownTable = (options: ConnectOptions = {}): Promise<Table<typeof rebac>> => ownTableOf(rebac, options)
