import {
  type Alongside,
  actorText,
  changeAsRead,
  createErrors,
  createItem,
  given,
  idOfItem,
  itemOf,
  permit,
  removeItem,
  requireLive,
  retryOnConflict,
} from '@freehold/frame/flow'
import { checking, FreeholdError, type Item } from '@freehold/table'
import { consistent, invalidInput, parallel } from '@freehold/table/runtime'
import { systemOwner } from '../../access.ts'
import { Role, User, UserRoleAssignment } from '../../design.ts'
import { type AccountContext, type AccountScope, flow, itemFlows } from '../account-host.ts'
import * as needs from '../needs.ts'
import { revokingAll } from '../revocation.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { ancestry, checkingChain, permissionsOfRoles, type RoleItem } from '../roles/role-ancestry.ts'
import { scopeNamed, userScope } from '../scope.ts'
import { checkHeld, type End, isWithinEnd } from './grant-ceiling.ts'

type Assignment = Item<typeof UserRoleAssignment>

const named = given(UserRoleAssignment, 'user_id', 'role_id', 'scope_type', 'scope_id')

/** The scope of an assignment: a client, project or building. */
async function scope(
  context: AccountContext,
  { scope_type, scope_id }: Pick<Assignment, 'scope_type' | 'scope_id'>,
): Promise<AccountScope> {
  const found = await scopeNamed(context, scope_type, scope_id)
  if (found === 'own' || found === 'system') throw new FreeholdError('NotFound', `There is no such ${scope_type} here.`)
  return found
}

const assignment = itemFlows(UserRoleAssignment, { scope })

/** A role of the client, or of the system. */
async function assignableRole({ table }: AccountContext, client_id: string, id: string): Promise<RoleItem> {
  const own = await table.Role.get({ client_id, id }, consistent)
  return requireLive('Role', id, own ?? (await table.Role.get({ id }, consistent)))
}

/**
 * The role of an assignment: by its owner, too, since ids of roles are unique within their owner only. If the assignment does not say whose role it is, the
 * client's comes first. Throws `NotFound` for another client's.
 */
async function roleOf(context: AccountContext, client_id: string, { role_id: id, role_owner }: Assignment): Promise<RoleItem> {
  if (role_owner === undefined) return assignableRole(context, client_id, id)
  const { table } = context
  const isOurs = role_owner === client_id
  const found = isOurs || role_owner === systemOwner ? await table.Role.get(isOurs ? { client_id, id } : { id }, consistent) : undefined
  return requireLive('Role', id, found)
}

/**
 * User and scope are of one client, or the user is internal. Only operators give roles to internal users (spec rule 23): a calling user works within
 * its tenant scope, where no internal user is found. Throws `NotFound`.
 */
async function assignableUser({ table }: AccountContext, client_id: string, id: string): Promise<Item<typeof User>> {
  const user = requireLive('User', id, await table.User.get({ id }, consistent))
  const isInternal = user.client_id === undefined && user.user_type === 'internal'
  if (user.client_id === client_id || isInternal) return user
  throw new FreeholdError('NotFound', `There is no User ${id} at this client.`, { entity: 'User', id })
}

/** The same for an assignment that is there. Throws `Denied` if its user is internal. */
async function extensibleUser(context: AccountContext, client_id: string, id: string): Promise<Item<typeof User>> {
  const { user, flow, table } = context
  if (user !== undefined && (await table.User.get({ id }, consistent)) === undefined) {
    const message = 'Only operators let a role of an internal user last longer: it may be revoked here, or end earlier.'
    throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly' })
  }
  return assignableUser(context, client_id, id)
}

function checkBounds({ table, flow }: AccountContext, start_at: End | undefined, expires_at: End | undefined): void {
  if (expires_at === undefined || expires_at === null) return
  const isPast = expires_at <= table.runtime.now().toISOString()
  const message = isPast ? 'is past' : start_at && expires_at <= start_at ? 'is not after start_at' : undefined
  if (message !== undefined) throw invalidInput(flow, [{ path: ['expires_at'], message }], { flow })
}

const isExpired = ({ expires_at }: Assignment, now: string) => expires_at !== undefined && expires_at <= now

/** A role that a user is to have at a scope. */
interface Grant {
  readonly user: Item<typeof User>
  readonly role: RoleItem
  readonly scope: AccountScope
  readonly until: End
  readonly confirm_dangerous: boolean | null | undefined
}

/**
 * Holds a caller to what it grants: it has that itself, for as long, and confirms what is dangerous (spec rule 23). The steps check that the roles
 * still grant the same, and that the user is of the same client.
 */
async function granting(context: AccountContext, { user, role, scope, until, confirm_dangerous }: Grant): Promise<Alongside> {
  const roles = await ancestry(context, role.client_id, role.id)
  const granted = await permissionsOfRoles(context, roles)
  const [, confirmed] = await parallel(
    () => checkHeld(context, [{ granted, until }], scope),
    () => confirmedGrant(context, granted, confirm_dangerous),
  )
  const ofUser = checking(User, { id: user.id }, { where: { client_id: user.client_id ?? null } })
  return { steps: { ...checkingChain(roles), user: ofUser }, entry: { related: { user: user.id, role: role.id }, ...confirmed } }
}

