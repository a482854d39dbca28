import { creating, type FlowJob, FreeholdError, type Json, removing, type Steps, sideBySide, updating } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { permissionWords } from '../deciding/permission.ts'
import { Role, RolePermissionLink } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { type AuditEntry, writeAudited } from './audited.ts'
import { jobContext, recordedCaller } from './job-context.ts'
import { isSamePattern, type PermissionPattern } from './permission-pattern.ts'
import { ownPermissions, type RoleItem } from './role-ancestry.ts'

/** Links that one transaction holds: each is two items and a check, beside the role, up to seven roles above it and the audit. */
export const linksAtOnceMax = 28

const consistent = { consistent: true }

/** The catalogue's entry of each permission, undefined where it has none. */
async function entriesOf({ table }: AccountContext, patterns: readonly PermissionPattern[]): Promise<readonly (string | undefined)[]> {
  const keys = patterns.map(({ module, action, resource }) => ({ module, action, resource }))
  return (await table.PermissionKey.getMany(keys, consistent)).map((entry) => entry?.id)
}

/** The ids of what the catalogue has of these. Throws `NotFound` for one that it does not have: only what it has can be linked. */
export async function catalogueIds(context: AccountContext, patterns: readonly PermissionPattern[]): Promise<readonly string[]> {
  const ids = await entriesOf(context, patterns)
  return ids.map((id, index) => {
    const pattern = patterns[index]
    if (id !== undefined || pattern === undefined) return String(id)
    const message = `The catalogue has no permission ${permissionWords(pattern)}: a linked role has what the catalogue has.`
    throw new FreeholdError('NotFound', message, { entity: 'Permission' })
  })
}

/** The steps that link permissions to a role. */
export function linking({ user }: AccountContext, client_id: string | undefined, role_id: string, ids: readonly string[]): Steps {
  const granted_by = user?.id
  return Object.fromEntries(
    ids.map((permission_id) => [`link ${permission_id}`, creating(RolePermissionLink, { role_id, permission_id, client_id, granted_by })]),
  )
}

export interface LinkChange {
  readonly add: readonly PermissionPattern[]
  readonly remove: readonly PermissionPattern[]
}

/**
 * Changes a linked role's permissions, at most `linksAtOnceMax`, in one transaction that counts as a write of the role: whoever decides by what a
 * role grants names its version. What the catalogue does not have any more is passed over.
 */
export async function writeLinks(
  context: AccountContext,
  role: RoleItem,
  { add, remove }: LinkChange,
  entry: Partial<AuditEntry>,
): Promise<void> {
  const { client_id, id, version } = role
  const [added = [], removed = []] = await sideBySide([add, remove], (patterns) => entriesOf(context, patterns))
  const unlinked = removed.flatMap((permission_id) =>
    permission_id === undefined ? [] : [[`unlink ${permission_id}`, removing(RolePermissionLink, { role_id: id, permission_id })] as const],
  )
  const steps: Steps = {
    role: updating(Role, { client_id, id }, {}, { version }),
    ...linking(
      context,
      client_id,
      id,
      added.flatMap((each) => each ?? []),
    ),
    ...Object.fromEntries(unlinked),
  }
  const changes = { granted: add.map(permissionWords), withdrawn: remove.map(permissionWords) }
  await writeAudited(context, steps, { entity: Role, id, client_id, ...entry, more: { ...changes, ...entry.more } })
}

/** What is still to do of a change. */
async function outstanding(context: AccountContext, role: RoleItem, { add, remove }: LinkChange): Promise<LinkChange> {
  const own = await ownPermissions(context, role)
  const has = (pattern: PermissionPattern) => own.some((each) => isSamePattern(each, pattern))
  const ids = await entriesOf(context, add)
  return { add: add.filter((pattern, index) => ids[index] !== undefined && !has(pattern)), remove: remove.filter(has) }
}

interface LinkJob {
  readonly client_id?: string | undefined
  readonly role_id: string
  readonly add: readonly PermissionPattern[]
  readonly remove: readonly PermissionPattern[]
  readonly flow: string
  readonly caller: Json
  readonly severity: NonNullable<AuditEntry['severity']>
}

/** A change that no transaction holds, as a durable job. */
export async function startLinkJob(
  context: AccountContext,
  { client_id, id }: { readonly client_id?: string | undefined; readonly id: string },
  { add, remove }: LinkChange,
  { severity = 'info' }: Partial<AuditEntry>,
): Promise<void> {
  const plain = (patterns: readonly PermissionPattern[]) => patterns.map(({ module, action, resource }) => ({ module, action, resource }))
  const input = {
    ...(client_id === undefined ? {} : { client_id }),
    ...{ role_id: id, add: plain(add), remove: plain(remove), flow: context.flow, caller: recordedCaller(context.caller), severity },
  }
  await context.whole.jobs.start('changeRoleLinks', { subject: `ROLE#${id}`, input })
}

/** The durable job of a large change of a linked role. What is done already is found done; a role that is gone, or embedded by now, ends it. */
export async function changeRoleLinksJob(job: FlowJob): Promise<void> {
  // Only `startLinkJob` starts these jobs.
  const { client_id, role_id, add, remove, flow, caller, severity } = job.input as unknown as LinkJob
  const context = jobContext(job, flow, caller)
  for (let left = 1; left > 0; ) {
    left = await decideAnew(
      context.table.runtime,
      async () => {
        const role = await context.table.Role.get({ client_id, id: role_id }, consistent)
        if (role === undefined || role.deleting !== undefined || role.permission_form !== 'linked') return 0
        const open = await outstanding(context, role, { add, remove })
        const chunk = {
          add: open.add.slice(0, linksAtOnceMax),
          remove: open.remove.slice(0, linksAtOnceMax - Math.min(linksAtOnceMax, open.add.length)),
        }
        const count = chunk.add.length + chunk.remove.length
        if (count > 0) await writeLinks(context, role, chunk, { severity })
        await job.advance(count)
        return open.add.length + open.remove.length - count
      },
      // An entry of the catalogue that goes meanwhile, or a link that somebody else made.
      ['MissingEnd', 'AlreadyExists', 'NotFound'],
    )
  }
}
