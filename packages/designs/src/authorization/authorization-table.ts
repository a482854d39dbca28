import type { Table } from '@freehold/table'
import type { authorization } from './design.ts'

/** The authorization design, connected: what its flows work on. */
export type AuthorizationTable = Table<typeof authorization>
