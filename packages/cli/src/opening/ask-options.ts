import type { Consistency } from '@freehold/designs'
import type { TableOptions } from './open-table.ts'

/** The options of every command that asks a question. */
export interface AskOptions extends TableOptions {
  readonly consistency: Consistency
}
