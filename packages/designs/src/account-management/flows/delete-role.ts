import {
  creating,
  type FlowJob,
  FreeholdError,
  flag,
  type Item,
  invalidInput,
  isFreeholdError,
  oneOf,
  removing,
  updating,
  uuid,
} from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { Role, UserRoleAssignment } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { type AuditEntry, writeAudited } from './audited.ts'
import { checkNamedVersion, removeAudited } from './change-audited.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { checkHeld } from './held.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import type { Place } from './place.ts'
import { grantedByRole, type RoleItem, standingRole } from './role-ancestry.ts'
import { namedRole, ownerOfPlace, ownerPlaceOfRole } from './roles.ts'

const consistent = { consistent: true }

type Assignment = Item<typeof UserRoleAssignment>
type Bounds = Pick<Assignment, 'start_at' | 'expires_at'>

interface Reassignment {
  readonly client_id?: string | undefined
  readonly role_id: string
  readonly to: string
  /** Where the other role lies: its client's id, or SYSTEM. */
  readonly to_owner: string
  readonly severity: NonNullable<AuditEntry['severity']>
}

/** From the earlier start to the later end; without a bound where one of them has none. */
function widest(one: Bounds, other: Bounds): { start_at: string | null; expires_at: string | null } {
  const pick = (a: string | undefined, b: string | undefined, isFirst: boolean) =>
    a === undefined || b === undefined ? null : a < b === isFirst ? a : b
  return { start_at: pick(one.start_at, other.start_at, true), expires_at: pick(one.expires_at, other.expires_at, false) }
}

/** One assignment of the role becomes one of the other, at the same scope, for the same time; over one that is there both are one. */
async function reassign(
  context: AccountContext,
  holder: Pick<Assignment, 'user_id' | 'scope_type' | 'scope_id'>,
  how: Reassignment,
): Promise<void> {
  const { user_id, scope_type, scope_id } = holder
  const { table } = context
  const place = { user_id, scope_type, scope_id }
  const before = await table.UserRoleAssignment.get({ ...place, role_id: how.role_id }, consistent)
  if (before === undefined || before.deleting !== undefined) return
  const there = await table.UserRoleAssignment.get({ ...place, role_id: how.to }, consistent)
  const now = table.runtime.now().toISOString()
  const isOver = ({ expires_at }: Bounds) => expires_at !== undefined && expires_at <= now
  const { start_at = null, expires_at = null, created_by = null } = before
  const gone = removing(UserRoleAssignment, { ...place, role_id: how.role_id }, { version: before.version })
  const entry = { entity: UserRoleAssignment, client_id: before.client_id, before, severity: how.severity }
  const related = { user: user_id, role: how.role_id, to_role: how.to }
  if (isOver(before)) {
    await writeAudited(context, { gone }, { ...entry, id: before.id, related: { user: user_id, role: how.role_id } })
  } else if (there === undefined) {
    const after = {
      id: table.runtime.making().uuid(),
      ...place,
      role_id: how.to,
      role_owner: how.to_owner,
      start_at,
      expires_at,
      created_by,
    }
    const steps = { gone, fresh: creating(UserRoleAssignment, after) }
    await writeAudited(context, steps, { ...entry, id: after.id, after: { ...after, client_id: before.client_id }, related })
  } else {
    const bounds = isOver(there) ? { start_at, expires_at } : widest(before, there)
    const steps = { gone, kept: updating(UserRoleAssignment, { ...place, role_id: how.to }, bounds, { version: there.version }) }
    await writeAudited(context, steps, { ...entry, id: there.id, after: { ...there, ...bounds }, related })
  }
}

/** What says that an assignment is no longer there to be moved, or its user or scope on the way out: the rest goes on. */
const passedOver = ['NotFound', 'BeingDeleted', 'MissingEnd'] as const

async function reassignAll(job: FlowJob, context: AccountContext, how: Reassignment): Promise<number> {
  let count = 0
  for await (const holder of context.table.holdersOfRole.all({ role_id: how.role_id }, consistent)) {
    try {
      await decideAnew(context.table.runtime, () => reassign(context, holder, how), ['AlreadyExists'])
      count++
    } catch (error) {
      if (!passedOver.some((code) => isFreeholdError(error, code))) throw error
    }
    await job.advance(1)
  }
  return count
}

