import { type DesignModule, type FromFolder, folderOf, type ModuleFolder } from '@freehold/frame'
import { invalid } from '../input/invalid.ts'
import { readFolder } from '../input/read-folder.ts'
import { loggedLike } from '../output/change-log.ts'
import type { Shell } from '../shell.ts'
import { type FolderOptions, policiesNamed } from './policies-named.ts'

export type { FolderOptions } from './policies-named.ts'

/** A module with its folder or policy store. */
export interface OpenedFolder {
  readonly module: DesignModule
  /** The files that were read. */
  readonly texts: FolderTexts
  /** Reads the folder again, and gives its files. Throws `InvalidInput` for one that the module refuses, and keeps the former. */
  reload(): Promise<FolderTexts>
}

/** The texts of a folder's files by their names. */
export type FolderTexts = ReadonlyMap<string, string>

/** A module with a policy store. */
export interface OpenedStore {
  readonly module: DesignModule
  /** Reads the store again if it has changed, and tells whether it has. Throws `Busy` or `Unavailable`, and keeps what was read before. */
  refresh(): Promise<boolean>
  close(): void
}

/** The design may lack features that were left out, and a log may have been given. */
const likeNamed = (shell: Shell, { design }: DesignModule, opened: DesignModule): DesignModule => ({
  ...loggedLike(shell, opened),
  design,
})

/** Opens a module by the files of its folder. Throws `InvalidInput`. */
export async function openTexts(shell: Shell, module: DesignModule, folder: ModuleFolder, texts: FolderTexts): Promise<FromFolder> {
  const { module: opened, replace } = await folder.open(texts)
  return { module: likeNamed(shell, module, opened), replace }
}

/** Opens the folder of a module. Throws `InvalidInput`. */
export async function openFolder(shell: Shell, module: DesignModule, folder: ModuleFolder, path: string): Promise<OpenedFolder> {
  const read = () => readFolder(shell, path, folder.takes)
  const texts = await read()
  const { module: opened, replace } = await openTexts(shell, module, folder, texts)
  const reload = async () => {
    const next = await read()
    await replace(next)
    return next
  }
  return { module: opened, texts, reload }
}

/** Opens a policy store for a module. Throws `InvalidInput`, `Busy` or `Unavailable`. */
export async function openStore(
  shell: Shell,
  module: DesignModule,
  byEngine: NonNullable<ModuleFolder['byEngine']>,
  id: string,
): Promise<OpenedStore> {
  // Loaded here, since it brings another client of AWS.
  const { storedEngine } = await import('../policies/stored-engine.ts')
  const engine = await storedEngine(id)
  return { module: likeNamed(shell, module, byEngine(engine)), refresh: () => engine.refresh(), close: () => engine.close() }
}

/**
 * Works with a module that decides by the folder or policy store that was named, if one was.
 * @throws InvalidInput for one that is refused, and for one of another module
 */
export async function withFolder<T>(
  shell: Shell,
  module: DesignModule,
  options: FolderOptions,
  work: (module: DesignModule) => Promise<T>,
): Promise<T> {
  refuseForeign(shell, [module], options)
  const folder = folderOf(module)
  const named = folder && policiesNamed(shell, folder)
  if (folder === undefined || named === undefined) return work(module)
  if ('path' in named) return work((await openFolder(shell, module, folder, named.path)).module)
  const { byEngine } = folder
  if (byEngine === undefined) return work(module)
  const opened = await openStore(shell, module, byEngine, named.store)
  try {
    return await work(opened.module)
  } finally {
    opened.close()
  }
}

/** An option for a folder or a policy store that none of the modules takes would be without effect. Throws `InvalidInput`. */
export function refuseForeign({ designs }: Pick<Shell, 'designs'>, modules: readonly DesignModule[], options: FolderOptions): void {
  const foreign = (option: string, takes: (folder: ModuleFolder) => boolean, names: (folder: ModuleFolder) => string) => {
    const has = (module: DesignModule) => {
      const folder = folderOf(module)
      return folder !== undefined && takes(folder) ? folder : undefined
    }
    if (options[option] === undefined || modules.some(has)) return
    for (const module of designs.values()) {
      const folder = has(module)
      if (folder !== undefined) throw invalid(`--${option} is for ${module.design.name}: it names ${names(folder)}.`)
    }
  }
  for (const name of new Set([...designs.values()].flatMap((module) => folderOf(module)?.name ?? [])))
    foreign(
      name,
      (folder) => folder.name === name,
      ({ holds }) => holds,
    )
  foreign(
    'store',
    ({ byEngine }) => byEngine !== undefined,
    ({ holds }) => `a policy store with ${holds}`,
  )
}
