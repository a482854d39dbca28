import type { Table } from '@freehold/table'
import type { rebac } from './design.ts'

/** The rebac design, connected: what its flows work on. */
export type RebacTable = Table<typeof rebac>
