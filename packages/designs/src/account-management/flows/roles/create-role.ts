import {
  actorText,
  type ChangeEntry,
  checkChosenId,
  createErrors,
  createItem,
  given,
  type InputOf,
  itemOf,
  newItem,
  permittedAgain,
  replaceEdges,
  retryOnConflict,
} from '@freehold/frame/flow'
import { count, FreeholdError, isFreeholdError, list, map, type New, oneOf, record, uuid } from '@freehold/table'
import { consistent, parallel } from '@freehold/table/runtime'
import { PermissionKey, Role } from '../../design.ts'
import { distinctPatterns, permissionWords } from '../../permission/patterns.ts'
import { type AccountContext, flow, job } from '../account-host.ts'
import { checkHeld } from '../assignments/grant-ceiling.ts'
import * as needs from '../needs.ts'
import { checkLinked, checkLinks, patterns } from './change-links.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { type CatalogueEntry, catalogued, entriesOf, type LinkedRole } from './linked-permissions.ts'
import { permissionsToGrant } from './permission-input.ts'
import { liveRole, permissionsOfRoles, type RoleItem, rolesAbove, touching } from './role-ancestry.ts'
import { checkFree, linksAtOnceMax, roleLinks } from './role-links.ts'
import { nameTaken, namingTaken } from './role-name.ts'
import { ownedRole, ownerOfScope, scopeOfOwner, scopeOfRole } from './role-scope.ts'

/** The links of roles of one id lie together. Throws `Denied`, `AlreadyExists`. */
async function checkIdOfRole(context: AccountContext, { id, client_id }: LinkedRole): Promise<void> {
  checkChosenId(context, 'role', id)
  const { table } = context
  if (client_id === undefined || (await table.Role.get({ id }, consistent)) === undefined) return
  throw new FreeholdError('AlreadyExists', `The system has a role ${id} already.`, { entity: Role.name })
}

/** A role to be: its id is made. */
type NewRole = New<typeof Role> & { readonly client_id?: string | undefined }

/** The role in one transaction with links to these entries, as many as that holds. Throws what keeps it from being written. */
async function writeRole(
  context: AccountContext,
  role: NewRole,
  above: readonly RoleItem[],
  entries: readonly CatalogueEntry[],
  { more, ...entry }: Pick<ChangeEntry, 'severity' | 'more'>,
): Promise<RoleItem> {
  const linked = role.permission_form === 'linked' ? { granted: entries.map(permissionWords) } : {}
  const links = roleLinks.steps(context, { client_id: role.client_id, id: String(role.id) }, { add: entries, remove: [] })
  return createItem(context, Role, role, { steps: { ...touching(above), ...links }, entry: { ...entry, more: { ...linked, ...more } } })
}

/** A role with more links than one transaction holds. */
const creation = {
  ...Role.attributes,
  links: patterns,
  /** The roles above as they were when their permissions were looked at. */
  above: list(record({ id: uuid(), version: count() })),
  severity: oneOf('info', 'warning', 'critical').optional(),
  more: map().optional(),
}
type Creation = InputOf<typeof creation>

function partsOf({ links, above, severity, more, ...role }: Creation) {
  const client_id = role.client_id ?? undefined
  const entry = { ...(severity ? { severity } : {}), ...(more ? { more } : {}) }
  return { role: { ...role, client_id }, linked: { client_id, id: String(role.id) }, above, links, entry }
}

const versionsOf = (roles: readonly Pick<RoleItem, 'id' | 'version'>[]) => roles.map(({ id, version }) => `${id} ${version}`).join()

/** The role with the first of its links; undefined if it can no longer be created, and nothing was written. A flow that waits finds out why. */
async function begin(context: AccountContext, input: Creation): Promise<RoleItem | undefined> {
  const { role, linked, above: seen, links, entry } = partsOf(input)
  const { client_id } = linked
  const scope = scopeOfOwner(client_id)
  try {
    return await permittedAgain(context, needs.createRole, scope, async (acting) => {
      const above = await rolesAbove(acting, client_id, role.parent_role_id)
      if (versionsOf(above) !== versionsOf(seen)) return undefined
      const entries = (await entriesOf(acting, links.slice(0, linksAtOnceMax))).flatMap((each) => each ?? [])
      const granted = [...entries, ...(await permissionsOfRoles(acting, above))]
      await checkHeld(acting, [{ granted, until: null }], scope)
      return writeRole(acting, role, above, entries, entry)
    })
  } catch (error) {
    if (!isFreeholdError(error) || error.category === 'retryable' || error.category === 'unavailable') throw error
    return undefined
  }
}

