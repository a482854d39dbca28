import { type DesignModule, type FromFolder, folderOf, type ModuleFolder } from '@freehold/designs'
import { FreeholdError } from '@freehold/table'
import { folderVariable } from '../environment.ts'
import { readFolder } from '../input/read-folder.ts'
import { loggedLike } from '../output/change-log.ts'
import type { Shell } from '../shell.ts'

/** The options that name folders of modules, by the names of the folders: `policies`. */
export type FolderOptions = Readonly<Record<string, unknown>>

/** The folder that a person has named for a module, by an option or a variable. */
export function folderNamed({ env }: Pick<Shell, 'env'>, folder: ModuleFolder, options: FolderOptions): string | undefined {
  const given = options[folder.name]
  return typeof given === 'string' ? given : env[folderVariable(folder.name)]
}

/** The ways to name a folder, in words. */
export const folderWords = (folder: ModuleFolder): string => `--${folder.name} DIR or ${folderVariable(folder.name)}`

/** A module with its folder, and how it takes the next version of it. */
export interface OpenedFolder {
  readonly module: DesignModule
  /** As it was named. */
  readonly path: string
  readonly folder: ModuleFolder
  /** Reads the folder again. Throws `InvalidInput` for one that the module refuses, and keeps the former. */
  reload(): Promise<void>
}

/** Opens the folder of a module. Undefined for a module without one, or one that nobody named. Throws `InvalidInput`. */
export async function openFolder(shell: Shell, module: DesignModule, options: FolderOptions): Promise<OpenedFolder | undefined> {
  const folder = folderOf(module)
  const path = folder && folderNamed(shell, folder, options)
  if (folder === undefined || path === undefined) return undefined
  const read = () => readFolder(shell, path, folder.takes)
  const { module: opened, replace }: FromFolder = await folder.open(await read())
  // The design may lack features that were left out, and a log may have been given.
  return { path, folder, module: { ...loggedLike(shell, opened), design: module.design }, reload: async () => replace(await read()) }
}

/** The module with its folder, if one was named. Throws `InvalidInput` for a folder that it refuses, and for one of another module. */
export async function withFolder(shell: Shell, module: DesignModule, options: FolderOptions): Promise<DesignModule> {
  refuseForeign(shell, [module], options)
  return (await openFolder(shell, module, options))?.module ?? module
}

/** An option for a folder that none of the modules has would be without effect. Throws `InvalidInput`. */
export function refuseForeign({ designs }: Pick<Shell, 'designs'>, modules: readonly DesignModule[], options: FolderOptions): void {
  for (const module of designs.values()) {
    const folder = folderOf(module)
    if (folder === undefined || options[folder.name] === undefined || modules.some((each) => folderOf(each)?.name === folder.name)) continue
    throw new FreeholdError('InvalidInput', `--${folder.name} is for ${module.design.name}: it names ${folder.holds}.`, { issues: [] })
  }
}