/** The durable job of a deletion with reassignment. Run again, it goes on with the assignments that are left. */
export async function reassignRoleJob(job: FlowJob): Promise<void> {
  // Only `deleteRole` starts these jobs.
  const { caller, ...how } = job.input as unknown as Reassignment & { readonly caller: unknown }
  const context = jobContext(job, 'deleteRole', caller)
  for (;;) {
    const count = await reassignAll(job, context, how)
    try {
      return await removeAudited(context, Role, { client_id: how.client_id, id: how.role_id }, { entry: { related: { to_role: how.to } } })
    } catch (error) {
      if (isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'BeingDeleted')) return
      // Somebody was given the role meanwhile; or nothing that can be moved keeps it: then it stays, and the caller is told so.
      if (!isFreeholdError(error, 'InUse')) throw error
      if (count === 0) return
    }
  }
}

/** The role that takes over: of the same client, or of the system. Throws `NotFound`, `InvalidInput` for the role itself. */
async function successor(context: AccountContext, client_id: string | undefined, role_id: string, to: string): Promise<RoleItem> {
  if (to === role_id) throw invalidInput(context.flow, [{ path: ['reassign_to'], message: 'is the role itself' }], { flow: context.flow })
  if (client_id === undefined) return standingRole(context, undefined, to)
  const own = await context.table.Role.get({ client_id, id: to }, consistent)
  return standingRole(context, own === undefined ? undefined : client_id, to)
}

interface ReassigningRole {
  readonly id: string
  readonly reassign_to: string
  readonly confirm_dangerous?: boolean | null | undefined
  readonly wait?: boolean | null | undefined
}

async function deleteReassigning(context: AccountContext, asked: ReassigningRole, place: Place | 'system'): Promise<void> {
  const { id, reassign_to: to, confirm_dangerous, wait } = asked
  const client_id = ownerOfPlace(place)
  const { client_id: of } = await successor(context, client_id, id, to)
  const [child] = (await context.table.childrenOfRole({ parent_role_id: id }, { ...consistent, limit: 1 })).items
  if (child !== undefined) throw new FreeholdError('InUse', 'This Role is in use by a Role.', { entity: Role.name, user: Role.name })
  const granted = await grantedByRole(context, of, to)
  await checkHeld(context, granted, place)
  const { severity = 'info' } = await confirmedGrant(context, granted, confirm_dangerous)
  const input = {
    ...(client_id === undefined ? {} : { client_id }),
    ...{ role_id: id, to, to_owner: of ?? 'SYSTEM', severity, caller: recordedCaller(context.caller) },
  }
  await context.whole.jobs.start('reassignRole', { subject: `ROLE#${id}`, input, wait: wait ?? true })
  if (wait === false) return
  const left = await context.table.Role.get({ client_id, id }, consistent)
  if (left !== undefined && left.deleting === undefined)
    throw new FreeholdError('InUse', 'This Role is still in use: something keeps it that could not be moved.', { entity: Role.name })
}

export const deleteRole = accountFlow({
  name: 'deleteRole',
  summary:
    'Deletes a role. In use it is refused, unless asked to cascade (its assignments go, and the roles beneath it with theirs) or to reassign to another role.',
  input: {
    ...namedRole,
    in_use: oneOf('cascade').optional(),
    reassign_to: uuid().optional(),
    ...confirming,
    wait: flag().optional(),
  },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, in_use, reassign_to, confirm_dangerous, wait }, place): Promise<void> => {
    const client_id = ownerOfPlace(place)
    if (reassign_to === undefined || reassign_to === null)
      return removeAudited(context, Role, { client_id, id }, { version, inUse: in_use ?? undefined, wait })
    if (in_use === 'cascade')
      throw invalidInput(context.flow, [{ path: ['in_use'], message: 'takes away what reassign_to would move' }], { flow: context.flow })
    checkNamedVersion(Role, (await standingRole(context, client_id, id)).version, version)
    return deleteReassigning(context, { id, reassign_to, confirm_dangerous, wait }, place)
  },
})
