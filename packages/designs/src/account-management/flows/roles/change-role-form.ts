import { changeAsRead, changeErrors, checkNamedVersion, type EdgeChange, edgesOf, itemOf, replaceEdges } from '@freehold/frame/flow'
import { checking, FreeholdError, oneOf, type Steps } from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import { Permission, Role } from '../../design.ts'
import { among, distinctPatterns, permissionsMax } from '../../permission/patterns.ts'
import { type AccountContext, flow, job } from '../account-host.ts'
import * as needs from '../needs.ts'
import { jobRole, ofRole, roleOf } from './change-links.ts'
import { type CatalogueEntry, catalogued, entriesLinked, entriesOf, type LinkedRole, linkedPermissions } from './linked-permissions.ts'
import { liveRole, type RoleItem } from './role-ancestry.ts'
import { checkFree, roleLinks } from './role-links.ts'
import { namedRole, ownerOfScope, scopeOfRole } from './role-scope.ts'

type Form = RoleItem['permission_form']

/** Of a transaction's 100 actions, the role with its lookup items, the permission basis and the audit leave this many. */
const checkedMax = 80

/**
 * Checks that the catalogue still has the embedded permissions, so that none of them outlives its entry. Beyond `checkedMax` it had them when read.
 */
function stillCatalogued(entries: readonly CatalogueEntry[]): Steps {
  return Object.fromEntries(
    entries
      .slice(0, checkedMax)
      .map(({ permission_id: id, version }) => [`permission ${id}`, checking(Permission, { id }, { version })] as const),
  )
}

/** The form changes, and the permissions of the other form no longer count: one transaction. */
async function turn(context: AccountContext, role: RoleItem, permission_form: Form, own: readonly CatalogueEntry[]): Promise<void> {
  await changeAsRead(context, Role, role, { permission_form, permissions: distinctPatterns(own) }, { steps: stillCatalogued(own) })
}

/**
 * The links to add and remove before, or after, a role gets the other form, by a look at all of it. If nothing is in the way, the form turns.
 * Undefined if there is nothing to do, or the role is gone or cannot be turned by now.
 */
async function look(context: AccountContext, { client_id, id }: LinkedRole, form: Form): Promise<EdgeChange<CatalogueEntry> | undefined> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined) return undefined
  if (form === 'linked' && role.permission_form === 'linked') return undefined
  const own = await linkedPermissions(context, role)
  if (form === 'linked') {
    const entries = (await entriesOf(context, role.permissions)).flatMap((entry) => entry ?? [])
    if (entries.length < role.permissions.length) return undefined
    const { free: add, taken } = await roleLinks.states(context, role, entries)
    if (taken.length > 0) return undefined
    const isEmbedded = among(role.permissions)
    const remove = own.filter((entry) => !isEmbedded(entry))
    if (add.length + remove.length > 0) return { add, remove }
    await turn(context, role, 'linked', [])
    return undefined
  }
  if (role.permission_form === 'linked') {
    if (own.length > permissionsMax) return undefined
    await turn(context, role, 'embedded', own)
  }
  return own.length === 0 ? undefined : { add: [], remove: own }
}

/** Links of a role that is embedded: they do not count. */
const idleLinks = edgesOf<AccountContext, typeof Role, CatalogueEntry, CatalogueEntry>({
  ...roleLinks.kind,
  find: async (context, { add, remove }) => ({ add: await entriesLinked(context, add), remove }),
  isOpen: ({ permission_form }) => permission_form === 'embedded',
})

/**
 * The durable job. Run again, it goes on with the links that it finds. Until the form turns, the role's permissions count unchanged: so it looks at
 * all of the role once more right before that, and follows the changes of others.
 */
export const changingRoleForm = job(
  replaceEdges(idleLinks, {
    name: 'changeRoleForm',
    input: { ...jobRole, form: oneOf('embedded', 'linked') },
    ...ofRole,
    next: (context, input) => look(context, roleOf(input), input.form),
  }),
)

export const changeRoleForm = flow({
  name: 'changeRoleForm',
  summary:
    'Turns embedded permissions of a role into links to the catalogue, which must have them, or the other way about, by a durable job.',
  input: { ...namedRole, permission_form: oneOf('embedded', 'linked') },
  needs: needs.updateRole,
  effect: 'write',
  returns: itemOf(Role),
  errors: [...changeErrors, 'AlreadyExists'],
  scope: scopeOfRole,
  run: async (context, { id, version, permission_form: form }, scope) => {
    const client_id = ownerOfScope(scope)
    const role = await liveRole(context, client_id, id)
    checkNamedVersion(Role, role.version, version)
    if (role.permission_form === form) return role
    if (form === 'linked') await checkFree(context, role, await catalogued(context, role.permissions))
    const tooMany = invalidInput(context.flow, [{ path: ['permission_form'], message: `is for at most ${permissionsMax} permissions` }])
    if (form === 'embedded' && (await linkedPermissions(context, role)).length > permissionsMax) throw tooMany
    const why = await changingRoleForm.start(context, { client_id, role_id: id, form })
    const after = await liveRole(context, client_id, id)
    if (after.permission_form === form) return after
    if (why !== undefined) throw why
    throw new FreeholdError('VersionConflict', 'The permissions of this role changed meanwhile, so that it kept its form.', {
      entity: Role.name,
    })
  },
})
