import { FreeholdError, list, oneOf, record, text, uuid } from '@freehold/table'
import type { Needs } from '../../../flow/flow.ts'
import type { ChangeEntry } from '../../../flow/flow-host.ts'
import type { InputOf } from '../../../flow/read-input.ts'
import { recordAlone } from '../../../flow/recorded-write.ts'
import { retryOnConflict } from '../../../flow/retry-on-conflict.ts'
import { Role } from '../../design.ts'
import { permissionText, permissionWords } from '../../permission/permission.ts'
import { type AccountContext, job } from '../account-host.ts'
import { checkHeld } from '../assignments/held.ts'
import * as needs from '../needs.ts'
import { type LinkChange, linkTaken, outstandingPatterns } from './link-states.ts'
import type { LinkedRole } from './linked-permissions.ts'
import type { PermissionPattern } from './permission-pattern.ts'
import { liveRole, type RoleItem } from './role-ancestry.ts'
import { inTransactions, writeLinks } from './role-links.ts'
import { scopeOfOwner } from './role-scope.ts'

const consistent = { consistent: true }

interface Unfinished {
  readonly notGranted: readonly PermissionPattern[]
  readonly notWithdrawn: readonly PermissionPattern[]
  /** Of what was not granted, what another role of this id is linked to. */
  readonly taken: readonly PermissionPattern[]
}

/** What of a change does not hold. A role that is embedded by now has what it embeds: its links count for nothing. */
async function unfinishedOf(context: AccountContext, role: RoleItem, change: LinkChange): Promise<Unfinished> {
  if (role.permission_form !== 'linked') {
    const embedded = new Set(role.permissions.map(permissionText))
    const isEmbedded = (pattern: PermissionPattern) => embedded.has(permissionText(pattern))
    return { notGranted: change.add.filter((each) => !isEmbedded(each)), notWithdrawn: change.remove.filter(isEmbedded), taken: [] }
  }
  const { add, remove, taken } = await outstandingPatterns(context, role, change)
  return { notGranted: [...add, ...taken], notWithdrawn: remove, taken }
}

/**
 * That a job did all that it was started for. Throws `AlreadyExists` where another role of this id is linked to some of it, and `VersionConflict`
 * where something else kept it from that.
 */
export async function checkLinked(context: AccountContext, { client_id, id }: LinkedRole, change: LinkChange): Promise<void> {
  const { notGranted, notWithdrawn, taken } = await unfinishedOf(context, await liveRole(context, client_id, id), change)
  if (taken.length > 0) throw linkTaken(taken)
  if (notGranted.length + notWithdrawn.length === 0) return
  const message =
    'Not all permissions were changed: others changed this role meanwhile, or its caller may not do so any more. The audit tells more.'
  throw new FreeholdError('VersionConflict', message, { entity: Role.name, named: true })
}

/** One transaction of a large change, after a look at what it is about. False for a role that is gone, or not linked by now: that ends the change. */
async function changeSome(
  context: AccountContext,
  { client_id, id }: LinkedRole,
  change: LinkChange,
  entry: Partial<ChangeEntry>,
): Promise<boolean> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined || role.permission_form !== 'linked') return false
  const { add, remove } = await outstandingPatterns(context, role, change)
  // A caller that is a user may have lost them since; whoever has the role by now has them for as long as that may be.
  await checkHeld(context, add, scopeOfOwner(client_id), null)
  if (add.length + remove.length > 0) await writeLinks(context, role, { add, remove }, entry)
  return true
}

export const patternParts = { module: text(), action: text(), resource: text() }
export const plainPatterns = (patterns: readonly PermissionPattern[]) =>
  patterns.map(({ module, action, resource }) => ({ module, action, resource }))

/** What says that an entry of the catalogue goes meanwhile, or that somebody else made a link or took it away. */
const overtaken = ['MissingEnd', 'AlreadyExists', 'NotFound'] as const

/** The audit names no more permissions of a change that ended early; it says how many there are. */
const toldMax = 100

/** Tells the audit what of a change was not done, and why: nobody is to believe that a permission was granted, or withdrawn, that was not. */
async function recordUnfinished(
  context: AccountContext,
  { id, client_id }: LinkedRole,
  change: LinkChange,
  reason?: string,
): Promise<void> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined) return
  const { notGranted, notWithdrawn, taken } = await unfinishedOf(context, role, change)
  const left = notGranted.length + notWithdrawn.length
  if (left === 0) return
  const words = (patterns: readonly PermissionPattern[]) => patterns.slice(0, toldMax).map(permissionWords)
  const more = {
    reason: reason ?? (taken.length > 0 ? 'LinkedToAnother' : 'OthersChanged'),
    ...{ left, not_granted: words(notGranted), not_withdrawn: words(notWithdrawn) },
  }
  await recordAlone(context, { entity: Role, id, tenant: client_id, status: 'failure', more })
}

/** Permissions of a role that is linked, or is to be. */
const linkChange = {
  client_id: uuid().optional(),
  role_id: uuid(),
  add: list(record(patternParts)),
  remove: list(record(patternParts)),
  severity: oneOf('info', 'warning', 'critical'),
}

/** Of a durable job that links permissions to a role: the flow that asked for it, and what that needs. */
interface Linking<I> {
  readonly flow: 'createRole' | 'changeRolePermissions'
  readonly needs: Needs
  roleOf(input: I): LinkedRole
  changeOf(input: I): LinkChange
  entryOf(input: I): Partial<ChangeEntry>
}

/**
 * Links and unlinks all, as much at a time as a transaction holds, in order. Idempotent: finished pieces are skipped, and others' changes after a piece
 * stay, unless the job is run again. At the end the audit tells what was not done, as it does where the caller may not do it any more.
 */
export function linkingJob<I>({ flow, needs, roleOf, changeOf, entryOf }: Linking<I>) {
  return {
    flow,
    subject: (input: I) => `ROLE#${roleOf(input).id}`,
    within: (input: I) => scopeOfOwner(roleOf(input).client_id),
    needs: [needs],
    does: (acting: AccountContext, some: LinkChange, input: I) =>
      retryOnConflict(acting.table.runtime, () => changeSome(acting, roleOf(input), some, entryOf(input)), overtaken),
    size: ({ add, remove }: LinkChange) => add.length + remove.length,
    stopped: (context: AccountContext, input: I, reason: string) => recordUnfinished(context, roleOf(input), changeOf(input), reason),
    done: (context: AccountContext, input: I) => recordUnfinished(context, roleOf(input), changeOf(input)),
  }
}

/** The durable job of a large change of a linked role. */
export const changingRoleLinks = job({
  name: 'changeRoleLinks',
  input: linkChange,
  ...linkingJob<InputOf<typeof linkChange>>({
    flow: 'changeRolePermissions',
    needs: needs.updateRole,
    roleOf: ({ client_id, role_id }) => ({ client_id: client_id ?? undefined, id: role_id }),
    changeOf: ({ add, remove }) => ({ add, remove }),
    entryOf: ({ severity }) => ({ severity }),
  }),
  each: async function* (_context, { add, remove }) {
    yield* inTransactions({ add, remove })
  },
})

/** A change that no transaction holds, as a durable job. */
export async function changeLinksByJob(
  context: AccountContext,
  { client_id, id }: LinkedRole,
  { add, remove }: LinkChange,
  { severity = 'info' }: Partial<ChangeEntry>,
): Promise<void> {
  const input = { client_id, role_id: id, add: plainPatterns(add), remove: plainPatterns(remove), severity }
  await changingRoleLinks.start(context, input)
  await checkLinked(context, { client_id, id }, { add, remove })
}
