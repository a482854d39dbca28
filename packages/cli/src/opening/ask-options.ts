import type { Consistency } from '@freehold/frame/decision'
import type { TableOptions } from './open-table.ts'
import type { FolderOptions } from './with-folder.ts'

/** The options of every command that asks a question. */
export interface AskOptions extends TableOptions, FolderOptions {
  readonly consistency: Consistency
}
