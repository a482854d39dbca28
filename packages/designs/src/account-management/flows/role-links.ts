import { creating, type FlowJob, FreeholdError, isFreeholdError, type Json, removing, type Steps, updating } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { permissionWords } from '../deciding/permission.ts'
import { Role, RolePermissionLink } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { permittedAgain } from './account-flow.ts'
import { type AuditEntry, auditSteps, isAudited, writeAudited } from './audited.ts'
import { checkHeld } from './held.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { type CatalogueEntry, type LinkedRole, linkedPermissions, linksAtId, standingEntries } from './linked-permissions.ts'
import { isSamePattern, type PermissionPattern } from './permission-pattern.ts'
import { type RoleItem, standingRole } from './role-ancestry.ts'

/** Links that one transaction holds: each is two items and a check, beside the role, up to seven roles above it, what the caller rests on and the audit. */
export const linksAtOnceMax = 28

const consistent = { consistent: true }

/** The catalogue's entry of each permission, undefined where it has none that stays. */
export async function entriesOf(
  context: AccountContext,
  patterns: readonly PermissionPattern[],
): Promise<readonly (CatalogueEntry | undefined)[]> {
  const keys = patterns.map(({ module, action, resource }) => ({ module, action, resource }))
  const guards = await context.table.PermissionKey.getMany(keys, consistent)
  const ids = [...new Set(guards.flatMap((guard) => guard?.id ?? []))]
  const entries = await standingEntries(context, ids)
  const byId = new Map(ids.map((id, index) => [id, entries[index]]))
  return guards.map((guard) => (guard === undefined ? undefined : byId.get(guard.id)))
}

/** What the catalogue has of these. Throws `NotFound` for one that it does not have: only what it has can be linked. */
export async function catalogued(context: AccountContext, patterns: readonly PermissionPattern[]): Promise<readonly CatalogueEntry[]> {
  const entries = await entriesOf(context, patterns)
  return patterns.map((pattern, index) => {
    const entry = entries[index]
    if (entry !== undefined) return entry
    const message = `The catalogue has no permission ${permissionWords(pattern)}: a linked role has what the catalogue has.`
    throw new FreeholdError('NotFound', message, { entity: 'Permission' })
  })
}

/** The steps that link permissions to a role. */
export function linking({ user }: AccountContext, { id: role_id, client_id }: LinkedRole, entries: readonly CatalogueEntry[]): Steps {
  const granted_by = user?.id
  return Object.fromEntries(
    entries.map(({ permission_id }) => [
      `link ${permission_id}`,
      creating(RolePermissionLink, { role_id, permission_id, client_id, granted_by }),
    ]),
  )
}

export interface LinkChange<P = PermissionPattern> {
  readonly add: readonly P[]
  readonly remove: readonly P[]
}

/**
 * Changes a linked role's permissions, at most `linksAtOnceMax`, in one transaction that counts as a write of the role: whoever decides by what a
 * role grants names its version.
 * @param change.remove what the role is linked to
 */
export async function writeLinks(
  context: AccountContext,
  role: RoleItem,
  { add, remove }: LinkChange<CatalogueEntry>,
  entry: Partial<AuditEntry>,
): Promise<void> {
  const { client_id, id, version } = role
  const unlinked = remove.map(
    ({ permission_id }) => [`unlink ${permission_id}`, removing(RolePermissionLink, { role_id: id, permission_id })] as const,
  )
  const steps: Steps = {
    role: updating(Role, { client_id, id }, {}, { version }),
    ...linking(context, role, add),
    ...Object.fromEntries(unlinked),
  }
  const changes = { granted: add.map(permissionWords), withdrawn: remove.map(permissionWords) }
  await writeAudited(context, steps, { entity: Role, id, client_id, ...entry, more: { ...changes, ...entry.more } })
}

/** What is still to do of a change: what the catalogue does not have any more is passed over, and what another role of this id is linked to. */
async function outstanding(context: AccountContext, role: RoleItem, { add, remove }: LinkChange): Promise<LinkChange<CatalogueEntry>> {
  const taken = new Set((await linksAtId(context, role.id)).map(({ permission_id }) => permission_id))
  const own = await linkedPermissions(context, role)
  const entries = await entriesOf(context, add)
  return {
    add: entries.flatMap((entry) => (entry === undefined || taken.has(entry.permission_id) ? [] : entry)),
    remove: own.filter((entry) => remove.some((pattern) => isSamePattern(entry, pattern))),
  }
}

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

/** That a job did all that it was started for. Throws `VersionConflict` where something kept it from that. */
export async function checkLinked(context: AccountContext, { client_id, id }: LinkedRole, change: LinkChange): Promise<void> {
  const open = await outstanding(context, await standingRole(context, client_id, id), change)
  if (open.add.length + open.remove.length === 0) return
  const message =
    'Not all permissions were changed: others changed this role meanwhile, or its caller may not do so any more. The audit tells more.'
  throw new FreeholdError('VersionConflict', message, { entity: Role.name, named: true })
}

/** One transaction of a large change; gives how many permissions are left. A role that is gone, or embedded by now, ends it. */
async function changeSome(
  job: FlowJob,
  context: AccountContext,
  { client_id, id }: LinkedRole,
  change: LinkChange,
  entry: Partial<AuditEntry>,
): Promise<number> {
  const role = await context.table.Role.get({ client_id, id }, consistent)
  if (role === undefined || role.deleting !== undefined || role.permission_form !== 'linked') return 0
  const open = await outstanding(context, role, change)
  const add = open.add.slice(0, linksAtOnceMax)
  const remove = open.remove.slice(0, linksAtOnceMax - add.length)
  const count = add.length + remove.length
  // A caller that is a user may have lost them since; whoever has the role by now has them for as long as that may be.
  await checkHeld(context, add, client_id === undefined ? 'system' : { client_id }, null)
  if (count > 0) await writeLinks(context, role, { add, remove }, entry)
  await job.advance(count)
  return open.add.length + open.remove.length - count
}

/** What says that an entry of the catalogue goes meanwhile, or that somebody else made a link or took it away. */
const overtaken = ['MissingEnd', 'AlreadyExists', 'NotFound'] as const

/**
 * Links and unlinks all, as much at a time as a transaction holds. What is done already is found done. Where a user who asked for it may not do
 * it any more, it ends there, and the audit says so.
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
    for (let left = 1; left > 0; )
      left = await permittedAgain(context, flow, place, (acting) =>
        decideAnew(acting.table.runtime, () => changeSome(job, acting, role, change, entry), overtaken),
      )
  } catch (error) {
    if (!isFreeholdError(error, 'Denied')) throw error
    const { id, client_id } = role
    const stopped = { entity: Role, id, client_id, status: 'failure', more: { reason: String(error.details.reason) } } as const
    if (isAudited(context)) await context.table.transact(auditSteps(context, stopped))
  }
}

/** The durable job of a large change of a linked role. */
export async function changeRoleLinksJob(job: FlowJob): Promise<void> {
  // Only `startLinkJob` starts these jobs.
  const { client_id, role_id: id, add, remove, caller, severity } = job.input as unknown as LinkJob
  const flow = 'changeRolePermissions'
  await changeAllLinks(job, jobContext(job, flow, caller, client_id), flow, { client_id, id }, { add, remove }, { severity })
}
