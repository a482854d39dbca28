import { checking, count, creating, FreeholdError, flag, type Item, updating, uuid } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { removeItem } from '../../../flow/change-item.ts'
import { given } from '../../../flow/input-attributes.ts'
import { checkNamedVersion, liveItem, requireLive } from '../../../flow/live-item.ts'
import { newItem, returnedItem } from '../../../flow/new-item.ts'
import { permittedToo } from '../../../flow/permitted.ts'
import { writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { itemOf, nothing } from '../../../flow/returns.ts'
import { systemOwner } from '../../deciding/standing.ts'
import { Role, User, UserRoleAssignment } from '../../design.ts'
import { type AccountContext, type AccountScope, flow } from '../account-host.ts'
import * as needs from '../needs.ts'
import { revokingAll } from '../revocation.ts'
import { confirmedGrant, confirming } from '../roles/dangerous.ts'
import { ancestry, permissionsOfRoles, type RoleItem } from '../roles/role-ancestry.ts'
import { scopeNamed, userScope } from '../scope.ts'
import { checkHeld, type End, isWithinEnd } from './held.ts'

type Assignment = Item<typeof UserRoleAssignment>

const consistent = { consistent: true }
const named = given(UserRoleAssignment, 'user_id', 'role_id', 'scope_type', 'scope_id')
const versioned = { ...named, version: count().optional() }

interface Named {
  readonly user_id: string
  readonly role_id: string
  readonly scope_type: Assignment['scope_type']
  readonly scope_id: string
}

/** The place of the scope. Users are no scopes of assignments, so there is always one. */
async function placeOf(context: AccountContext, { scope_type, scope_id }: Named): Promise<AccountScope> {
  const scope = await scopeNamed(context, scope_type, scope_id)
  if (scope === 'own' || scope === 'system') throw new FreeholdError('NotFound', `There is no such ${scope_type} here.`)
  return scope
}

/** A role of the client, or of the system: where it lies is what the assignment says of its owner. */
async function assignableRole({ table }: AccountContext, client_id: string, id: string): Promise<RoleItem> {
  const own = await table.Role.get({ client_id, id }, consistent)
  return requireLive('Role', id, own ?? (await table.Role.get({ id }, consistent)))
}

/** The very role that an assignment gives: ids of roles are unique within their owner only. Throws `NotFound` for another client's. */
async function roleOf({ table }: AccountContext, client_id: string, { role_id: id, role_owner }: Assignment): Promise<RoleItem> {
  const isOurs = role_owner === client_id
  const found = isOurs || role_owner === systemOwner ? await table.Role.get(isOurs ? { client_id, id } : { id }, consistent) : undefined
  return requireLive('Role', id, found)
}

/**
 * User and scope are of one client, unless the user is internal, to whom only operators give roles (spec rule 23): behind the wall, where a calling
 * user works, an internal user is not there, as who is of another client is not. Throws `NotFound`.
 */
async function assignableUser({ table }: AccountContext, client_id: string, id: string): Promise<Item<typeof User>> {
  const user = requireLive('User', id, await table.User.get({ id }, consistent))
  const isInternal = user.client_id === undefined && user.user_type === 'internal'
  if (user.client_id === client_id || isInternal) return user
  throw new FreeholdError('NotFound', `There is no User ${id} at this client.`, { entity: 'User', id })
}

/** The same for an assignment that is there, and may be seen to be an internal user's. Throws `Denied` for that. */
async function extensibleUser(context: AccountContext, client_id: string, id: string): Promise<Item<typeof User>> {
  const { user, flow, table } = context
  if (user !== undefined && (await table.User.get({ id }, consistent)) === undefined) {
    const message = 'Only operators let a role of an internal user last longer: it may be revoked here, or end earlier.'
    throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly' })
  }
  return assignableUser(context, client_id, id)
}

function checkBounds(flow: string, now: string, start_at: string | null | undefined, expires_at: string | null | undefined): void {
  if (expires_at === undefined || expires_at === null) return
  const message = expires_at <= now ? 'is past' : start_at && expires_at <= start_at ? 'is not after start_at' : undefined
  if (message !== undefined) throw invalidInput(flow, [{ path: ['expires_at'], message }], { flow })
}

const isExpired = ({ expires_at }: Assignment, now: string) => expires_at !== undefined && expires_at <= now

/**
 * What the role grants is what the caller holds, for as long, and is confirmed where it is dangerous (spec rule 23); with the roles that
 * grant it, itself first.
 */
async function checkedGrant(
  context: AccountContext,
  role: RoleItem,
  scope: AccountScope,
  until: End,
  confirmed: boolean | null | undefined,
) {
  const roles = await ancestry(context, role.client_id, role.id)
  const granted = await permissionsOfRoles(context, roles)
  await checkHeld(context, granted, scope, until)
  return { roles, confirmed: await confirmedGrant(context, granted, confirmed) }
}

/** That the roles are as they were when what they grant was looked at, and that the user is of the client that it was of. */
function unchanged(roles: readonly RoleItem[], user: Item<typeof User>) {
  const check = ({ client_id, id, version }: RoleItem) => checking(Role, { client_id, id }, { version })
  const checks: Readonly<Record<`role ${string}`, ReturnType<typeof check>>> = Object.fromEntries(
    roles.map((role) => [`role ${role.id}`, check(role)]),
  )
  return {
    ...checks,
    user: checking(User, { id: user.id }, { where: { client_id: user.client_id ?? null } }),
  }
}

function alreadyThere(): FreeholdError {
  const message = 'The user has this role at this scope already: extend it instead.'
  return new FreeholdError('AlreadyExists', message, { entity: UserRoleAssignment.name })
}

/** An assignment of another role lies at its place until it is revoked. */
function otherRole(): FreeholdError {
  const message = 'The user had another role of this id at this scope, which has expired: revoke that first.'
  return new FreeholdError('AlreadyExists', message, { entity: UserRoleAssignment.name })
}

export const assignRole = flow({
  name: 'assignRole',
  summary:
    'Gives a user a role at a client, project or building, perhaps for a time; over one that has expired it begins anew. Only operators give roles to internal users.',
  input: { ...named, ...given(UserRoleAssignment, 'start_at', 'expires_at'), ...confirming },
  needs: needs.assignRole,
  effect: 'write',
  returns: itemOf(UserRoleAssignment),
  scope: placeOf,
  run: async (context, { confirm_dangerous, start_at, expires_at, ...id }, scope) =>
    retryOnConflict(context.table.runtime, async () => {
      const { table } = context
      const now = table.runtime.now().toISOString()
      checkBounds('assignRole', now, start_at, expires_at)
      const user = await assignableUser(context, scope.client_id, id.user_id)
      const role = await assignableRole(context, scope.client_id, id.role_id)
      const there = await table.UserRoleAssignment.get(id, consistent)
      if (there !== undefined && (there.deleting !== undefined || !isExpired(there, now))) throw alreadyThere()
      const role_owner = role.client_id ?? systemOwner
      if (there !== undefined && there.role_owner !== role_owner) throw otherRole()
      const { roles, confirmed } = await checkedGrant(context, role, scope, expires_at ?? null, confirm_dangerous)
      const related = { user: user.id, role: role.id }
      const entry = { entity: UserRoleAssignment, tenant: scope.client_id, related, ...confirmed }
      if (there !== undefined) {
        const bounds = { start_at: start_at ?? null, expires_at: expires_at ?? null, created_by: context.user?.id ?? null }
        const steps = { ...unchanged(roles, user), assignment: updating(UserRoleAssignment, id, bounds, { version: there.version }) }
        const after = { ...there, ...bounds }
        return returnedItem(
          UserRoleAssignment,
          (await writeRecorded(context, steps, { ...entry, id: there.id, before: there, after })).assignment,
        )
      }
      const made = newItem(table.runtime, UserRoleAssignment, {
        ...id,
        role_owner,
        start_at: start_at ?? undefined,
        expires_at: expires_at ?? undefined,
        created_by: context.user?.id,
      })
      const steps = { ...unchanged(roles, user), assignment: creating(UserRoleAssignment, made) }
      const after = { ...made, client_id: scope.client_id }
      return returnedItem(UserRoleAssignment, (await writeRecorded(context, steps, { ...entry, id: String(made.id), after })).assignment)
    }),
})

/** What a later end rests on. An earlier one takes away, as a revocation does, and needs what that needs. */
async function extending(
  context: AccountContext,
  before: Assignment,
  scope: AccountScope,
  until: End,
  confirmed: boolean | null | undefined,
) {
  if (isWithinEnd(until, before.expires_at ?? null)) {
    await permittedToo(context, needs.revokeRole, scope)
    return { steps: {}, confirmed: {} }
  }
  const user = await extensibleUser(context, scope.client_id, before.user_id)
  const role = await roleOf(context, scope.client_id, before)
  const { roles, confirmed: granted } = await checkedGrant(context, role, scope, until, confirmed)
  return { steps: unchanged(roles, user), confirmed: granted }
}

export const extendAssignment = flow({
  name: 'extendAssignment',
  summary:
    'Lets an assignment end later or never, which grants as giving it does, or earlier, which takes the permission to revoke, too. Of an internal user only operators let it end later.',
  input: { ...versioned, ...given(UserRoleAssignment, 'expires_at'), ...confirming },
  needs: needs.assignRole,
  effect: 'write',
  returns: itemOf(UserRoleAssignment),
  scope: placeOf,
  run: async (context, { version, confirm_dangerous, expires_at = null, ...id }, scope) =>
    retryOnConflict(context.table.runtime, async () => {
      const before = await liveItem(context, UserRoleAssignment, id)
      checkNamedVersion(UserRoleAssignment, before.version, version)
      checkBounds('extendAssignment', context.table.runtime.now().toISOString(), before.start_at, expires_at)
      if ((before.expires_at ?? null) === expires_at) return before
      const { steps: more, confirmed } = await extending(context, before, scope, expires_at, confirm_dangerous)
      const steps = { ...more, assignment: updating(UserRoleAssignment, id, { expires_at }, { version: before.version }) }
      const after = { ...before, expires_at: expires_at ?? undefined }
      const entry = { entity: UserRoleAssignment, id: before.id, tenant: scope.client_id, before, after, ...confirmed }
      const related = { user: id.user_id, role: id.role_id }
      return returnedItem(UserRoleAssignment, (await writeRecorded(context, steps, { ...entry, related })).assignment)
    }),
})

export const revokeRole = flow({
  name: 'revokeRole',
  summary: 'Takes a role at a client, project or building from a user, also from an internal one.',
  input: versioned,
  needs: needs.revokeRole,
  effect: 'write',
  returns: nothing,
  scope: placeOf,
  run: async (context, { version, ...id }) =>
    removeItem(context, UserRoleAssignment, id, { version, entry: { related: { user: id.user_id, role: id.role_id } } }),
})

export const revokingAllRoles = revokingAll<Assignment>({
  flow: 'revokeAllRoles',
  needs: needs.revokeAllRoles,
  left: async function* ({ table }, user_id, client_id) {
    for await (const each of table.rolesOfUser.all({ user_id }, consistent))
      if (client_id === undefined || each.client_id === client_id) yield each
  },
  // One that was over may have begun anew since it was created.
  givenAt: ({ updated_at }) => updated_at,
  revoke: async (acting, { user_id, role_id, scope_type, scope_id }, until) =>
    removeItem(
      acting,
      UserRoleAssignment,
      { user_id, role_id, scope_type, scope_id },
      {
        entry: { related: { user: user_id, role: role_id } },
        check: ({ updated_at }) => {
          if (updated_at > until) throw new FreeholdError('NotFound', 'This was given since.', { entity: UserRoleAssignment.name })
        },
      },
    ),
})

export const revokeAllRoles = flow({
  name: 'revokeAllRoles',
  summary: 'Takes all roles from a user, by a durable job.',
  input: { user_id: uuid(), wait: flag().optional() },
  needs: needs.revokeAllRoles,
  effect: 'write',
  returns: nothing,
  scope: async (context, { user_id }) => userScope(context, user_id),
  run: async (context, { user_id, wait }, scope) => revokingAllRoles.start(context, user_id, scope, wait ?? true),
})
