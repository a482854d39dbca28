import { type DesignModule, folderOf } from '@freehold/designs'
import { folderPath } from '../input/read-folder.ts'
import { type FolderOptions, folderNamed, openFolder, refuseForeign } from '../opening/with-folder.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'
import { lookAt, watchFolder } from './watch-folder.ts'

/**
 * The modules with their folders, which are watched from then on. Throws `InvalidInput` for a folder that its module refuses: a server does not begin
 * with it.
 */
export async function withServedFolders(
  shell: Shell,
  opened: Closing,
  modules: readonly DesignModule[],
  options: FolderOptions,
): Promise<readonly DesignModule[]> {
  refuseForeign(shell, modules, options)
  return Promise.all(
    modules.map(async (module) => {
      const folder = folderOf(module)
      const named = folder && folderNamed(shell, folder, options)
      if (folder === undefined || named === undefined) return module
      const { takes } = folder
      const look = () => lookAt(folderPath(shell, named), takes)
      const first = await look()
      const served = await openFolder(shell, module, options)
      if (served === undefined) return module
      const log = (sentence: string) => shell.err(`${sentence}\n`)
      opened.add(watchFolder({ called: `the folder ${safeText(named)}`, look, reload: served.reload, log }, first))
      return served.module
    }),
  )
}
