import { actorText, edgesAtOnce, edgesOf } from '@freehold/frame/flow'
import { FreeholdError, type New } from '@freehold/table'
import { Role, RolePermissionLink } from '../../design.ts'
import { among, permissionWords } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import { type CatalogueEntry, entriesOf, type LinkedRole } from './linked-permissions.ts'

/** A role that is created, with the guard of its name and its two lookup items, seven roles above it, its client, and the audit. */
const besideLinks = 4 + 7 + 1 + 1

/** Links that one transaction changes: each is two items and a check. */
export const linksAtOnceMax = edgesAtOnce(besideLinks, 3)

/** An error names no more of them. */
const namedMax = 10

/** The links of a role, to entries of the catalogue. They count while the role has the form `linked`. */
export const roleLinks = edgesOf<AccountContext, typeof Role, PermissionPattern, CatalogueEntry>({
  end: Role,
  edge: RolePermissionLink,
  atOnceMax: linksAtOnceMax,
  told: { added: 'granted', removed: 'withdrawn' },
  words: permissionWords,
  edgeOf: ({ caller }, { id: role_id, client_id }, { permission_id }): New<typeof RolePermissionLink> => ({
    role_id,
    permission_id,
    client_id: client_id ?? undefined,
    granted_by: actorText(caller),
  }),
  read: ({ unscoped }, { id: role_id }, entries) => {
    const ids = entries.map(({ permission_id }) => ({ role_id, permission_id }))
    return unscoped.RolePermissionLink.getMany(ids, { consistent: true })
  },
  find: async (context, { add, remove }) => {
    const entries = await entriesOf(context, [...add, ...remove])
    const live = (some: typeof entries) => some.flatMap((entry) => entry ?? [])
    return { add: live(entries.slice(0, add.length)), remove: live(entries.slice(add.length)) }
  },
  isOpen: ({ permission_form }) => permission_form === 'linked',
  otherwise: ({ permissions }) => among(permissions),
})

/** Says which permissions were not granted, and why. */
export function linkTaken(taken: readonly PermissionPattern[]): FreeholdError {
  const named = taken.slice(0, namedMax).map(permissionWords)
  const message = `Another role of this id is linked to ${named.join(', ')}: for one id and permission there is one link. Give this role another id.`
  return new FreeholdError('AlreadyExists', message, { entity: RolePermissionLink.name })
}

/** Throws `AlreadyExists` if another role of the id is linked to one of these. */
export async function checkFree(context: AccountContext, role: LinkedRole, entries: readonly CatalogueEntry[]): Promise<void> {
  const { taken } = await roleLinks.states(context, role, entries)
  if (taken.length > 0) throw linkTaken(taken)
}
