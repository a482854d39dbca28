import { setTimeout } from 'node:timers/promises'
import { type DesignModule, folderOf, type ModuleFolder } from '@freehold/frame'
import type { Say } from '@freehold/service'
import { folderPath } from '../input/read-folder.ts'
import { type FolderOptions, policiesNamed } from '../opening/policies-named.ts'
import { type FolderTexts, openFolder, openStore, refuseForeign } from '../opening/with-folder.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import type { Closing } from './closing.ts'
import { lookAt, watchFolder } from './watch-folder.ts'
import { watchStore } from './watch-store.ts'

/** How often a server looks at the folder of a design. A change counts once two looks see the same. */
export const folderLook_ms = 500
/** How often it asks whether a policy store has changed, by some three requests. */
export const storeLook_ms = 60_000

/** A pause that ends with a watch, and for which no process stays alive. */
const timer =
  (interval_ms: number) =>
  (signal: AbortSignal): Promise<unknown> =>
    setTimeout(interval_ms, undefined, { signal, ref: false })

/** Opens a module by the folder at a path. */
export type OpenByFolder = (module: DesignModule, folder: ModuleFolder, path: string) => Promise<DesignModule>

/**
 * Opens modules by folders that this process watches from then on.
 * @param onTaken told of each state that was taken, the first one too
 */
export function watchedFolders(
  shell: Shell,
  opened: Closing,
  log: Say,
  onTaken: (folder: ModuleFolder, texts: FolderTexts) => void = () => {},
): OpenByFolder {
  return async (module, folder, path) => {
    const look = () => lookAt(folderPath(shell, path), folder.takes)
    const first = await look()
    const { module: served, texts, reload } = await openFolder(shell, module, folder, path)
    onTaken(folder, texts)
    const pause = timer(folderLook_ms)
    const take = async () => onTaken(folder, await reload())
    opened.add(watchFolder({ called: `the folder ${safeText(path)}`, look, reload: take, log, pause }, first))
    return served
  }
}

/**
 * The modules with their folders or policy stores. Throws `InvalidInput` for a folder that its module refuses: a server
 * does not begin with it.
 */
export async function withServedFolders(
  shell: Shell,
  opened: Closing,
  modules: readonly DesignModule[],
  options: FolderOptions,
  log: Say,
  openByFolder: OpenByFolder = watchedFolders(shell, opened, log),
): Promise<readonly DesignModule[]> {
  refuseForeign(shell, modules, options)
  return Promise.all(
    modules.map(async (module) => {
      const folder = folderOf(module)
      const named = folder && policiesNamed(shell, folder)
      if (folder === undefined || named === undefined) return module
      if ('path' in named) return openByFolder(module, folder, named.path)
      const { byEngine } = folder
      if (byEngine === undefined) return module
      const { module: served, refresh, close } = await openStore(shell, module, byEngine, named.store)
      opened.add(close)
      opened.add(watchStore({ called: `the policy store ${safeText(named.store)}`, refresh, log, pause: timer(storeLook_ms) }))
      return served
    }),
  )
}
