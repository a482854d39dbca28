import { changeErrors, checkNamedVersion, type InputOf, nothing, permit, removeItem } from '@freehold/frame/flow'
import { FreeholdError, flag, isFreeholdError, oneOf, uuid } from '@freehold/table'
import { consistent, invalidInput } from '@freehold/table/runtime'
import { systemOwner } from '../../access.ts'
import { Role, UserRoleAssignment } from '../../design.ts'
import { type AccountContext, type AccountScope, flow } from '../account-host.ts'
import { checkHeld, type End, laterEnd } from '../assignments/grant-ceiling.ts'
import * as needs from '../needs.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { digestOf, isOfRole, reassigningRole } from './reassign-role.ts'
import { grantedByRole, liveRole, type RoleItem } from './role-ancestry.ts'
import { namedRole, ownerOfScope, scopeOfRole } from './role-scope.ts'

/** The role that takes over: of the same client, or of the system. Throws `NotFound`, `InvalidInput` for the role itself. */
async function successor(context: AccountContext, client_id: string | undefined, role_id: string, to: string): Promise<RoleItem> {
  if (to === role_id) throw invalidInput(context.flow, [{ path: ['reassign_to'], message: 'is the role itself' }], { flow: context.flow })
  if (client_id === undefined) return liveRole(context, undefined, to)
  const own = await context.table.Role.get({ client_id, id: to }, consistent)
  return liveRole(context, own === undefined ? undefined : client_id, to)
}

/** The end of the last assignment of a role; undefined for a role without assignments that are live. */
async function latestEnd({ table }: AccountContext, client_id: string | undefined, role_id: string): Promise<End | undefined> {
  const now = table.runtime.now().toISOString()
  let latest: End | undefined
  for await (const { expires_at = null, ...holder } of table.holdersOfRole.all({ role_id }, consistent))
    if (isOfRole(holder, client_id) && (expires_at === null || expires_at > now))
      latest = latest === undefined ? expires_at : laterEnd(latest, expires_at)
  return latest
}

/** Says why a role stays, and how to go on. */
function inUse(by: typeof Role | typeof UserRoleAssignment, cause?: unknown): FreeholdError {
  const message =
    by === Role
      ? `There are roles beneath this role: give them another parent, or take them along with in_use: "cascade".`
      : `This role is assigned to users: take their assignments along with in_use: "cascade", or name the role that they get instead with reassign_to.`
  return new FreeholdError('InUse', message, { entity: Role.name, user: by.name }, { cause })
}

/** Says how to go on, if a removal is refused. */
async function sayingHow(removal: Promise<void>): Promise<void> {
  return removal.catch((error: unknown) => {
    if (!isFreeholdError(error, 'InUse')) throw error
    throw inUse(error.details.user === Role.name ? Role : UserRoleAssignment, error)
  })
}

const deleting = {
  ...namedRole,
  in_use: oneOf('cascade').optional(),
  reassign_to: uuid().optional(),
  ...confirming,
  wait: flag().optional(),
}

const stillInUse =
  'This role is still in use: something keeps it that could not be moved, as an assignment that was given meanwhile, or one of an internal user, whom only operators give a role. The audit tells more; try again, or with in_use: "cascade".'

async function deleteReassigning(
  context: AccountContext,
  to: string,
  { id, confirm_dangerous, wait }: InputOf<typeof deleting>,
  scope: AccountScope | 'system',
): Promise<void> {
  const client_id = ownerOfScope(scope)
  const { client_id: of } = await successor(context, client_id, id, to)
  for await (const child of context.table.childrenOfRole.all({ parent_role_id: id }, consistent))
    if (child.client_id === client_id) throw inUse(Role)
  const granted = await grantedByRole(context, of, to)
  const until = context.user === undefined ? undefined : await latestEnd(context, client_id, id)
  await checkHeld(context, [{ granted, until }], scope)
  const { severity = 'info' } = await confirmedGrant(context, granted, confirm_dangerous)
  const input = { client_id, role_id: id, to, to_owner: of ?? systemOwner, granted: digestOf(granted), severity }
  const why = await reassigningRole.start(context, input, { wait: wait ?? true })
  if (wait === false) return
  const left = await context.table.Role.get({ client_id, id }, consistent)
  if (left !== undefined && left.deleting === undefined)
    throw why !== undefined && why.code !== 'InUse'
      ? why
      : new FreeholdError('InUse', stillInUse, { entity: Role.name, user: UserRoleAssignment.name })
}

export const deleteRole = flow({
  name: 'deleteRole',
  summary:
    'Deletes a role. In use it is refused, unless asked to cascade (its assignments go, and the roles beneath it with theirs), which needs what revokeRole needs too, or to reassign to another role, which needs what assignRole needs as well.',
  input: deleting,
  needs: needs.deleteRole,
  effect: 'write',
  writes: { remove: Role },
  returns: nothing,
  errors: [...changeErrors, 'InUse'],
  scope: scopeOfRole,
  run: async (context, asked, scope) => {
    const { id, version, in_use, reassign_to, wait } = asked
    const client_id = ownerOfScope(scope)
    const isReassigning = reassign_to !== undefined && reassign_to !== null
    // Its users lose their assignments, and get others.
    if (isReassigning || in_use === 'cascade') await permit(context, needs.revokeRole, scope)
    if (isReassigning) await permit(context, needs.assignRole, scope)
    if (!isReassigning) return sayingHow(removeItem(context, Role, { client_id, id }, { version, inUse: in_use ?? undefined, wait }))
    if (in_use === 'cascade')
      throw invalidInput(context.flow, [{ path: ['in_use'], message: 'takes away what reassign_to would move' }], { flow: context.flow })
    checkNamedVersion(Role, (await liveRole(context, client_id, id)).version, version)
    return deleteReassigning(context, reassign_to, asked, scope)
  },
})
