import { FreeholdError } from '@freehold/table'
import { RolePermissionLink } from '../../design.ts'
import { permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-host.ts'
import { type CatalogueEntry, type LinkedRole, liveEntries } from './linked-permissions.ts'
import type { PermissionPattern } from './permission-pattern.ts'

const consistent = { consistent: true }

/** An error names no more of them. */
const namedMax = 10

export interface LinkChange<P = PermissionPattern> {
  readonly add: readonly P[]
  readonly remove: readonly P[]
}

/** The catalogue's entry of each permission, undefined where it has none that stays. */
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

/** What the catalogue has of these. Throws `NotFound` for one that it does not have: only what it has can be linked. */
export async function catalogued(context: AccountContext, patterns: readonly PermissionPattern[]): Promise<readonly CatalogueEntry[]> {
  const entries = await entriesOf(context, patterns)
  return patterns.map((pattern, index) => {
    const entry = entries[index]
    if (entry !== undefined) return entry
    const message = `The catalogue has no permission ${permissionWords(pattern)}: a linked role has what the catalogue has.`
    throw new FreeholdError('NotFound', message, { entity: 'Permission' })
  })
}

/** What a role is to be linked to, by how that stands. */
export interface LinkStates {
  readonly linked: readonly CatalogueEntry[]
  readonly free: readonly CatalogueEntry[]
  /** Another owner's role of the same id is linked to these: the key of a link names no owner, and there is room for one. */
  readonly taken: readonly CatalogueEntry[]
}

/** Reads the links of these entries and no others, however many the role has. */
export async function linkStates(
  { unscoped }: AccountContext,
  { id: role_id, client_id }: LinkedRole,
  entries: readonly CatalogueEntry[],
): Promise<LinkStates> {
  const keys = entries.map(({ permission_id }) => ({ role_id, permission_id }))
  const links = await unscoped.RolePermissionLink.getMany(keys, consistent)
  const stateAt = (index: number): keyof LinkStates => {
    const link = links[index]
    return link === undefined ? 'free' : link.client_id === client_id ? 'linked' : 'taken'
  }
  const inState = (state: keyof LinkStates) => entries.filter((_, index) => stateAt(index) === state)
  return { linked: inState('linked'), free: inState('free'), taken: inState('taken') }
}

/** Says what was not granted, and why, of what another role of the id is linked to. */
export function linkTaken(taken: readonly PermissionPattern[]): FreeholdError {
  const named = taken.slice(0, namedMax).map(permissionWords)
  const message = `Another role of this id is linked to ${named.join(', ')}: for one id and permission there is one link. Give this role another id.`
  return new FreeholdError('AlreadyExists', message, { entity: RolePermissionLink.name })
}

/** Throws `AlreadyExists` where another role of the id is linked to one of these. */
export function checkFree({ taken }: LinkStates): void {
  if (taken.length > 0) throw linkTaken(taken)
}

/** A change as far as it is still to be done. */
export interface Outstanding extends LinkChange<CatalogueEntry> {
  /** What was to be added, and cannot be. */
  readonly taken: readonly CatalogueEntry[]
}

/** What is still to do of a change of entries. */
export async function outstanding(
  context: AccountContext,
  role: LinkedRole,
  { add, remove }: LinkChange<CatalogueEntry>,
): Promise<Outstanding> {
  const states = await linkStates(context, role, [...add, ...remove])
  const among = (entries: readonly CatalogueEntry[], found: readonly CatalogueEntry[]) => {
    const ids = new Set(found.map(({ permission_id }) => permission_id))
    return entries.filter(({ permission_id }) => ids.has(permission_id))
  }
  return { add: among(add, states.free), remove: among(remove, states.linked), taken: among(add, states.taken) }
}

/** What is still to do of a change of permissions; what the catalogue does not have any more is passed over, since nobody has that. */
export async function outstandingPatterns(context: AccountContext, role: LinkedRole, { add, remove }: LinkChange): Promise<Outstanding> {
  const entries = await entriesOf(context, [...add, ...remove])
  const requireLive = (some: readonly (CatalogueEntry | undefined)[]) => some.flatMap((entry) => entry ?? [])
  return outstanding(context, role, { add: requireLive(entries.slice(0, add.length)), remove: requireLive(entries.slice(add.length)) })
}
