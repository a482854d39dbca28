import { createHash } from 'node:crypto'
import {
  createItem,
  type InputOf,
  permittedAgain,
  recordAlone,
  recordSteps,
  removeItem,
  retryOnConflict,
  writeRecorded,
} from '@freehold/frame/flow'
import { FreeholdError, type Item, isFreeholdError, oneOf, removing, type Steps, text, updating, uuid } from '@freehold/table'
import { consistent, removeOrphan } from '@freehold/table/runtime'
import { systemOwner } from '../../access.ts'
import { Role, RoleHolder, ScopeAssignment, UserRoleAssignment } from '../../design.ts'
import { permissionText } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import { type AccountContext, type AccountScope, job } from '../account-host.ts'
import { checkHeld, type End, laterEnd } from '../assignments/grant-ceiling.ts'
import * as needs from '../needs.ts'
import { ancestry, checkingChain, permissionsOfRoles } from './role-ancestry.ts'
import { scopeOfOwner } from './role-scope.ts'

type Assignment = Item<typeof UserRoleAssignment>
type Holder = Pick<Item<typeof RoleHolder>, 'user_id' | 'scope_type' | 'scope_id' | 'role_id' | 'role_owner' | 'client_id'>
type Bounds = Readonly<Record<'start_at' | 'expires_at', End>>

/** The input of a deletion with reassignment. */
export const reassignment = {
  client_id: uuid().optional(),
  role_id: uuid(),
  to: uuid(),
  /** The owner of the other role: its client's id, or SYSTEM. */
  to_owner: text(),
  /** A digest of the permissions that the other role granted then. Later ones were neither held nor confirmed by anybody. */
  granted: text(),
  severity: oneOf('info', 'warning', 'critical'),
}
export type Reassignment = InputOf<typeof reassignment>

/** One text for the permissions of a role, in any order. */
export function digestOf(granted: readonly PermissionPattern[]): string {
  const texts = granted.map(permissionText).sort()
  return createHash('sha256').update(JSON.stringify(texts)).digest('hex')
}

/** True for an assignment of this very role: ids of roles are unique within their owner only. */
export function isOfRole({ role_owner, client_id }: Pick<Assignment, 'role_owner' | 'client_id'>, owner: string | undefined): boolean {
  return owner === undefined ? role_owner === systemOwner : role_owner === owner && client_id === owner
}

/** The role that takes over. */
interface Taking {
  readonly granted: readonly PermissionPattern[]
  /** Check that the role and all above it are as they were when their permissions were read. */
  readonly steps: Steps
}

/** Reads the role that takes over, again for each move. Its permissions are read again only if a role of its chain has another version. */
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
    return { granted, steps: checkingChain(chain) }
  }
}

/** From the earlier start to the later end; without a bound that one of them does not have. */
function widest(one: Bounds, other: Bounds): Bounds {
  const start_at = one.start_at === null || other.start_at === null ? null : one.start_at < other.start_at ? one.start_at : other.start_at
  return { start_at, expires_at: laterEnd(one.expires_at, other.expires_at) }
}

interface Moving {
  readonly how: Reassignment
  readonly scope: AccountScope | 'system'
  /** When the reassignment was asked for. */
  readonly since: string
  takingOver(context: AccountContext): Promise<Taking>
}

/** Removes the lookup items of an assignment that is not there. They would keep its role in use for ever, and its key taken. */
async function removeOrphans({ table }: AccountContext, lost: Holder) {
  for (const mirror of [RoleHolder, ScopeAssignment]) await removeOrphan(table.runtime, mirror, lost)
}

/** One assignment of the role becomes one of the other, at the same scope, for the same time. If there is one already, both become one. */
async function move(context: AccountContext, holder: Holder, { how, scope, since, takingOver }: Moving): Promise<void> {
  const { table } = context
  const { user_id, scope_type, scope_id } = holder
  const id = { user_id, scope_type, scope_id, role_id: how.role_id }
  const to = { ...id, role_id: how.to }
  const before = await table.UserRoleAssignment.get(id, consistent)
  if (before === undefined) return removeOrphans(context, holder)
  // An assignment that was given meanwhile is of this role, and not of the other.
  if (before.deleting !== undefined || !isOfRole(before, how.client_id ?? undefined) || (before.updated_at ?? '') > since) return
  const now = table.runtime.now().toISOString()
  const isExpired = ({ expires_at }: Assignment) => expires_at !== undefined && expires_at <= now
  const boundsOf = ({ start_at, expires_at }: Assignment): Bounds => ({ start_at: start_at ?? null, expires_at: expires_at ?? null })
  const gone = removing(UserRoleAssignment, id, { version: before.version })
  const tenant = before.client_id
  const entry = { entity: UserRoleAssignment, severity: how.severity, related: { user: user_id, role: how.role_id, to_role: how.to } }
  const closing = { ...entry, id: before.id, tenant, before }
  if (isExpired(before)) {
    await writeRecorded(context, { gone }, closing)
    return
  }
  const closed = { gone, ...recordSteps(context, closing, 'closed') }
  const there = await table.UserRoleAssignment.get(to, consistent)
  // An assignment with that key may be of a third role, whose id is the same.
  if (there !== undefined && there.role_owner !== how.to_owner) return
  // Within the tenant scope, where the job of a user works, is no internal user: only operators give these a role (spec rule 23).
  if ((await table.User.get({ id: user_id }, consistent)) === undefined) return
  const { granted, steps } = await takingOver(context)
  if (there === undefined) {
    const bounds = boundsOf(before)
    await checkHeld(context, [{ granted, until: bounds.expires_at }], scope)
    const made = { ...to, ...bounds, role_owner: how.to_owner, created_by: before.created_by }
    const written = createItem(context, UserRoleAssignment, made, { tenant, steps: { ...steps, ...closed }, entry })
    await written.catch(async (error: unknown) => {
      if (isFreeholdError(error, 'AlreadyExists')) await removeOrphans(context, { ...holder, role_id: how.to })
      throw error
    })
    return
  }
  const bounds = isExpired(there) ? boundsOf(before) : widest(boundsOf(before), boundsOf(there))
  const isMore = bounds.start_at !== (there.start_at ?? null) || bounds.expires_at !== (there.expires_at ?? null)
  if (isMore) await checkHeld(context, [{ granted, until: bounds.expires_at }], scope)
  const kept = updating(UserRoleAssignment, to, bounds, { version: there.version })
  const after = { ...there, ...bounds }
  await writeRecorded(context, { ...steps, ...closed, kept }, { ...entry, id: there.id, tenant, before: there, after })
}

/** An operator gives roles to internal users, too, who are of no client. A user's job works within its client. */
function beyondTenant(context: AccountContext): AccountContext {
  return context.caller.actor.kind === 'user' ? context : { ...context, table: context.unscoped }
}

/**
 * The durable job of a deletion with reassignment. Run again, it goes on with the assignments that are left. The role is not marked as being
 * deleted before all are moved, since until then its holders have its permissions. So the role can be assigned meanwhile: such an assignment is not
 * moved, and the role stays. The role stays, too, and the audit says so, if the user who asked may not do this any more, or if the other role came
 * to grant something else.
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
  // Nothing more is granted or taken: the other holders still have the role.
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
      removeItem(acting, Role, id, { alongside: () => ({ entry }) }),
    ).catch((error: unknown) => {
      if (!isFreeholdError(error, 'NotFound') && !isFreeholdError(error, 'BeingDeleted')) throw error
    })
  },
})
