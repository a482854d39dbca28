import { type FlowJob, FreeholdError, isFreeholdError, type Json } from '@freehold/table'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { Role } from '../../design.ts'
import { permissionText, permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-context.ts'
import { permittedAgain } from '../account-flow.ts'
import { checkHeld } from '../assignments/held.ts'
import { type AuditEntry, auditSteps, isAudited } from '../audited.ts'
import { jobContext, recordedCaller } from '../job-context.ts'
import { type LinkChange, linkTaken, outstandingPatterns } from './link-states.ts'
import type { LinkedRole } from './linked-permissions.ts'
import type { PermissionPattern } from './permission-pattern.ts'
import { type RoleItem, standingRole } from './role-ancestry.ts'
import { inTransactions, writeLinks } from './role-links.ts'

const consistent = { consistent: true }

interface LinkJob {
  readonly client_id?: string | undefined
  readonly role_id: string
  readonly add: readonly PermissionPattern[]
  readonly remove: readonly PermissionPattern[]
  readonly caller: Json
  readonly severity: NonNullable<AuditEntry['severity']>
}

/** A change that no transaction holds, as a durable job. */
export async function startLinkJob(
  context: AccountContext,
  { client_id, id }: LinkedRole,
  { add, remove }: LinkChange,
  { severity = 'info' }: Partial<AuditEntry>,
): Promise<void> {
  const plain = (patterns: readonly PermissionPattern[]) => patterns.map(({ module, action, resource }) => ({ module, action, resource }))
  const input = {
    ...(client_id === undefined ? {} : { client_id }),
    ...{ role_id: id, add: plain(add), remove: plain(remove), caller: recordedCaller(context.caller), severity },
  }
  await context.whole.jobs.start('changeRoleLinks', { subject: `ROLE#${id}`, input })
  await checkLinked(context, { client_id, id }, { add, remove })
}

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
  const { notGranted, notWithdrawn, taken } = await unfinishedOf(context, await standingRole(context, client_id, id), change)
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
  entry: Partial<AuditEntry>,
): Promise<boolean> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined || role.permission_form !== 'linked') return false
  const { add, remove } = await outstandingPatterns(context, role, change)
  // A caller that is a user may have lost them since; whoever has the role by now has them for as long as that may be.
  await checkHeld(context, add, client_id === undefined ? 'system' : { client_id }, null)
  if (add.length + remove.length > 0) await writeLinks(context, role, { add, remove }, entry)
  return true
}

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
  if (!isAudited(context)) return
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
  await context.table.transact(auditSteps(context, { entity: Role, id, client_id, status: 'failure', more }))
}

/**
 * Links and unlinks all, as much at a time as a transaction holds, each once and in order: what is done already is found done, and what others take
 * away or make after its turn stays as they will, but where a process ended under way: run again, all is applied again. A look at the whole ends it, and the audit has what was not done. So it has where a user who
 * asked for it may not do it any more.
 */
export async function changeAllLinks(
  job: FlowJob,
  context: AccountContext,
  flow: 'createRole' | 'changeRolePermissions',
  role: LinkedRole,
  change: LinkChange,
  entry: Partial<AuditEntry>,
): Promise<void> {
  const place = role.client_id === undefined ? 'system' : { client_id: role.client_id }
  try {
    for (const some of inTransactions(change)) {
      const goesOn = await permittedAgain(context, flow, place, (acting) =>
        decideAnew(acting.table.runtime, () => changeSome(acting, role, some, entry), overtaken),
      )
      if (!goesOn) break
      await job.advance(some.add.length + some.remove.length)
    }
  } catch (error) {
    if (!isFreeholdError(error, 'Denied')) throw error
    return recordUnfinished(context, role, change, String(error.details.reason))
  }
  await recordUnfinished(context, role, change)
}

/** The durable job of a large change of a linked role. */
export async function changeRoleLinksJob(job: FlowJob): Promise<void> {
  // Only `startLinkJob` starts these jobs.
  const { client_id, role_id: id, add, remove, caller, severity } = job.input as unknown as LinkJob
  const flow = 'changeRolePermissions'
  await changeAllLinks(job, jobContext(job, flow, caller, client_id), flow, { client_id, id }, { add, remove }, { severity })
}
