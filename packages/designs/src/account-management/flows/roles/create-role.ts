import { creating, type FlowJob, FreeholdError, isFreeholdError, type Json, type New, type Steps } from '@freehold/table'
import { decideAnew } from '../../../flow/decide-anew.ts'
import { given } from '../../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../../flow/made-item.ts'
import { Role } from '../../design.ts'
import { permissionWords } from '../../permission/permission.ts'
import type { AccountContext } from '../account-context.ts'
import { accountFlow, permittedAgain } from '../account-flow.ts'
import { checkHeld } from '../assignments/held.ts'
import { type AuditEntry, writeAudited } from '../audited.ts'
import { jobContext, recordedCaller } from '../job-context.ts'
import { changeAllLinks, checkLinked } from './change-links.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { catalogued, checkFree, entriesOf, linkStates } from './link-states.ts'
import type { CatalogueEntry, LinkedRole } from './linked-permissions.ts'
import { permissionsToGrant } from './permission-input.ts'
import { distinctPatterns, type PermissionPattern } from './permission-pattern.ts'
import { permissionsOfRoles, type RoleItem, rolesAbove, standingRole, touching } from './role-ancestry.ts'
import { linking, linksAtOnceMax } from './role-links.ts'
import { nameTaken, namingTaken } from './role-name.ts'
import { ownedRole, ownerOfPlace, ownerPlaceOfRole } from './roles.ts'

const consistent = { consistent: true }

/** An id is chosen by operators, who import: what roles of one id are linked to lies together. Throws `Denied`, `AlreadyExists`. */
async function checkChosenId({ table, user, flow }: AccountContext, { id, client_id }: LinkedRole): Promise<void> {
  if (user !== undefined) {
    const message = 'Only operators choose the id of a role: leave it out, and it is made.'
    throw new FreeholdError('Denied', message, { flow, reason: 'OperatorsOnly', attribute: 'id' })
  }
  if (client_id === undefined || (await table.Role.get({ id }, consistent)) === undefined) return
  throw new FreeholdError('AlreadyExists', `The system has a role ${id} already.`, { entity: Role.name })
}

/** A role to be: its id is made. */
type NewRole = New<typeof Role> & { readonly client_id?: string | undefined }

/** The role in one transaction with links to these entries, as many as that holds. Throws what keeps it from being written. */
async function writeRole(
  context: AccountContext,
  after: NewRole,
  above: readonly RoleItem[],
  entries: readonly CatalogueEntry[],
  entry: Creation['entry'],
): Promise<RoleItem> {
  const role = { id: String(after.id), client_id: after.client_id }
  const linked = after.permission_form === 'linked' ? { granted: entries.map(permissionWords) } : {}
  const steps: Steps = { ...touching(above), role: creating(Role, after), ...linking(context, role, entries) }
  const more = { ...linked, ...entry.more }
  const written = await writeAudited(context, steps, { ...entry, entity: Role, ...role, after, more })
  // The step of this name creates a Role.
  return givenBack(Role, written.role as RoleItem | undefined)
}

interface Creation {
  readonly role: NewRole
  readonly permissions: readonly PermissionPattern[]
  /** The roles above as they were when what they grant was looked at. */
  readonly above: readonly Pick<RoleItem, 'id' | 'version'>[]
  readonly entry: Pick<AuditEntry, 'severity' | 'more'>
}

/** The role with the first of its links; undefined where it cannot be made any more, when nothing was written: whoever asked for it finds out why. */
async function begin(context: AccountContext, { role, permissions, above: seen, entry }: Creation): Promise<RoleItem | undefined> {
  const { client_id } = role
  const place = client_id === undefined ? 'system' : { client_id }
  try {
    return await permittedAgain(context, 'createRole', place, async (acting) => {
      const above = await rolesAbove(acting, client_id, role.parent_role_id)
      const versions = (roles: Creation['above']) => roles.map(({ id, version }) => `${id} ${version}`).join()
      if (versions(above) !== versions(seen)) return undefined
      const entries = (await entriesOf(acting, permissions.slice(0, linksAtOnceMax))).flatMap((each) => each ?? [])
      await checkHeld(acting, [...entries, ...(await permissionsOfRoles(acting, above))], place, null)
      return writeRole(acting, role, above, entries, entry)
    })
  } catch (error) {
    if (!isFreeholdError(error) || error.category === 'retryable' || error.category === 'unavailable') throw error
    return undefined
  }
}

/**
 * The durable job of a role with more links than one transaction holds: makes the role, then the rest of its links. Run again, it goes on with
 * the role that it finds under the id, which was made for it.
 */
