import { count, FreeholdError, flag, isFreeholdError, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { changing } from '../../../flow/input-attributes.ts'
import { givenBack } from '../../../flow/made-item.ts'
import { Role } from '../../design.ts'
import { permissionText, permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow } from '../account-flow.ts'
import { checkHeld } from '../assignments/held.ts'
import { writeAudited } from '../audited.ts'
import { changeAudited, checkNamedVersion } from '../change-audited.ts'
import { clientNamed, clientPlace, type Place } from '../place.ts'
import { startLinkJob } from './change-links.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { catalogued, checkFree, entriesOf, type LinkStates, linkStates } from './link-states.ts'
import { permissionsToGrant, permissionsToWithdraw } from './permission-input.ts'
import { distinctPatterns, type PermissionPattern, permissionsMax } from './permission-pattern.ts'
import { permissionsOfRoles, type RoleItem, rolesAbove, standingRole, touching } from './role-ancestry.ts'
import { linksAtOnceMax, writeLinks } from './role-links.ts'
import { namingTaken } from './role-name.ts'

/** A system role is named as such: omitting client_id means the caller's own client, never the system. */
export const ownedRole = { client_id: uuid().optional(), system: flag().optional() }
export const namedRole = { id: uuid(), ...ownedRole, version: count().optional() }

interface OwnedRole {
  readonly client_id?: string | null | undefined
  readonly system?: boolean | null | undefined
}

/** The client that a caller names, or its own. Throws `InvalidInput` for neither: an operator may have meant a role of the system. */
function clientOfRole(context: AccountContext, client_id: string | null | undefined): string {
  try {
    return clientNamed(context, client_id)
  } catch (error) {
    if (!isFreeholdError(error, 'InvalidInput')) throw error
    const message = 'is missing: this caller has no client of its own; a role of the system is asked for with system: true'
    throw invalidInput(context.flow, [{ path: ['client_id'], message }], { flow: context.flow })
  }
}

/** Whose role it is. Throws `InvalidInput` for one that would be a client's and the system's. */
export async function ownerPlaceOfRole(context: AccountContext, { client_id, system }: OwnedRole): Promise<Place | 'system'> {
  if (system !== true) return clientPlace(context, clientOfRole(context, client_id))
  if (client_id === undefined || client_id === null) return 'system'
  throw invalidInput(context.flow, [{ path: ['client_id'], message: 'is of no system role' }], { flow: context.flow })
}

export const ownerOfPlace = (place: Place | 'system'): string | undefined => (place === 'system' ? undefined : place.client_id)

function checkEmbeddable({ flow }: AccountContext, patterns: readonly PermissionPattern[]): void {
  if (patterns.length <= permissionsMax) return
  const message = `would be ${patterns.length}: above ${permissionsMax} a role has the form 'linked'`
  throw invalidInput(flow, [{ path: ['permissions'], message }], { flow })
}

export const updateRole = accountFlow({
  name: 'updateRole',
  summary: 'Renames a role, or changes its description or template.',
  input: { ...namedRole, ...changing(Role, 'name', 'description', 'custom_template_id') },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, client_id: _, system: __, ...change }, place): Promise<RoleItem> =>
    namingTaken(ownerOfPlace(place), change.name, () =>
      changeAudited(context, Role, { client_id: ownerOfPlace(place), id }, change, { version }),
    ),
})

export const setParentRole = accountFlow({
  name: 'setParentRole',
  summary: 'Gives a role a parent, whose permissions it has too, or none: no cycle, at most eight roles deep, within one client.',
  input: { ...namedRole, ...changing(Role, 'parent_role_id'), ...confirming },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, parent_role_id = null, confirm_dangerous }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    return decideAnew(context.table.runtime, async () => {
      const before = await standingRole(context, client_id, id)
      checkNamedVersion(Role, before.version, version)
      if ((before.parent_role_id ?? null) === parent_role_id) return before
      const above = await rolesAbove(context, client_id, parent_role_id, id)
      const granted = await permissionsOfRoles(context, above)
      // Whoever has the role, or one beneath it, has them at once, for as long as that may be.
      await checkHeld(context, granted, place, null)
      const entry = await confirmedGrant(context, granted, confirm_dangerous)
      const steps = {
        ...touching(above),
        role: updating(Role, { client_id, id }, { parent_role_id }, { version: before.version }),
      }
      const after = { ...before, parent_role_id }
      const { role } = await writeAudited(context, steps, { entity: Role, id, client_id, before, after, ...entry })
      return givenBack(Role, role)
    })
  },
})

