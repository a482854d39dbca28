import { FreeholdError } from '@freehold/table'
import { type PermissionPattern, permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import { type CatalogueEntry, liveEntries } from './linked-permissions.ts'

const consistent = { consistent: true }

/** The catalogue's entry of each permission; undefined for a permission without a live one. */
export async function entriesOf(
  context: AccountContext,
  patterns: readonly PermissionPattern[],
): Promise<readonly (CatalogueEntry | undefined)[]> {
  const keys = patterns.map(({ module, action, resource }) => ({ module, action, resource }))
  const guards = await context.table.PermissionKey.getMany(keys, consistent)
  const ids = [...new Set(guards.flatMap((guard) => guard?.id ?? []))]
  const entries = await liveEntries(context, ids)
  const byId = new Map(ids.map((id, index) => [id, entries[index]]))
  return guards.map((guard) => (guard === undefined ? undefined : byId.get(guard.id)))
}

/** The same for permissions that are to be linked. Throws `NotFound` for one that the catalogue does not have. */
export async function catalogued(context: AccountContext, patterns: readonly PermissionPattern[]): Promise<readonly CatalogueEntry[]> {
  const entries = await entriesOf(context, patterns)
  return patterns.map((pattern, index) => {
    const entry = entries[index]
    if (entry !== undefined) return entry
    const message = `The catalogue has no permission ${permissionWords(pattern)}: a linked role has what the catalogue has.`
    throw new FreeholdError('NotFound', message, { entity: 'Permission' })
  })
}
