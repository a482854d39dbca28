import { checking, FreeholdError, oneOf, type Steps, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { checkNamedVersion } from '../../../flow/live-item.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf } from '../../../flow/returns.ts'
import { Permission, Role } from '../../design.ts'
import { type AccountContext, flow, job } from '../account-host.ts'
import * as needs from '../needs.ts'
import { catalogued, checkFree, entriesOf, type LinkChange, linkStates, outstanding } from './link-states.ts'
import { type CatalogueEntry, linkedPermissions, liveEntries } from './linked-permissions.ts'
import { isSamePattern, type PermissionPattern, permissionsMax } from './permission-pattern.ts'
import { liveRole, type RoleItem } from './role-ancestry.ts'
import { inTransactions, writeLinks } from './role-links.ts'
import { namedRole, ownerOfScope, scopeOfOwner, scopeOfRole } from './role-scope.ts'

type Form = RoleItem['permission_form']

const consistent = { consistent: true }

const without = <P extends PermissionPattern>(patterns: readonly P[], others: readonly PermissionPattern[]) =>
  patterns.filter((pattern) => !others.some((other) => isSamePattern(pattern, other)))

/** Of a transaction's 100 actions the role with its mirrors, what the caller rests on and the audit leave this many. */
const checkedMax = 80

/** That the catalogue says still what is embedded: what is taken out of it meanwhile does not come back. Of more it was so when they were read. */
function stillCatalogued(entries: readonly CatalogueEntry[]): Steps {
  return Object.fromEntries(
    entries
      .slice(0, checkedMax)
      .map(({ permission_id: id, version }) => [`permission ${id}`, checking(Permission, { id }, { version })] as const),
  )
}

/** The form changes, and what the other form holds no longer counts: one transaction. */
async function turn(context: AccountContext, before: RoleItem, permission_form: Form, own: readonly CatalogueEntry[]): Promise<void> {
  const { client_id, id, version } = before
  const change = { permission_form, permissions: own.map(({ module, action, resource }) => ({ module, action, resource })) }
  const steps: Steps = { role: updating(Role, { client_id, id }, change, { version }), ...stillCatalogued(own) }
  await writeRecorded(context, steps, { entity: Role, id, tenant: client_id, before, after: { ...before, ...change } })
}

/**
 * What links are to be made and taken away before, or after, a role has the other form, by a look at all of it; where nothing is in the way, the
 * form turns. Undefined where there is nothing to do, or the role is gone or cannot be turned by now.
 */
async function look(
  context: AccountContext,
  client_id: string | undefined,
  id: string,
  form: Form,
): Promise<LinkChange<CatalogueEntry> | undefined> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined) return undefined
  if (form === 'linked' && role.permission_form === 'linked') return undefined
  const own = await linkedPermissions(context, role)
  if (form === 'linked') {
    const entries = (await entriesOf(context, role.permissions)).flatMap((entry) => entry ?? [])
    if (entries.length < role.permissions.length) return undefined
    const { free: add, taken } = await linkStates(context, role, entries)
    if (taken.length > 0) return undefined
    const remove = without(own, role.permissions)
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

/** One transaction of links that do not count: those of a role that is embedded. Nothing is done for one that is not, or is gone. */
async function changeSome(
  context: AccountContext,
  client_id: string | undefined,
  id: string,
  { add, remove }: LinkChange<CatalogueEntry>,
): Promise<void> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined || role.permission_form !== 'embedded') return
  const requireLive = await liveEntries(
    context,
    add.map(({ permission_id }) => permission_id),
  )
  const open = await outstanding(context, role, { add: requireLive.flatMap((entry) => entry ?? []), remove })
  if (open.add.length + open.remove.length > 0) await writeLinks(context, role, open, {})
}

/** Looks at the whole role: two where nobody else changes it. More than these mean that somebody keeps the job from ending. */
const looksMax = 20

/** Links or entries of the catalogue that come or go meanwhile, or the role itself. */
const overtaken = ['AlreadyExists', 'MissingEnd', 'NotFound', 'BeingDeleted'] as const

const turning = { client_id: uuid().optional(), role_id: uuid(), form: oneOf('embedded', 'linked') }

/**
 * The durable job. Run again, it goes on from what it finds. Until the form turns, the role's permissions count unchanged: so all is looked at once
 * more right before that, and changes that others made meanwhile are followed.
 */
export const changingRoleForm = job({
  name: 'changeRoleForm',
  flow: 'changeRoleForm',
  input: turning,
  subject: ({ role_id }) => `ROLE#${role_id}`,
  within: ({ client_id }) => scopeOfOwner(client_id ?? undefined),
  each: async function* (context, { client_id, role_id, form }, { advance }) {
    for (let looks = 0; looks < looksMax; looks++) {
      const change = await retryOnConflict(context.table.runtime, () => look(context, client_id ?? undefined, role_id, form), overtaken)
      await advance(1)
      if (change === undefined) return
      yield* inTransactions(change)
    }
  },
  does: async (context, some, { client_id, role_id }) => {
    await retryOnConflict(context.table.runtime, () => changeSome(context, client_id ?? undefined, role_id, some), overtaken)
  },
})

export const changeRoleForm = flow({
  name: 'changeRoleForm',
  summary:
    'Turns embedded permissions of a role into links to the catalogue, which must have them, or the other way about, by a durable job.',
  input: { ...namedRole, permission_form: oneOf('embedded', 'linked') },
  needs: needs.updateRole,
  effect: 'write',
  returns: itemOf(Role),
  scope: scopeOfRole,
  run: async (context, { id, version, permission_form: form }, scope) => {
    const client_id = ownerOfScope(scope)
    const role = await liveRole(context, client_id, id)
    checkNamedVersion(Role, role.version, version)
    if (role.permission_form === form) return role
    if (form === 'linked') checkFree(await linkStates(context, role, await catalogued(context, role.permissions)))
    const tooMany = invalidInput(context.flow, [{ path: ['permission_form'], message: `is for at most ${permissionsMax} permissions` }])
    if (form === 'embedded' && (await linkedPermissions(context, role)).length > permissionsMax) throw tooMany
    await changingRoleForm.start(context, { client_id, role_id: id, form })
    const after = await liveRole(context, client_id, id)
    if (after.permission_form === form) return after
    throw new FreeholdError('VersionConflict', 'The permissions of this role changed meanwhile, so that it kept its form.', {
      entity: Role.name,
    })
  },
})