/** The durable job: creates the role, then the rest of its links. Run again, it goes on with the role of this id, which was created for it. */
export const creatingLinkedRole = job(
  replaceEdges(roleLinks, {
    name: 'createLinkedRole',
    flow: 'createRole',
    input: creation,
    subject: ({ id }) => `ROLE#${id}`,
    within: (input) => scopeOfOwner(partsOf(input).linked.client_id),
    needs: [needs.createRole],
    endOf: (input) => partsOf(input).linked,
    asked: ({ links }) => ({ add: links, remove: [] }),
    next: async (context, input, looks) => {
      if (looks > 0) return undefined
      const there = (await context.table.Role.get(partsOf(input).linked, consistent)) ?? (await begin(context, input))
      return there === undefined ? undefined : { add: input.links, remove: [] }
    },
    check: (context, input, add) => checkLinks(context, partsOf(input).linked, add),
    entry: (input) => partsOf(input).entry,
  }),
)

/** The job is recorded before anything else: a role is never left with less than it was asked for. */
async function createByJob(context: AccountContext, input: Creation): Promise<RoleItem> {
  const { table } = context
  const { role, linked } = partsOf(input)
  if ((await table.Role.get(linked, consistent)) !== undefined)
    throw new FreeholdError('AlreadyExists', `The Role ${linked.id} exists already.`, { entity: Role.name })
  await checkNameFree(context, role)
  const why = await creatingLinkedRole.start(context, input)
  if ((await table.Role.get(linked, consistent)) !== undefined) {
    await checkLinked(context, linked, { add: input.links, remove: [] }, why)
    return liveRole(context, linked.client_id, linked.id)
  }
  if (why !== undefined) throw why
  await checkNameFree(context, role)
  // A caller who may not any more is told so, instead of trying again.
  await permittedAgain(context, needs.createRole, scopeOfOwner(linked.client_id), async () => undefined)
  throw new FreeholdError('VersionConflict', 'What this role was to be made of changed meanwhile.', { entity: Role.name })
}

async function checkNameFree({ table }: AccountContext, { client_id, name }: NewRole): Promise<void> {
  if ((await table.RoleName.get({ client_id, name }, consistent)) !== undefined) throw nameTaken(client_id, name)
}

export const createRole = flow({
  name: 'createRole',
  summary:
    'Creates a role of a client, or a system role, with permissions of its own and perhaps a parent whose permissions it has too. Only operators choose its id.',
  input: {
    ...ownedRole,
    ...given(Role, 'id', 'name', 'description', 'custom_template_id', 'parent_role_id', 'permission_form'),
    permissions: permissionsToGrant.optional(),
    ...confirming,
  },
  needs: needs.createRole,
  effect: 'write',
  writes: { create: Role },
  returns: itemOf(Role),
  errors: [...createErrors, 'VersionConflict', 'TooLarge'],
  scope: scopeOfRole,
  reads: ({ permission_form, permissions = [] }) =>
    permission_form === 'linked' ? (permissions ?? []).map((pattern) => [PermissionKey, { ...pattern }] as const) : [],
  run: async (context, { system: _, confirm_dangerous, permissions: asked, ...input }, scope) => {
    const client_id = ownerOfScope(scope)
    const { id } = input
    if (id !== undefined) await checkIdOfRole(context, { id, client_id })
    const isLinked = input.permission_form === 'linked'
    const patterns = distinctPatterns(asked ?? [])
    const made: New<typeof Role> = {
      ...input,
      client_id,
      is_system: client_id === undefined,
      permissions: isLinked ? [] : patterns,
      created_by: actorText(context.caller),
    }
    const after: NewRole = { ...newItem(context.table.runtime, Role, made), client_id }
    return namingTaken(client_id, input.name, () =>
      retryOnConflict(context.table.runtime, async () => {
        const above = await rolesAbove(context, client_id, input.parent_role_id)
        const granted = distinctPatterns([...patterns, ...(await permissionsOfRoles(context, above))])
        // A role of many links is there, and may be given to somebody, before it has them all.
        const isByJob = isLinked && patterns.length > linksAtOnceMax
        const [, entry, entries] = await parallel(
          () => checkHeld(context, [{ granted, until: isByJob ? null : undefined }], scope),
          () => confirmedGrant(context, granted, confirm_dangerous),
          () => (isLinked ? catalogued(context, patterns) : []),
        )
        // Only an id that was chosen may be another role's, too.
        if (isLinked && id !== undefined) await checkFree(context, { id, client_id }, entries)
        if (entries.length <= linksAtOnceMax) return writeRole(context, after, above, entries, entry)
        return createByJob(context, {
          ...after,
          ...entry,
          links: patterns,
          above: above.map((each) => ({ id: each.id, version: each.version })),
        })
      }),
    )
  },
})
