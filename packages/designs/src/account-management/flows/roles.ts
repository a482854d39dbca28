import { count, creating, flag, invalidInput, list, type New, record, type Steps, text, updating, uuid } from '@freehold/table'
import { decideAnew } from '../../flow/decide-anew.ts'
import { changing, given } from '../../flow/input-attributes.ts'
import { givenBack, madeItem } from '../../flow/made-item.ts'
import { permissionWords } from '../deciding/permission.ts'
import { Role } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { accountFlow } from './account-flow.ts'
import { writeAudited } from './audited.ts'
import { changeAudited, checkNamedVersion } from './change-audited.ts'
import { confirmedGrant, confirming } from './dangerous.ts'
import { checkHeld } from './held.ts'
import { distinctPatterns, isSamePattern, type PermissionPattern } from './permission-pattern.ts'
import { clientNamed, clientPlace, type Place } from './place.ts'
import {
  hangingUnder,
  hintOf,
  hintSteps,
  ownPermissions,
  permissionsOfRoles,
  type RoleItem,
  standingRole,
  touching,
} from './role-ancestry.ts'
import { catalogueIds, linking, linksAtOnceMax, startLinkJob, writeLinks } from './role-links.ts'

/** More are linked (spec: the linked form is required above that). */
export const embeddedMax = 1000

/** A system role is named as such: omitting client_id means the caller's own client, never the system. */
export const ownedRole = { client_id: uuid().optional(), system: flag().optional() }
export const namedRole = { id: uuid(), ...ownedRole, version: count().optional() }
const permissions = list(record({ module: text(), action: text(), resource: text() }))

interface OwnedRole {
  readonly client_id?: string | null | undefined
  readonly system?: boolean | null | undefined
}

/** Whose role it is. Throws `InvalidInput` for one that would be a client's and the system's. */
export async function ownerPlaceOfRole(context: AccountContext, { client_id, system }: OwnedRole): Promise<Place | 'system'> {
  if (system !== true) return clientPlace(context, clientNamed(context, client_id))
  if (client_id === undefined || client_id === null) return 'system'
  throw invalidInput(context.flow, [{ path: ['client_id'], message: 'is of no system role' }], { flow: context.flow })
}

export const ownerOfPlace = (place: Place | 'system'): string | undefined => (place === 'system' ? undefined : place.client_id)

function checkEmbeddable({ flow }: AccountContext, patterns: readonly PermissionPattern[]): void {
  if (patterns.length <= embeddedMax) return
  const message = `would be ${patterns.length}: above ${embeddedMax} a role has the form 'linked'`
  throw invalidInput(flow, [{ path: ['permissions'], message }], { flow })
}

export const createRole = accountFlow({
  name: 'createRole',
  summary: 'Creates a role of a client, or a system role, with permissions of its own and perhaps a parent whose permissions it has too.',
  input: {
    ...ownedRole,
    ...given(Role, 'id', 'name', 'description', 'custom_template_id', 'parent_role_id', 'permission_form'),
    permissions: permissions.optional(),
    ...confirming,
  },
  place: ownerPlaceOfRole,
  run: async (context, { system: _, confirm_dangerous, permissions: asked, ...input }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    const isLinked = input.permission_form === 'linked'
    const patterns = distinctPatterns(asked ?? [])
    if (!isLinked) checkEmbeddable(context, patterns)
    const embedded = isLinked ? [] : patterns.map((pattern) => ({ ...pattern }))
    const made: New<typeof Role> = {
      ...input,
      client_id,
      is_system: client_id === undefined,
      permissions: embedded,
      created_by: context.user?.id,
    }
    const after = madeItem(context.table.runtime, Role, made)
    const id = String(after.id)
    const { role, rest } = await decideAnew(context.table.runtime, async () => {
      const { above } = await hangingUnder(context, client_id, input.parent_role_id)
      const granted = distinctPatterns([...patterns, ...(await permissionsOfRoles(context, above))])
      await checkHeld(context, granted, place)
      const entry = await confirmedGrant(context, granted, confirm_dangerous)
      const ids = isLinked ? await catalogueIds(context, patterns) : []
      const isWhole = ids.length <= linksAtOnceMax
      const links: Steps = isWhole ? linking(context, client_id, id, ids) : {}
      const linked = isLinked && isWhole ? { granted: patterns.map(permissionWords) } : {}
      const steps = { ...touching(above), role: creating(Role, { ...after, ancestor_ids: hintOf(above) }), ...links }
      const written = await writeAudited(context, steps, {
        entity: Role,
        id,
        client_id,
        after,
        ...entry,
        more: { ...linked, ...entry.more },
      })
      return { role: givenBack(Role, written.role), rest: isWhole ? undefined : entry }
    })
    if (rest === undefined) return role
    await startLinkJob(context, { client_id, id }, { add: patterns, remove: [] }, rest)
    return standingRole(context, client_id, id)
  },
})