const alreadyThere = 'The user has this role at this scope already: extend it instead.'
const otherRole = 'The user had another role of this id at this scope, which has expired: revoke that first.'
const taken = (message: string) => new FreeholdError('AlreadyExists', message, { entity: UserRoleAssignment.name })

const assignRole = flow({
  name: 'assignRole',
  summary:
    'Gives a user a role at a client, project or building, perhaps for a time; an expired assignment begins anew. Only operators give roles to internal users.',
  input: { ...named, ...given(UserRoleAssignment, 'start_at', 'expires_at'), ...confirming },
  needs: needs.assignRole,
  effect: 'write',
  writes: { create: UserRoleAssignment },
  returns: itemOf(UserRoleAssignment),
  errors: createErrors,
  scope,
  reads: ({ role_id, ...input }) => [
    [UserRoleAssignment, { ...input, role_id }],
    [User, { id: input.user_id }],
    [Role, { id: role_id, client_id: input.scope_type === 'client' ? input.scope_id : undefined }],
  ],
  run: async (context, { confirm_dangerous, start_at, expires_at, ...id }, scope) =>
    retryOnConflict(context.table.runtime, async () => {
      const { table } = context
      const now = table.runtime.now().toISOString()
      checkBounds(context, start_at, expires_at)
      const user = await assignableUser(context, scope.client_id, id.user_id)
      const role = await assignableRole(context, scope.client_id, id.role_id)
      const there = await table.UserRoleAssignment.get(id, consistent)
      if (there !== undefined && (there.deleting !== undefined || !isExpired(there, now))) throw taken(alreadyThere)
      const role_owner = role.client_id ?? systemOwner
      // An assignment of another role has the same key until it is revoked.
      if (there?.role_owner !== undefined && there.role_owner !== role_owner) throw taken(otherRole)
      const until = expires_at ?? null
      const alongside = await granting(context, { user, role, scope, until, confirm_dangerous })
      const created_by = actorText(context.caller)
      if (there !== undefined) {
        const bounds = {
          ...(there.role_owner === undefined ? { role_owner } : {}),
          start_at: start_at ?? null,
          expires_at: until,
          created_by,
        }
        return changeAsRead(context, UserRoleAssignment, there, bounds, alongside)
      }
      const made = { ...id, role_owner, start_at: start_at ?? undefined, expires_at: expires_at ?? undefined, created_by }
      return createItem(context, UserRoleAssignment, made, { tenant: scope.client_id, ...alongside })
    }),
})

const extendAssignment = assignment.update({
  name: 'extendAssignment',
  summary:
    'Lets an assignment end later or never, which grants as giving it does, or earlier, which takes the permission to revoke, too. Of an internal user only operators let it end later.',
  input: { ...given(UserRoleAssignment, 'expires_at'), ...confirming },
  needs: needs.assignRole,
  check: ({ context, input }, { start_at }) => checkBounds(context, start_at, input.expires_at),
  change: ({ input: { expires_at = null } }) => ({ expires_at }),
  alongside: async ({ context, input, scope }, before) => {
    const { expires_at: until = null, confirm_dangerous } = input
    if (isWithinEnd(until, before.expires_at ?? null)) {
      // An earlier end takes away, as a revocation does.
      await permit(context, needs.revokeRole, scope)
      return { entry: { related: { user: before.user_id, role: before.role_id } } }
    }
    const user = await extensibleUser(context, scope.client_id, before.user_id)
    const role = await roleOf(context, scope.client_id, before)
    return granting(context, { user, role, scope, until, confirm_dangerous })
  },
})

const revokeRole = assignment.remove({
  name: 'revokeRole',
  summary: 'Takes a role at a client, project or building from a user, also from an internal one.',
  needs: needs.revokeRole,
  alongside: ({ input }) => ({ entry: { related: { user: input.user_id, role: input.role_id } } }),
})

export const revokingAllRoles = revokingAll<Assignment>({
  name: 'revokeAllRoles',
  summary: 'Takes all roles from a user, by a durable job.',
  needs: needs.revokeAllRoles,
  scope: userScope,
  left: async function* ({ table }, user_id, client_id) {
    for await (const each of table.rolesOfUser.all({ user_id }, consistent))
      if (client_id === undefined || each.client_id === client_id) yield each
  },
  // An expired one may have begun anew since it was created.
  givenAt: ({ updated_at = '' }) => updated_at,
  revoke: async (acting, given, until) =>
    removeItem(acting, UserRoleAssignment, idOfItem(UserRoleAssignment, given), {
      alongside: () => ({ entry: { related: { user: given.user_id, role: given.role_id } } }),
      check: ({ updated_at }) => {
        if (updated_at !== undefined && updated_at > until)
          throw new FreeholdError('NotFound', 'This was given since.', { entity: UserRoleAssignment.name })
      },
    }),
})

const revokeAllRoles = revokingAllRoles.flow

export const assignmentFlows = { assignRole, extendAssignment, revokeRole, revokeAllRoles } as const
