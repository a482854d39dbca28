import { ownLinks } from '@freehold/frame/decision'
import { FreeholdError, type Item } from '@freehold/table'
import { consistent } from '@freehold/table/runtime'
import type { RolePermissionLink } from '../../design.ts'
import { permissionIn, permissionWords } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'

/** A role as its links know it. */
export interface LinkedRole {
  readonly id: string
  /** Undefined for a system role. */
  readonly client_id?: string | undefined
}

/** An entry of the catalogue, as it was read. */
export interface CatalogueEntry extends PermissionPattern {
  readonly permission_id: string
  readonly version: number
}

/**
 * All links that lie at a role's id, whosever they are. Their key names no owner: of two roles of one id each has those that name its client, or
 * none, and where the other has a link there is no room for another.
 */
async function linksAtId({ unscoped }: AccountContext, role_id: string): Promise<readonly Item<typeof RolePermissionLink>[]> {
  const links: Item<typeof RolePermissionLink>[] = []
  for await (const link of unscoped.linksOfRole.all({ role_id }, consistent)) links.push(link)
  return links
}

/** The entries of the catalogue with these ids, undefined for an entry that is gone or being deleted: it grants nothing. */
export async function liveEntries({ table }: AccountContext, ids: readonly string[]): Promise<readonly (CatalogueEntry | undefined)[]> {
  const keys = ids.map((id) => ({ id }))
  const entries = await table.Permission.getMany(keys, consistent)
  return entries.map((entry) => {
    if (entry === undefined || entry.deleting !== undefined) return undefined
    const { id: permission_id, version } = entry
    const permission = permissionIn(entry)
    return permission && { permission_id, version, ...permission }
  })
}

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

/** The entries to which a role is linked, in either form. They are read from the catalogue, as decisions read them: copies on links may be late. */
export async function linkedPermissions(context: AccountContext, { id, client_id }: LinkedRole): Promise<readonly CatalogueEntry[]> {
  return entriesLinked(
    context,
    ownLinks(await linksAtId(context, id), client_id, (link) => link.client_id),
  )
}

/** Of the entries of links those that are there and stay. */
export async function entriesLinked(
  context: AccountContext,
  links: readonly Pick<CatalogueEntry, 'permission_id'>[],
): Promise<readonly CatalogueEntry[]> {
  const ids = links.map(({ permission_id }) => permission_id)
  return (await liveEntries(context, ids)).flatMap((entry) => entry ?? [])
}
