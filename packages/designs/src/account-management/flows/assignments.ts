import {
  checking,
  count,
  creating,
  type FlowJob,
  FreeholdError,
  flag,
  type Item,
  invalidInput,
  isFreeholdError,
  updating,
  uuid,
} from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { Role, User, UserRoleAssignment } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { checkNamedVersion, removeAudited, standingItem } from './change-audited.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { checkHeld } from './held.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { type Place, scopePlace, standing, userPlace } from './place.ts'
import { grantedByRole, type RoleItem } from './role-ancestry.ts'

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
async function placeOf(context: AccountContext, { scope_type, scope_id }: Named): Promise<Place> {
  const place = await scopePlace(context, scope_type, scope_id)
  if (place === 'own' || place === 'system') throw new FreeholdError('NotFound', `There is no such ${scope_type} here.`)
  return place
}

/** A role of the client, or of the system: where it lies is what the assignment says of its owner. */
async function assignableRole({ table }: AccountContext, client_id: string, id: string): Promise<RoleItem> {
  const own = await table.Role.get({ client_id, id }, consistent)
  return standing('Role', id, own ?? (await table.Role.get({ id }, consistent)))
}

/** User and scope are of one client, unless the user is internal. Throws `NotFound`: who is of another client is not there. */
async function assignableUser({ table }: AccountContext, client_id: string, id: string): Promise<Item<typeof User>> {
  const user = standing('User', id, await table.User.get({ id }, consistent))
  const isInternal = user.client_id === undefined && user.user_type === 'internal'
  if (user.client_id === client_id || isInternal) return user
  throw new FreeholdError('NotFound', `There is no User ${id} at this client.`, { entity: 'User', id })
}

function checkBounds(flow: string, now: string, start_at: string | null | undefined, expires_at: string | null | undefined): void {
  if (expires_at === undefined || expires_at === null) return
  const message = expires_at <= now ? 'is past' : start_at && expires_at <= start_at ? 'is not after start_at' : undefined
  if (message !== undefined) throw invalidInput(flow, [{ path: ['expires_at'], message }], { flow })
}

const isOver = ({ expires_at }: Assignment, now: string) => expires_at !== undefined && expires_at <= now

/** What the role grants is what the caller holds, and is confirmed where it is dangerous (spec rule 23). */
async function checkedGrant(context: AccountContext, role: RoleItem, place: Place, confirmed: boolean | null | undefined) {
  const granted = await grantedByRole(context, role.client_id, role.id)
  await checkHeld(context, granted, place)
  return confirmedGrant(context, granted, confirmed)
}

/** That the role is as it was when what it grants was looked at. */
function unchangedRole({ client_id, id, version }: RoleItem) {
  return checking(Role, { client_id, id }, { version })
}

/** The same, and that the user is of the client that it was of. */
function unchanged(role: RoleItem, user: Item<typeof User>) {
  return {
    role: unchangedRole(role),
    user: checking(User, { id: user.id }, { where: { client_id: user.client_id ?? null } }),
  }
}

function alreadyThere(): FreeholdError {
  const message = 'The user has this role at this scope already: extend it instead.'
  return new FreeholdError('AlreadyExists', message, { entity: UserRoleAssignment.name })
}

export const assignRole = accountFlow({
  name: 'assignRole',
  summary: 'Gives a user a role at a client, project or building, perhaps for a time; over one that has expired it begins anew.',
  input: { ...named, ...given(UserRoleAssignment, 'start_at', 'expires_at'), ...confirming },
  place: placeOf,
  run: async (context, { confirm_dangerous, start_at, expires_at, ...id }, place): Promise<Assignment> =>
    decideAnew(context.table.runtime, async () => {
      const { table } = context
      const now = table.runtime.now().toISOString()
      checkBounds('assignRole', now, start_at, expires_at)
      const user = await assignableUser(context, place.client_id, id.user_id)
      const role = await assignableRole(context, place.client_id, id.role_id)
      const there = await table.UserRoleAssignment.get(id, consistent)
      if (there !== undefined && (there.deleting !== undefined || !isOver(there, now))) throw alreadyThere()
      const confirmed = await checkedGrant(context, role, place, confirm_dangerous)
      const related = { user: user.id, role: role.id }
      const entry = { entity: UserRoleAssignment, client_id: place.client_id, related, ...confirmed }
      if (there !== undefined) {
        const bounds = { start_at: start_at ?? null, expires_at: expires_at ?? null, created_by: context.user?.id ?? null }
        const steps = { ...unchanged(role, user), assignment: updating(UserRoleAssignment, id, bounds, { version: there.version }) }
        const after = { ...there, ...bounds }
        return givenBack(
          UserRoleAssignment,
          (await writeAudited(context, steps, { ...entry, id: there.id, before: there, after })).assignment,
        )
      }
      const made = madeItem(table.runtime, UserRoleAssignment, {
        ...id,
        role_owner: role.client_id ?? 'SYSTEM',
        start_at: start_at ?? undefined,
        expires_at: expires_at ?? undefined,
        created_by: context.user?.id,
      })
      const steps = { ...unchanged(role, user), assignment: creating(UserRoleAssignment, made) }
      const after = { ...made, client_id: place.client_id }
      return givenBack(UserRoleAssignment, (await writeAudited(context, steps, { ...entry, id: String(made.id), after })).assignment)
    }),
})

