import { type FlowJob, FreeholdError, invalidInput, isFreeholdError, oneOf, updating } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { Role } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { checkNamedVersion } from './change-audited.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { isSamePattern, type PermissionPattern } from './permission-pattern.ts'
import { linkedPermissions, type RoleItem, standingRole } from './role-ancestry.ts'
import { catalogueIds, linksAtOnceMax, writeLinks } from './role-links.ts'
import { embeddedMax, namedRole, ownerOfPlace, ownerPlaceOfRole } from './roles.ts'

type Form = RoleItem['permission_form']

const without = (patterns: readonly PermissionPattern[], others: readonly PermissionPattern[]) =>
  patterns.filter((pattern) => !others.some((other) => isSamePattern(pattern, other)))

/** The form changes, and what the other form holds no longer counts: one transaction. */
async function turn(context: AccountContext, before: RoleItem, permission_form: Form, own: readonly PermissionPattern[]): Promise<void> {
  const { client_id, id, version } = before
  const change = { permission_form, permissions: own.map(({ module, action, resource }) => ({ module, action, resource })) }
  const steps = { role: updating(Role, { client_id, id }, change, { version }) }
  await writeAudited(context, steps, { entity: Role, id, client_id, before, after: { ...before, ...change } })
}

/** One transaction on the way to the other form; false where there is nothing left to do. Until the form turns, what it has counts unchanged. */
async function step(context: AccountContext, client_id: string | undefined, id: string, form: Form): Promise<boolean> {
  const role = await standingRole(context, client_id, id)
  const linked = await linkedPermissions(context, id)
  if (form === 'linked') {
    if (role.permission_form === 'linked') return false
    await catalogueIds(context, role.permissions)
    const add = without(role.permissions, linked).slice(0, linksAtOnceMax)
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

/** The durable job of `changeRoleForm`. Run again, it goes on from what it finds; a role that is gone, or cannot be turned by now, ends it. */
export async function changeRoleFormJob(job: FlowJob): Promise<void> {
  // Only `changeRoleForm` starts these jobs.
  const { client_id, role_id, form, caller } = job.input as unknown as { client_id?: string; role_id: string; form: Form; caller: unknown }
  const context = jobContext(job, 'changeRoleForm', caller)
  for (let isMore = true; isMore; ) {
    try {
      isMore = await decideAnew(context.table.runtime, () => step(context, client_id, role_id, form), ['AlreadyExists', 'MissingEnd'])
    } catch (error) {
      if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
      isMore = false
    }
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
    if (form === 'linked') await catalogueIds(context, role.permissions)
    const tooMany = invalidInput(context.flow, [{ path: ['permission_form'], message: `is for at most ${embeddedMax} permissions` }])
    if (form === 'embedded' && (await linkedPermissions(context, id)).length > embeddedMax) throw tooMany
    const input = { ...(client_id === undefined ? {} : { client_id }), role_id: id, form, caller: recordedCaller(context.caller) }
    await context.whole.jobs.start('changeRoleForm', { subject: `ROLE#${id}`, input })
    const after = await standingRole(context, client_id, id)
    if (after.permission_form === form) return after
    throw new FreeholdError('VersionConflict', 'The permissions of this role changed meanwhile, so that it kept its form.', {
      entity: Role.name,
    })
  },
})