export async function createLinkedRoleJob(job: FlowJob): Promise<void> {
  // Only `createByJob` starts these jobs.
  const { caller, ...creation } = job.input as unknown as Creation & { readonly caller: unknown }
  const flow = 'createRole'
  const { role, permissions, entry } = creation
  const { client_id } = role
  const id = String(role.id)
  const context = jobContext(job, flow, caller, client_id)
  const there = (await context.table.Role.get({ client_id, id }, consistent)) ?? (await begin(context, creation))
  if (there !== undefined) await changeAllLinks(job, context, flow, { client_id, id }, { add: permissions, remove: [] }, entry)
}

/** The job is recorded before anything else: a role is never left with less than it was asked for. */
async function createByJob(context: AccountContext, creation: Creation): Promise<RoleItem> {
  const { role } = creation
  const { client_id } = role
  const id = String(role.id)
  const { table } = context
  if ((await table.Role.get({ client_id, id }, consistent)) !== undefined)
    throw new FreeholdError('AlreadyExists', `There is a Role ${id} already.`, { entity: Role.name })
  await checkNameFree(context, role)
  const above = creation.above.map((each) => ({ id: each.id, version: each.version }))
  // What is undefined is left out.
  const plain: Json = JSON.parse(JSON.stringify({ ...creation, above }))
  // At the top, where a job of a client says whose it is: jobs are done in turn by client.
  const of = client_id === undefined ? {} : { client_id }
  const input = { ...(plain as { readonly [name: string]: Json }), ...of, caller: recordedCaller(context.caller) }
  await context.whole.jobs.start('createLinkedRole', { subject: `ROLE#${id}`, input })
  if ((await table.Role.get({ client_id, id }, consistent)) !== undefined) {
    await checkLinked(context, { client_id, id }, { add: creation.permissions, remove: [] })
    return standingRole(context, client_id, id)
  }
  await checkNameFree(context, role)
  // Whoever may not any more is told so, instead of asking for it anew.
  await permittedAgain(context, 'createRole', client_id === undefined ? 'system' : { client_id }, async () => undefined)
  throw new FreeholdError('VersionConflict', 'What this role was to be made of changed meanwhile.', { entity: Role.name })
}

async function checkNameFree({ table }: AccountContext, { client_id, name }: NewRole): Promise<void> {
  if ((await table.RoleName.get({ client_id, name }, consistent)) !== undefined) throw nameTaken(client_id, name)
}

export const createRole = accountFlow({
  name: 'createRole',
  summary:
    'Creates a role of a client, or a system role, with permissions of its own and perhaps a parent whose permissions it has too. Only operators choose its id.',
  input: {
    ...ownedRole,
    ...given(Role, 'id', 'name', 'description', 'custom_template_id', 'parent_role_id', 'permission_form'),
    permissions: permissionsToGrant.optional(),
    ...confirming,
  },
  place: ownerPlaceOfRole,
  run: async (context, { system: _, confirm_dangerous, permissions: asked, ...input }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    const { id } = input
    if (id !== undefined) await checkChosenId(context, { id, client_id })
    const isLinked = input.permission_form === 'linked'
    const patterns = distinctPatterns(asked ?? [])
    const made: New<typeof Role> = {
      ...input,
      client_id,
      is_system: client_id === undefined,
      permissions: isLinked ? [] : patterns.map((pattern) => ({ ...pattern })),
      created_by: context.user?.id,
    }
    const after: NewRole = { ...madeItem(context.table.runtime, Role, made), client_id }
    return namingTaken(client_id, input.name, () =>
      decideAnew(context.table.runtime, async () => {
        const above = await rolesAbove(context, client_id, input.parent_role_id)
        const granted = distinctPatterns([...patterns, ...(await permissionsOfRoles(context, above))])
        // A role of many links is there, and may be given to somebody, before it has them all.
        const isByJob = isLinked && patterns.length > linksAtOnceMax
        await checkHeld(context, granted, place, isByJob ? null : undefined)
        const entry = await confirmedGrant(context, granted, confirm_dangerous)
        const entries = isLinked ? await catalogued(context, patterns) : []
        // Only an id that was chosen may be another role's, too.
        if (isLinked && id !== undefined) checkFree(await linkStates(context, { id, client_id }, entries))
        if (entries.length <= linksAtOnceMax) return writeRole(context, after, above, entries, entry)
        return createByJob(context, { role: after, permissions: patterns, above, entry })
      }),
    )
  },
})
