import type { DesignModule } from '@freehold/frame'
import type { Consistency } from '@freehold/frame/decision'
import { answering } from '../naming/answering.ts'
import { moduleNamed } from '../naming/named.ts'
import type { Shell } from '../shell.ts'
import type { TableOptions } from './open-table.ts'
import { asksService } from './service-at.ts'
import { type FolderOptions, withFolder } from './with-folder.ts'

/** The options of every command that asks a question. */
export interface AskOptions extends TableOptions, FolderOptions {
  readonly consistency: Consistency
}

/**
 * Works with a design that answers questions, by the folder or policy store that was named. A service decides by its own. Throws `UnknownName` and
 * `InvalidInput`.
 */
export function withAnswering<T>(
  shell: Shell,
  design: string | undefined,
  options: FolderOptions,
  work: (module: DesignModule) => Promise<T>,
): Promise<T> {
  if (asksService(shell)) return work(moduleNamed(shell, design))
  return withFolder(shell, moduleNamed(shell, design), options, async (module) => work(answering(shell, module)))
}