export const updateRole = accountFlow({
  name: 'updateRole',
  summary: 'Renames a role, or changes its description or template.',
  input: { ...namedRole, ...changing(Role, 'name', 'description', 'custom_template_id') },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, client_id: _, system: __, ...change }, place): Promise<RoleItem> =>
    changeAudited(context, Role, { client_id: ownerOfPlace(place), id }, change, { version }),
})

export const setParentRole = accountFlow({
  name: 'setParentRole',
  summary: 'Gives a role a parent, whose permissions it has too, or none: no cycle, at most eight roles deep, within one client.',
  input: { ...namedRole, ...changing(Role, 'parent_role_id'), ...confirming },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, parent_role_id = null, confirm_dangerous }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    return decideAnew(context.table.runtime, async () => {
      const before = await standingRole(context, client_id, id)
      checkNamedVersion(Role, before.version, version)
      if ((before.parent_role_id ?? null) === parent_role_id) return before
      const hanging = await hangingUnder(context, client_id, parent_role_id, id)
      const { above } = hanging
      const granted = await permissionsOfRoles(context, above)
      await checkHeld(context, granted, place)
      const entry = await confirmedGrant(context, granted, confirm_dangerous)
      const steps = {
        ...touching(above),
        ...(await hintSteps(context, client_id, id, hanging)),
        role: updating(Role, { client_id, id }, { parent_role_id, ancestor_ids: hintOf(above) }, { version: before.version }),
      }
      const after = { ...before, parent_role_id }
      const { role } = await writeAudited(context, steps, { entity: Role, id, client_id, before, after, ...entry })
      return givenBack(Role, role)
    })
  },
})

export const changeRolePermissions = accountFlow({
  name: 'changeRolePermissions',
  summary: 'Adds permissions to a role and takes others away, embedded or linked as the role is; many links at once are a durable job.',
  input: { ...namedRole, add: permissions.optional(), remove: permissions.optional(), ...confirming },
  place: ownerPlaceOfRole,
  run: async (context, { id, version, add, remove, confirm_dangerous }, place): Promise<RoleItem> => {
    const client_id = ownerOfPlace(place)
    await decideAnew(context.table.runtime, async () => {
      const before = await standingRole(context, client_id, id)
      checkNamedVersion(Role, before.version, version)
      const own = await ownPermissions(context, before)
      const isAmong = (patterns: readonly PermissionPattern[], one: PermissionPattern) => patterns.some((each) => isSamePattern(each, one))
      const added = distinctPatterns(add ?? []).filter((pattern) => !isAmong(own, pattern))
      const removed = distinctPatterns(remove ?? []).filter((pattern) => isAmong(own, pattern))
      if (added.length + removed.length === 0) return
      await checkHeld(context, added, place)
      const entry = await confirmedGrant(context, added, confirm_dangerous)
      if (before.permission_form === 'linked') {
        await catalogueIds(context, added)
        const change = { add: added, remove: removed }
        if (added.length + removed.length > linksAtOnceMax) return startLinkJob(context, before, change, entry)
        return writeLinks(context, before, change, entry)
      }
      const next = [...own.filter((pattern) => !isAmong(removed, pattern)), ...added].map((pattern) => ({ ...pattern }))
      checkEmbeddable(context, next)
      const steps = { role: updating(Role, { client_id, id }, { permissions: next }, { version: before.version }) }
      await writeAudited(context, steps, { entity: Role, id, client_id, before, after: { ...before, permissions: next }, ...entry })
    })
    return standingRole(context, client_id, id)
  },
})
