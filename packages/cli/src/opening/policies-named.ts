import type { ModuleFolder } from '@freehold/frame'
import { variableOf } from '../config/setting.ts'
import { places } from '../config/settings.ts'
import { invalid } from '../input/invalid.ts'
import type { Shell } from '../shell.ts'

/** The options that name folders of modules, by the names of the folders (`policies`), and the policy store: `store`. */
export type FolderOptions = Readonly<Record<string, unknown>>

/** Where a person says that a module finds what it decides by. */
export type PoliciesNamed = { readonly path: string } | { readonly store: string }

const storeVariable = 'FREEHOLD_POLICY_STORE'

/** The ways to name a folder, or the policy store in place of it, in words. */
export function folderWords(folder: ModuleFolder): string {
  const words = `their folder by --${folder.name} DIR or ${variableOf(folder.name)}`
  return folder.byEngine === undefined ? words : `${words}, or a policy store by --store ID or ${storeVariable}`
}

/**
 * The folder or the policy store that a person has named for a module. An option counts in place of all variables, and these in place of the file.
 * @throws InvalidInput where both are named alike
 */
export function policiesNamed({ settings }: Pick<Shell, 'settings'>, { name, byEngine }: ModuleFolder): PoliciesNamed | undefined {
  const both = {
    option: `Give --${name} or --store, not both`,
    variable: `Set ${variableOf(name)} or ${storeVariable}, not both`,
    file: `The file of settings names ${name} and policyStore`,
  } as const
  for (const place of places) {
    const named = (setting: string) => (settings.places[setting] === place ? settings.folders[setting] : undefined)
    const path = named(name)
    const store = byEngine === undefined ? undefined : named('policyStore')
    if (path !== undefined && store !== undefined) throw invalid(`${both[place]}: one of them decides.`)
    if (path !== undefined) return { path }
    if (store !== undefined) return { store }
  }
  return undefined
}
