import { type Answering, answering } from '../naming/answering.ts'
import { moduleNamed } from '../naming/named.ts'
import type { Shell } from '../shell.ts'
import { type FolderOptions, withFolder } from './with-folder.ts'

/** Works with a design that answers questions, by the folder or policy store that was named. Throws `UnknownName` and `InvalidInput`. */
export function withAnswering<T>(
  shell: Shell,
  design: string | undefined,
  options: FolderOptions,
  work: (module: Answering) => Promise<T>,
): Promise<T> {
  return withFolder(shell, moduleNamed(shell, design), options, async (module) => work(answering(shell, module)))
}
