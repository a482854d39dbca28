import { type DesignModule, folderOf } from '@freehold/designs'
import type { Say } from '@freehold/service'
import { folderPath } from '../input/read-folder.ts'
import { type FolderOptions, policiesNamed } from '../opening/policies-named.ts'
import { openFolder, openStore, refuseForeign } from '../opening/with-folder.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'
import { timer } from './timer.ts'
import { lookAt, watchFolder } from './watch-folder.ts'
import { watchStore } from './watch-store.ts'

/**
 * The modules with their folders or policy stores, which are watched from then on. Throws `InvalidInput` for a folder that its module refuses: a server
 * does not begin with it.
 */
export async function withServedFolders(
  shell: Shell,
  opened: Closing,
  modules: readonly DesignModule[],
  options: FolderOptions,
  log: Say,
): Promise<readonly DesignModule[]> {
  const { folderLookMs, storeLookMs } = shell.settings
  refuseForeign(shell, modules, options)
  return Promise.all(
    modules.map(async (module) => {
      const folder = folderOf(module)
      const named = folder && policiesNamed(shell, folder)
      if (folder === undefined || named === undefined) return module
      const { takes, byEngine } = folder
      if ('path' in named) {
        const { path } = named
        const look = () => lookAt(folderPath(shell, path), takes)
        const first = await look()
        const { module: served, reload } = await openFolder(shell, module, folder, path)
        opened.add(watchFolder({ called: `the folder ${safeText(path)}`, look, reload, log, pause: timer(folderLookMs) }, first))
        return served
      }
      if (byEngine === undefined) return module
      const { module: served, refresh, close } = await openStore(shell, module, byEngine, named.store)
      opened.add(close)
      opened.add(watchStore({ called: `the policy store ${safeText(named.store)}`, refresh, log, pause: timer(storeLookMs) }))
      return served
    }),
  )
}
