import { checking, type FlowJob, FreeholdError, invalidInput, oneOf, type Steps, updating } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { Permission, Role } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { checkNamedVersion } from './change-audited.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { type CatalogueEntry, linkedPermissions, linksAtId } from './linked-permissions.ts'
import { isSamePattern, type PermissionPattern } from './permission-pattern.ts'
import { type RoleItem, standingRole } from './role-ancestry.ts'
import { catalogued, entriesOf, linksAtOnceMax, writeLinks } from './role-links.ts'
import { embeddedMax, namedRole, ownerOfPlace, ownerPlaceOfRole } from './roles.ts'

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
  await writeAudited(context, steps, { entity: Role, id, client_id, before, after: { ...before, ...change } })
}

/**
 * One transaction on the way to the other form; false where there is nothing left to do, or the role is gone or cannot be turned by now. Until
 * the form turns, what it has counts unchanged.
 */
async function step(context: AccountContext, client_id: string | undefined, id: string, form: Form): Promise<boolean> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined) return false
  const linked = await linkedPermissions(context, role)
  if (form === 'linked') {
    if (role.permission_form === 'linked') return false
    const entries = (await entriesOf(context, role.permissions)).flatMap((entry) => entry ?? [])
    if (entries.length < role.permissions.length) return false
    const add = without(entries, linked).slice(0, linksAtOnceMax)
    const ofOthers = (await linksAtId(context, id)).filter((link) => link.client_id !== client_id)
    if (ofOthers.some(({ permission_id }) => add.some((entry) => entry.permission_id === permission_id))) return false
    const remove = without(linked, role.permissions).slice(0, linksAtOnceMax - add.length)
    if (add.length + remove.length > 0) await writeLinks(context, role, { add, remove }, {})
    else await turn(context, role, 'linked', [])
    return true
  }
  if (role.permission_form === 'linked') {
    if (linked.length > embeddedMax) return false
    await turn(context, role, 'embedded', linked)
    return true
  }
  if (linked.length > 0) await writeLinks(context, role, { add: [], remove: linked.slice(0, linksAtOnceMax) }, {})
  return linked.length > 0
}

/** The durable job of `changeRoleForm`. Run again, it goes on from what it finds. */
export async function changeRoleFormJob(job: FlowJob): Promise<void> {
  // Only `changeRoleForm` starts these jobs.
  const { client_id, role_id, form, caller } = job.input as unknown as { client_id?: string; role_id: string; form: Form; caller: unknown }
  const context = jobContext(job, 'changeRoleForm', caller, client_id)
  for (let isMore = true; isMore; ) {
    // Links or entries of the catalogue that come or go meanwhile, or the role itself.
    const overtaken = ['AlreadyExists', 'MissingEnd', 'NotFound', 'BeingDeleted'] as const
    isMore = await decideAnew(context.table.runtime, () => step(context, client_id, role_id, form), overtaken)
    await job.advance(1)
  }
}

export const changeRoleForm = accountFlow({
  name: 'changeRoleForm',
  summary:
    'Turns embedded permissions of a role into links to the catalogue, which must have them, or the other way about, by a durable job.',
  input: { ...namedRole, permission_form: oneOf('embedded', 'linked') },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, permission_form: form }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    const role = await standingRole(context, client_id, id)
    checkNamedVersion(Role, role.version, version)
    if (role.permission_form === form) return role
    if (form === 'linked') await catalogued(context, role.permissions)
    const tooMany = invalidInput(context.flow, [{ path: ['permission_form'], message: `is for at most ${embeddedMax} permissions` }])
    if (form === 'embedded' && (await linkedPermissions(context, role)).length > embeddedMax) throw tooMany
    const input = { ...(client_id === undefined ? {} : { client_id }), role_id: id, form, caller: recordedCaller(context.caller) }
    await context.whole.jobs.start('changeRoleForm', { subject: `ROLE#${id}`, input })
    const after = await standingRole(context, client_id, id)
    if (after.permission_form === form) return after
    throw new FreeholdError('VersionConflict', 'The permissions of this role changed meanwhile, so that it kept its form.', {
      entity: Role.name,
    })
  },
})
