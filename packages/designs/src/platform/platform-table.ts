import type { Table } from '@freehold/table'
import type { platform } from './design.ts'

/** The platform design, connected: what its flows work on. */
export type PlatformTable = Table<typeof platform>
