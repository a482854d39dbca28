import { createHash } from 'node:crypto'
import {
  checking,
  creating,
  FreeholdError,
  type Item,
  isFreeholdError,
  oneOf,
  removing,
  type Steps,
  text,
  updating,
  uuid,
} from '@freehold/table'
import { removeOrphan } from '@freehold/table/runtime'
import { removeItem } from '../../../flow/change-item.ts'
import { permittedAgain } from '../../../flow/permitted.ts'
import type { InputOf } from '../../../flow/read-input.ts'
import { recordAlone, writeRecorded } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { systemOwner } from '../../deciding/standing.ts'
import { Role, RoleHolder, ScopeAssignment, UserRoleAssignment } from '../../design.ts'
import { permissionText } from '../../permission/permission.ts'
import type { AccountContext, AccountScope } from '../account-host.ts'
import { job } from '../account-host.ts'
import { checkHeld, type End, laterEnd } from '../assignments/held.ts'
import * as needs from '../needs.ts'
import type { PermissionPattern } from './permission-pattern.ts'
import { ancestry, permissionsOfRoles } from './role-ancestry.ts'
import { scopeOfOwner } from './role-scope.ts'

const consistent = { consistent: true }

type Assignment = Item<typeof UserRoleAssignment>
type Holder = Item<typeof RoleHolder>
type Bounds = Pick<Assignment, 'start_at' | 'expires_at'>

/** What a deletion with reassignment was asked for. */
export const reassignment = {
  client_id: uuid().optional(),
  role_id: uuid(),
  to: uuid(),
  /** Where the other role lies: its client's id, or SYSTEM. */
  to_owner: text(),
  /** What the other role granted then, as a digest: what it came to grant since was neither held nor confirmed by anybody. */
  granted: text(),
  severity: oneOf('info', 'warning', 'critical'),
}
export type Reassignment = InputOf<typeof reassignment>

/** One text for what a role grants, however its permissions are ordered. */
export function digestOf(granted: readonly PermissionPattern[]): string {
  const texts = granted.map(permissionText).sort()
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** True for an assignment of this very role: ids of roles are unique within their owner only. */
export function isOfRole({ role_owner, client_id }: Pick<Assignment, 'role_owner' | 'client_id'>, owner: string | undefined): boolean {
  return owner === undefined ? role_owner === systemOwner : role_owner === owner && client_id === owner
}

interface Taking {
  readonly granted: readonly PermissionPattern[]
  /** That the role and all above it are as they were when what it grants was looked at. */
  readonly steps: Steps
}

/** What takes over, as it is now. Read again for each move: only what it grants is kept while its roles have the same versions. */
function takingOver(how: Reassignment): (context: AccountContext) => Promise<Taking> {
  let known: { readonly versions: string; readonly granted: readonly PermissionPattern[] } | undefined
  const of = how.to_owner === systemOwner ? undefined : how.to_owner
  const changed = () =>
    new FreeholdError('VersionConflict', 'The role that takes over does not grant what it did when this was asked for.', {
      entity: Role.name,
      named: true,
    })
  return async (context) => {
    const chain = await ancestry(context, of, how.to).catch((error: unknown) => {
      throw isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'BeingDeleted') ? changed() : error
    })
    const versions = chain.map(({ id, version }) => `${id} ${version}`).join()
    if (known?.versions !== versions) known = { versions, granted: await permissionsOfRoles(context, chain) }
    const { granted } = known
    if (digestOf(granted) !== how.granted) throw changed()
    const steps = chain.map(({ client_id, id, version }) => [`to ${id}`, checking(Role, { client_id, id }, { version })] as const)
    return { granted, steps: Object.fromEntries(steps) }
  }
}

/** From the earlier start to the later end; without a bound where one of them has none. */
function widest(one: Bounds, other: Bounds): { start_at: End; expires_at: End } {
  const { start_at: first, expires_at = null } = one
  const { start_at: second, expires_at: last = null } = other
  const start_at = first === undefined || second === undefined ? null : first < second ? first : second
  return { start_at, expires_at: laterEnd(expires_at, last) }
}

interface Moving {
  readonly how: Reassignment
  readonly scope: AccountScope | 'system'
  /** When the reassignment was asked for. */
  readonly since: string
  takingOver(context: AccountContext): Promise<Taking>
}

/** Takes away what leads to an assignment that is not there: it would keep its role in use for ever, and its place taken. */
async function removeOrphans(
  { table }: AccountContext,
  lost: Pick<Holder, 'user_id' | 'scope_type' | 'scope_id' | 'role_id' | 'client_id'>,
) {
  for (const mirror of [RoleHolder, ScopeAssignment]) await removeOrphan(table.runtime, mirror, lost)
}