/** How a linked role is to these, by what the catalogue says: of however many it is linked to, only these are read. */
async function statesOf(context: AccountContext, role: RoleItem, patterns: readonly PermissionPattern[]): Promise<LinkStates> {
  const entries = await entriesOf(context, distinctPatterns(patterns))
  const standing = entries.flatMap((entry) => entry ?? [])
  return linkStates(context, role, standing)
}

/** Says of patterns whether they are among these, however many these are. */
function among(patterns: readonly PermissionPattern[]): (one: PermissionPattern) => boolean {
  const texts = new Set(patterns.map(permissionText))
  return (one) => texts.has(permissionText(one))
}

/** What is taken away must be there: who mistypes a permission would believe it gone. Throws `NotFound`, `InvalidInput`. */
function checkWithdrawn(
  { flow }: AccountContext,
  own: readonly PermissionPattern[],
  add: readonly PermissionPattern[],
  remove: readonly PermissionPattern[],
): void {
  const both = remove.find(among(add))
  if (both !== undefined) {
    const message = `takes away ${permissionWords(both)}, which is added, too`
    throw invalidInput(flow, [{ path: ['remove'], message }], { flow })
  }
  const isOwn = among(own)
  const lacking = remove.find((pattern) => !isOwn(pattern))
  if (lacking === undefined) return
  const message = `The role has no permission ${permissionWords(lacking)} of its own: what it has is taken away as it stands there.`
  throw new FreeholdError('NotFound', message, { entity: 'Permission', flow })
}

export const changeRolePermissions = accountFlow({
  name: 'changeRolePermissions',
  summary:
    'Adds permissions to a role, as {module, action, resource} or module:action:resource, and takes away others, which it must have; what it has already it keeps. Many links at once are a durable job.',
  input: { ...namedRole, add: permissionsToGrant.optional(), remove: permissionsToWithdraw.optional(), ...confirming },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, add, remove, confirm_dangerous }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    await decideAnew(context.table.runtime, async () => {
      const before = await standingRole(context, client_id, id)
      checkNamedVersion(Role, before.version, version)
      const removed = distinctPatterns(remove ?? [])
      const states = before.permission_form === 'linked' ? await statesOf(context, before, [...(add ?? []), ...removed]) : undefined
      const own = states?.linked ?? before.permissions
      checkWithdrawn(context, own, add ?? [], removed)
      const isOwn = among(own)
      const isRemoved = among(removed)
      const added = distinctPatterns(add ?? []).filter((pattern) => !isOwn(pattern))
      if (added.length + removed.length === 0) return
      const next = distinctPatterns([...own.filter((pattern) => !isRemoved(pattern)), ...added]).map((pattern) => ({ ...pattern }))
      if (states === undefined) checkEmbeddable(context, next)
      // Whoever has the role has them at once, for as long as that may be.
      await checkHeld(context, added, place, null)
      const entry = await confirmedGrant(context, added, confirm_dangerous)
      if (states !== undefined) {
        const entries = await catalogued(context, added)
        checkFree(states)
        if (added.length + removed.length > linksAtOnceMax) return startLinkJob(context, before, { add: added, remove: removed }, entry)
        return writeLinks(context, before, { add: entries, remove: states.linked.filter(isRemoved) }, entry)
      }
      const steps = { role: updating(Role, { client_id, id }, { permissions: next }, { version: before.version }) }
      await writeAudited(context, steps, { entity: Role, id, client_id, before, after: { ...before, permissions: next }, ...entry })
    })
    return standingRole(context, client_id, id)
  },
})
