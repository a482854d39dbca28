import { changeAsRead, changeErrors, changeItem, changing, checkNamedVersion, itemOf, retryOnConflict } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import { invalidInput, parallel } from '@freehold/table/runtime'
import { Role, RolePermissionLink } from '../../design.ts'
import { among, distinctPatterns, permissionsMax, permissionWords } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import { type AccountContext, flow } from '../account-host.ts'
import { checkHeld } from '../assignments/grant-ceiling.ts'
import * as needs from '../needs.ts'
import { changeLinksByJob } from './change-links.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { catalogued, entriesOf } from './linked-permissions.ts'
import { permissionsToGrant, permissionsToWithdraw } from './permission-input.ts'
import { liveRole, permissionsOfRoles, type RoleItem, rolesAbove, touching } from './role-ancestry.ts'
import { linksAtOnceMax, linkTaken, roleLinks } from './role-links.ts'
import { namingTaken } from './role-name.ts'
import { namedRole, ownerOfScope, readsOfRole, scopeOfRole } from './role-scope.ts'

function checkEmbeddable({ flow }: AccountContext, patterns: readonly PermissionPattern[]): void {
  if (patterns.length <= permissionsMax) return
  const message = `would be ${patterns.length}: above ${permissionsMax} a role has the form 'linked'`
  throw invalidInput(flow, [{ path: ['permissions'], message }], { flow })
}

const updateRole = flow({
  name: 'updateRole',
  summary: 'Renames a role, or changes its description or template.',
  input: { ...namedRole, ...changing(Role, 'name', 'description', 'custom_template_id') },
  needs: needs.updateRole,
  effect: 'write',
  returns: itemOf(Role),
  errors: [...changeErrors, 'AlreadyExists'],
  scope: scopeOfRole,
  reads: readsOfRole,
  run: async (context, { id, version, client_id: _, system: __, ...change }, scope) =>
    namingTaken(ownerOfScope(scope), change.name, () =>
      changeItem(context, Role, { client_id: ownerOfScope(scope), id }, change, { version }),
    ),
})

const setParentRole = flow({
  name: 'setParentRole',
  summary: 'Gives a role a parent, whose permissions it has too, or none: no cycle, at most eight roles deep, within one client.',
  input: { ...namedRole, ...changing(Role, 'parent_role_id'), ...confirming },
  needs: needs.updateRole,
  effect: 'write',
  returns: itemOf(Role),
  errors: [...changeErrors, 'MissingEnd'],
  scope: scopeOfRole,
  reads: readsOfRole,
  run: async (context, { id, version, parent_role_id = null, confirm_dangerous }, scope) => {
    const client_id = ownerOfScope(scope)
    const alongside = async () => {
      const above = await rolesAbove(context, client_id, parent_role_id, id)
      const granted = await permissionsOfRoles(context, above)
      const [, entry] = await parallel(
        // The holders of the role, and of those beneath it, have them at once, for as long as that may be.
        () => checkHeld(context, [{ granted, until: null }], scope),
        () => confirmedGrant(context, granted, confirm_dangerous),
      )
      return { steps: touching(above), entry }
    }
    return changeItem(context, Role, { client_id, id }, { parent_role_id }, { version, alongside })
  },
})

/** The links of a role to these, as far as the catalogue has them. No other links of the role are read. */
async function statesOf(context: AccountContext, role: RoleItem, patterns: readonly PermissionPattern[]) {
  const entries = (await entriesOf(context, distinctPatterns(patterns))).flatMap((entry) => entry ?? [])
  return roleLinks.states(context, role, entries)
}

/** A permission that is taken away must be there: a mistyped one would seem to be gone. Throws `NotFound`, `InvalidInput`. */
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

const changeRolePermissions = flow({
  name: 'changeRolePermissions',
  summary:
    'Adds permissions to a role, as {module, action, resource} or module:action:resource, and takes away others, which it must have; what it has already it keeps. Many links at once are a durable job.',
  input: { ...namedRole, add: permissionsToGrant.optional(), remove: permissionsToWithdraw.optional(), ...confirming },
  needs: needs.updateRole,
  effect: 'write',
  writes: { create: RolePermissionLink, update: Role, remove: RolePermissionLink },
  returns: itemOf(Role),
  errors: [...changeErrors, 'AlreadyExists', 'MissingEnd', 'TooLarge'],
  scope: scopeOfRole,
  reads: readsOfRole,
  run: async (context, { id, version, add, remove, confirm_dangerous }, scope) => {
    const client_id = ownerOfScope(scope)
    return retryOnConflict(context.table.runtime, async () => {
      const before = await liveRole(context, client_id, id)
      checkNamedVersion(Role, before.version, version)
      const removed = distinctPatterns(remove ?? [])
      const states = before.permission_form === 'linked' ? await statesOf(context, before, [...(add ?? []), ...removed]) : undefined
      const own = states?.linked ?? before.permissions
      checkWithdrawn(context, own, add ?? [], removed)
      const isOwn = among(own)
      const isRemoved = among(removed)
      const added = distinctPatterns(add ?? []).filter((pattern) => !isOwn(pattern))
      if (added.length + removed.length === 0) return before
      const next = distinctPatterns([...own.filter((pattern) => !isRemoved(pattern)), ...added])
      if (states === undefined) checkEmbeddable(context, next)
      const [, entry, entries] = await parallel(
        // The holders of the role have them at once, for as long as that may be.
        () => checkHeld(context, [{ granted: added, until: null }], scope),
        () => confirmedGrant(context, added, confirm_dangerous),
        () => (states === undefined ? [] : catalogued(context, added)),
      )
      if (states !== undefined) {
        if (states.taken.length > 0) throw linkTaken(states.taken)
        if (added.length + removed.length <= linksAtOnceMax)
          return roleLinks.write(context, before, { add: entries, remove: states.linked.filter(isRemoved) }, entry)
        await changeLinksByJob(context, before, { add: added, remove: removed }, entry)
        return liveRole(context, client_id, id)
      }
      return changeAsRead(context, Role, before, { permissions: next }, { entry })
    })
  },
})

export const roleFlows = { updateRole, setParentRole, changeRolePermissions } as const