/** One assignment of the role becomes one of the other, at the same scope, for the same time; over one that is there both are one. */
async function move(context: AccountContext, holder: Holder, { how, scope, since, takingOver }: Moving): Promise<void> {
  const { user_id, scope_type, scope_id } = holder
  const { table } = context
  const scoped = { user_id, scope_type, scope_id }
  const before = await table.UserRoleAssignment.get({ ...scoped, role_id: how.role_id }, consistent)
  if (before === undefined) return removeOrphans(context, holder)
  // Whoever gave it meanwhile gave this role, and not the other.
  if (before.deleting !== undefined || !isOfRole(before, how.client_id ?? undefined) || before.updated_at > since) return
  const now = table.runtime.now().toISOString()
  const isExpired = ({ expires_at }: Bounds) => expires_at !== undefined && expires_at <= now
  const { start_at = null, expires_at = null, created_by = null } = before
  const gone = removing(UserRoleAssignment, { ...scoped, role_id: how.role_id }, { version: before.version })
  const entry = { entity: UserRoleAssignment, tenant: before.client_id, before, severity: how.severity }
  if (isExpired(before)) {
    await writeRecorded(context, { gone }, { ...entry, id: before.id, related: { user: user_id, role: how.role_id } })
    return
  }
  const there = await table.UserRoleAssignment.get({ ...scoped, role_id: how.to }, consistent)
  // What lies at its place is of a third role, whose id is the same.
  if (there !== undefined && there.role_owner !== how.to_owner) return
  // Behind the wall, where the job of a user works, is no internal user: only operators give these a role (spec rule 23).
  if ((await table.User.get({ id: user_id }, consistent)) === undefined) return
  const { granted, steps } = await takingOver(context)
  const related = { user: user_id, role: how.role_id, to_role: how.to }
  if (there === undefined) {
    await checkHeld(context, granted, scope, expires_at)
    const id = table.runtime.making().uuid()
    const after = { id, ...scoped, role_id: how.to, role_owner: how.to_owner, start_at, expires_at, created_by }
    const fresh = creating(UserRoleAssignment, after)
    const written = writeRecorded(
      context,
      { ...steps, gone, fresh },
      { ...entry, id, after: { ...after, client_id: before.client_id }, related },
    )
    await written.catch(async (error: unknown) => {
      if (isFreeholdError(error, 'AlreadyExists')) await removeOrphans(context, { ...holder, role_id: how.to })
      throw error
    })
    return
  }
  const bounds = isExpired(there) ? { start_at, expires_at } : widest(before, there)
  const isMore = bounds.start_at !== (there.start_at ?? null) || bounds.expires_at !== (there.expires_at ?? null)
  if (isMore) await checkHeld(context, granted, scope, bounds.expires_at)
  const kept = updating(UserRoleAssignment, { ...scoped, role_id: how.to }, bounds, { version: there.version })
  await writeRecorded(context, { ...steps, gone, kept }, { ...entry, id: there.id, after: { ...there, ...bounds }, related })
}

/** An operator gives roles to internal users, too, who are of no client; a user's job works within its client. */
function beyondTenant(context: AccountContext): AccountContext {
  return context.caller.actor.kind === 'user' ? context : { ...context, table: context.unscoped }
}

/**
 * The durable job of a deletion with reassignment. Run again, it goes on with the assignments that are left. The role is not marked as being
 * deleted before all are moved, since until then its holders have its permissions. So somebody can be given it meanwhile: that is not moved, and
 * the role stays. It stays as well, and the audit says so, where the user who asked for this may not do it any more, or the other role came to
 * grant something else.
 */
export const reassigningRole = job({
  name: 'reassignRole',
  flow: 'deleteRole',
  input: reassignment,
  subject: ({ role_id }) => `ROLE#${role_id}`,
  within: ({ client_id }) => scopeOfOwner(client_id ?? undefined),
  needs: [needs.deleteRole, needs.revokeRole, needs.assignRole],
  each: async function* (context, how, { createdAt }) {
    const client_id = how.client_id ?? undefined
    const moving = { how, scope: scopeOfOwner(client_id), since: createdAt, takingOver: takingOver(how) }
    for await (const holder of beyondTenant(context).table.holdersOfRole.all({ role_id: how.role_id }, consistent))
      if (isOfRole(holder, client_id)) yield { holder, moving }
  },
  does: async (acting, { holder, moving }) =>
    retryOnConflict(acting.table.runtime, () => move(beyondTenant(acting), holder, moving), ['AlreadyExists']),
  // The assignment is no longer there to be moved, or its user or scope is on the way out: the rest goes on.
  passesOver: ['NotFound', 'BeingDeleted', 'MissingEnd'],
  // Nothing more is granted or taken, and who has the role still has it.
  stopsOn: ['VersionConflict', 'InvalidInput', 'InUse'],
  stopped: async (context, { client_id, role_id: id, to, severity }, reason) =>
    recordAlone(context, {
      entity: Role,
      id,
      tenant: client_id ?? undefined,
      severity,
      status: 'failure',
      related: { to_role: to },
      more: { reason },
    }),
  done: async (context, { client_id, role_id, to }) => {
    const id = { client_id: client_id ?? undefined, id: role_id }
    const entry = { related: { to_role: to } }
    await permittedAgain(beyondTenant(context), needs.deleteRole, scopeOfOwner(id.client_id), (acting) =>
      removeItem(acting, Role, id, { entry }),
    ).catch((error: unknown) => {
      if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
    })
  },
})
