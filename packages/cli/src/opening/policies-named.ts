import type { ModuleFolder } from '@freehold/designs'
import { FreeholdError } from '@freehold/table'
import { folderVariable } from '../environment.ts'
import type { Shell } from '../shell.ts'

/** The options that name folders of modules, by the names of the folders (`policies`), and the policy store: `store`. */
export type FolderOptions = Readonly<Record<string, unknown>>

/** Where a person says that a module finds what it decides by. */
export type PoliciesNamed = { readonly path: string } | { readonly store: string }

const storeVariable = 'FREEHOLD_POLICY_STORE'
const invalid = (message: string) => new FreeholdError('InvalidInput', message, { issues: [] })

/** The ways to name a folder, or the policy store in place of it, in words. */
export function folderWords(folder: ModuleFolder): string {
  const words = `their folder by --${folder.name} DIR or ${folderVariable(folder.name)}`
  return folder.byEngine === undefined ? words : `${words}, or a policy store by --store ID or ${storeVariable}`
}

/**
 * The folder or the policy store that a person has named for a module. An option counts in place of all variables.
 * @throws InvalidInput where both are named alike, and for a name without text
 */
export function policiesNamed({ env }: Pick<Shell, 'env'>, folder: ModuleFolder, options: FolderOptions): PoliciesNamed | undefined {
  const { name, byEngine } = folder
  const variables = { folder: env[folderVariable(name)], store: env[storeVariable] }
  const named = [
    { path: options[name], store: options.store, both: `Give --${name} or --store, not both: one of them decides.` },
    {
      path: variables.folder,
      store: variables.store,
      both: `Set ${folderVariable(name)} or ${storeVariable}, not both: one of them decides.`,
    },
  ]
  for (const { path, store: given, both } of named) {
    const store = byEngine === undefined ? undefined : given
    if (path !== undefined && store !== undefined) throw invalid(both)
    if (typeof path === 'string') return { path }
    if (store === '') throw invalid('The policy store has no name: give its id by --store ID.')
    if (typeof store === 'string') return { store }
  }
  return undefined
}
