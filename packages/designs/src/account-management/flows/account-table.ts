import type { Table } from '@freehold/table'
import type { accountManagement } from '../design.ts'

/** The account-management design, connected: what its flows work on. Where a feature was left out, nothing of it is asked for. */
export type AccountTable = Table<typeof accountManagement>