export const extendAssignment = accountFlow({
  name: 'extendAssignment',
  summary: 'Lets an assignment end later or earlier, or never.',
  input: { ...versioned, ...given(UserRoleAssignment, 'expires_at'), ...confirming },
  place: placeOf,
  run: async (context, { version, confirm_dangerous, expires_at = null, ...id }, place): Promise<Assignment> =>
    decideAnew(context.table.runtime, async () => {
      const before = await standingItem(context, UserRoleAssignment, id)
      checkNamedVersion(UserRoleAssignment, before.version, version)
      checkBounds('extendAssignment', context.table.runtime.now().toISOString(), before.start_at, expires_at)
      const role = await assignableRole(context, place.client_id, id.role_id)
      const confirmed = await checkedGrant(context, role, place, confirm_dangerous)
      const steps = {
        role: unchangedRole(role),
        assignment: updating(UserRoleAssignment, id, { expires_at }, { version: before.version }),
      }
      const after = { ...before, expires_at: expires_at ?? undefined }
      const entry = { entity: UserRoleAssignment, id: before.id, client_id: place.client_id, before, after, ...confirmed }
      const related = { user: id.user_id, role: id.role_id }
      return givenBack(UserRoleAssignment, (await writeAudited(context, steps, { ...entry, related })).assignment)
    }),
})

export const revokeRole = accountFlow({
  name: 'revokeRole',
  summary: 'Takes a role at a client, project or building from a user.',
  input: versioned,
  place: placeOf,
  run: async (context, { version, ...id }): Promise<void> =>
    removeAudited(context, UserRoleAssignment, id, { version, entry: { related: { user: id.user_id, role: id.role_id } } }),
})

interface Revoking {
  readonly user_id: string
  /** Undefined: at whichever client, as for an internal user. */
  readonly client_id?: string | undefined
}

/** The durable job of `revokeAllRoles`. Run again, it goes on with what is left. */
export async function revokeAllRolesJob(job: FlowJob): Promise<void> {
  // Only `revokeAllRoles` starts these jobs.
  const { caller, user_id, client_id } = job.input as unknown as Revoking & { readonly caller: unknown }
  const context = jobContext(job, 'revokeAllRoles', caller)
  for await (const { role_id, scope_type, scope_id, ...assignment } of context.table.rolesOfUser.all({ user_id }, consistent)) {
    if (client_id !== undefined && assignment.client_id !== client_id) continue
    const entry = { related: { user: user_id, role: role_id } }
    try {
      await removeAudited(context, UserRoleAssignment, { user_id, role_id, scope_type, scope_id }, { entry })
    } catch (error) {
      // Somebody else revoked it, or its user or scope is on the way out and takes it along.
      if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
    }
    await job.advance(1)
  }
}

export const revokeAllRoles = accountFlow({
  name: 'revokeAllRoles',
  summary: 'Takes all roles from a user, by a durable job.',
  input: { user_id: uuid(), wait: flag().optional() },
  place: async (context, { user_id }) => userPlace(context, user_id),
  run: async (context, { user_id, wait }, place): Promise<void> => {
    const client_id = place === 'system' ? undefined : place.client_id
    const input = { user_id, ...(client_id === undefined ? {} : { client_id }), caller: recordedCaller(context.caller) }
    await context.whole.jobs.start('revokeAllRoles', { subject: `USER#${user_id}`, input, wait: wait ?? true })
  },
})
