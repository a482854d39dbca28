import type { Stored } from '@freehold/table/runtime'

// Items of AccountManagement as a foreign writer would write them: their keys are spelled out here, as the documents have them.

const letters = {
  client: 'c1',
  project: 'd0',
  building: 'b0',
  user: 'a0',
  role: 'e0',
  permission: 'f0',
  module: 'fa',
  device: 'de',
  zone: 'ce',
  audit: 'ad',
  token: 'ae',
  session: 'be',
  other: 'ef',
}

/** A UUID that tells what it is of: the same for the same number, in the order of the numbers, and another in upper case. */
export function idOf(kind: keyof typeof letters, number: number): string {
  return `${letters[kind].repeat(4)}-0000-4000-8000-${String(number).padStart(12, '0')}`
}

export const at = '2026-01-01T00:00:00.000Z'
/** The end of what is not over while these tests are run, and what that is in epoch seconds. */
export const never = { expires_at: '2199-01-01T00:00:00.000Z', ttl: 7_226_582_400 }
/** The end of what is. */
export const longAgo = { expires_at: '2020-01-01T00:00:00.000Z', ttl: 1_577_836_800 }

type Attributes = Readonly<Record<string, unknown>>
export type ScopeType = 'client' | 'project' | 'building' | 'user'

export const item = (Type: string, PK: string, SK: string, attributes: Attributes): Stored => ({ PK, SK, Type, version: 1, ...attributes })

const stamps = (created_at: string) => ({ created_at, updated_at: created_at })

/** The keys of what a client has, in GSI1 and, where it says when it was made, in GSI4. */
const ofClient = (client_id: string, kind: string, id: string, created_at?: string): Attributes => ({
  GSI1PK: `CLIENT#${client_id}`,
  GSI1SK: `${kind}#${id}`,
  ...(created_at === undefined ? {} : { GSI4PK: `CLIENT#${client_id}`, GSI4SK: `${kind}#${created_at}` }),
})

export const client = (id: string, created_at = at) => [
  item('Client', `CLIENT#${id}`, 'METADATA', {
    ...ofClient(id, 'CLIENT', id, created_at),
    ...{ id, name: 'Acme', status: 'active', timezone: 'UTC', ...stamps(created_at) },
  }),
  item('ClientEntry', 'DIRECTORY#CLIENT', `CLIENT#${id}`, { id, name: 'Acme', status: 'active' }),
]

export const project = (client_id: string, id: string, created_at = at) => [
  item('Project', `CLIENT#${client_id}`, `PROJECT#${id}`, {
    ...ofClient(client_id, 'PROJECT', id, created_at),
    ...{ id, client_id, name: 'Harbour', status: 'active', ...stamps(created_at) },
  }),
  item('ProjectPlace', `PROJECT#${id}`, 'METADATA', { id, client_id }),
]

/** The lookup item that tells the owner of a project, beside the project. */
export const ownedProject = (client_id: string, owner_user_id: string, id: string) =>
  item('OwnedProject', `OWNED_PROJECTS#${owner_user_id}`, `PROJECT#${id}`, { id, client_id, owner_user_id })

export const building = (client_id: string, project_id: string, id: string, created_at = at) => [
  item('Building', `PROJECT#${project_id}`, `BUILDING#${id}`, {
    ...ofClient(client_id, 'BUILDING', id, created_at),
    ...{ id, project_id, client_id, name: 'Pier', status: 'active', ...stamps(created_at) },
  }),
  item('BuildingPlace', `BUILDING#${id}`, 'METADATA', { id, project_id, client_id }),
  item('ClientBuilding', `CLIENT_BUILDINGS#${client_id}`, `BUILDING#${project_id}#${id}`, { id, project_id, client_id }),
]

export const device = (client_id: string, building_id: string, id: string) =>
  item('Device', `BUILDING#${building_id}`, `DEVICE#${id}`, {
    ...ofClient(client_id, 'DEVICE', id),
    ...{ id, building_id, client_id, name: 'Fan', type: 'hvac', status: 'active', ...stamps(at) },
  })

export const zone = (client_id: string, building_id: string, id: string) =>
  item('Zone', `BUILDING#${building_id}`, `ZONE#${id}`, {
    ...ofClient(client_id, 'ZONE', id),
    ...{ id, building_id, client_id, name: 'Lobby', type: 'lobby', ...stamps(at) },
  })

const unreadTypes: ReadonlySet<unknown> = new Set(['UserEmail', 'ClientUser', 'RoleHolder'])

/**
 * A crowd as decisions read it, at a third of what its items cost the engine: they use no index, and call nobody of a crowd by an e-mail
 * address. The lookup items by which a removal finds users and holders of roles are left out, too.
 */
export function crowd(items: readonly Stored[]): Stored[] {
  return items.flatMap((each) => {
    if (unreadTypes.has(each.Type)) return []
    const unindexed = Object.entries(each).filter(([name]) => !name.startsWith('GSI'))
    // The keys of the table are among what is left.
    return [Object.fromEntries(unindexed) as Stored]
  })
}

/** A user; of no client, it is in GSI2 and GSI3 only. */
export const user = (client_id: string | undefined, id: string, email: string, created_at = at) => {
  const owner = client_id === undefined ? {} : { client_id }
  return [
    item('User', `USER#${id}`, 'METADATA', {
      ...(client_id === undefined ? {} : ofClient(client_id, 'USER', id, created_at)),
      GSI2PK: `USER#${id}`,
      GSI2SK: `USER#${id}`,
      GSI3PK: `EMAIL#${email}`,
      GSI3SK: `USER#${id}`,
      ...{ id, ...owner, email, status: 'active', mfa_enabled: false, ...stamps(created_at) },
      user_type: client_id === undefined ? 'internal' : 'external_tenant',
    }),
    item('UserEmail', `USER_EMAIL#${email}`, `USER_EMAIL#${email}`, { id, email, ...owner }),
    item('ClientUser', `CLIENT_USERS#${client_id ?? 'SYSTEM'}`, `USER#${id}`, { id, ...owner }),
  ]
}

interface RoleMore {
  readonly created_at?: string
  readonly parent?: string
}

/** The lookup items that tell the parent of a role; a role tells it itself, too. */
export const roleParent = (client_id: string | undefined, id: string, parent_role_id: string) =>
  item('RoleParent', `ROLE_PARENTS#${client_id ?? 'SYSTEM'}`, `ROLE#${id}#${parent_role_id}`, {
    ...{ id, parent_role_id },
    ...(client_id === undefined ? {} : { client_id }),
  })

/** A role; of no client, it is the system's and in no index. */
export const role = (client_id: string | undefined, id: string, name: string, { created_at = at, parent }: RoleMore = {}) => {
  const owner = client_id === undefined ? {} : { client_id }
  const guard = `ROLE_NAME#${client_id ?? 'SYSTEM'}#${name}`
  return [
    item('Role', client_id === undefined ? 'SYSTEM' : `CLIENT#${client_id}`, `ROLE#${id}`, {
      ...(client_id === undefined ? {} : ofClient(client_id, 'ROLE', id, created_at)),
      ...(parent === undefined ? {} : { parent_role_id: parent }),
      ...{ id, ...owner, name, is_system: client_id === undefined, permission_form: 'embedded', permissions: [], ...stamps(created_at) },
    }),
    item('RoleName', guard, guard, { id, name, ...owner }),
    ...(parent === undefined
      ? []
      : [
          item('RoleChild', `ROLE_CHILDREN#${parent}`, `ROLE#${id}`, { id, parent_role_id: parent, ...owner }),
          roleParent(client_id, id, parent),
        ]),
  ]
}

export const permission = (id: string, module: string, action: string, resource: string) => {
  const guard = `PERMISSION_KEY#${module}#${action}#${resource}`
  return [
    item('Permission', 'SYSTEM', `PERMISSION#${id}`, { id, module, action, resource, is_dangerous: false, ...stamps(at) }),
    item('PermissionKey', guard, guard, { id, module, action, resource }),
  ]
}

export const link = (client_id: string | undefined, role_id: string, permission_id: string) => {
  const edge = { role_id, permission_id, ...(client_id === undefined ? {} : { client_id }), granted_at: at }
  const copies = { module: 'devices', action: 'read', resource: 'camera' }
  return [
    item('RolePermissionLink', `ROLE#${role_id}`, `PERMISSION#${permission_id}`, { ...edge, ...copies }),
    item('PermissionRole', `PERMISSION_ROLES#${permission_id}`, `ROLE#${role_id}`, edge),
  ]
}

/** A role of the client's own at one of its places. */
export const assignment = (client_id: string, user_id: string, role_id: string, scope_type: ScopeType, scope_id: string) => {
  const mirrored = { user_id, role_id, role_owner: client_id, scope_type, scope_id, client_id }
  return [
    item('UserRoleAssignment', `USER#${user_id}`, `ROLE#${scope_type}#${scope_id}#${role_id}`, {
      GSI2PK: `USER#${user_id}`,
      GSI2SK: `ACCESS#${scope_type}#${scope_id}#${role_id}`,
      ...{ id: idOf('other', 1), ...mirrored, ...stamps(at) },
    }),
    item('ScopeAssignment', `SCOPE#${scope_type}#${scope_id}`, `ASSIGNMENT#${role_id}#${user_id}`, mirrored),
    item('RoleHolder', `ROLE_HOLDERS#${role_id}`, `${scope_type}#${scope_id}#${user_id}`, mirrored),
  ]
}

export const subscription = (
  client_id: string,
  scope_type: ScopeType,
  scope_id: string,
  module_id: string,
  status: 'active' | 'expired' | 'trial' = 'active',
) =>
  item('ServiceSubscription', `SCOPE#${scope_type}#${scope_id}`, `SUBSCRIPTION#${module_id}`, {
    GSI5PK: `MODULE#${module_id}`,
    GSI5SK: `SUBSCRIPTION#${scope_type}#${scope_id}`,
    ...{ id: idOf('other', 2), client_id, scope_type, scope_id, module_id, status, tier: 'standard', auto_renew: false },
    ...{ start_date: at, created_at: at },
  })

export const setting = (client_id: string, scope_type: ScopeType, scope_id: string, key: string) =>
  item('Setting', `SCOPE#${scope_type}#${scope_id}`, `SETTING#${key}`, {
    ...{ id: idOf('other', 3), client_id, scope_type, scope_id, key, value: 'on', value_type: 'string' },
    ...{ is_overridable: true, last_updated: at },
  })

/** An event; of no client, it lies at SYSTEM and in no index. */
export const audit = (client_id: string | undefined, id: string, timestamp: string, user_id?: string, end: Attributes = never) =>
  item('AuditLog', client_id === undefined ? 'SYSTEM' : `CLIENT#${client_id}`, `AUDIT#${timestamp}#${id}`, {
    ...(client_id === undefined ? {} : { GSI4PK: `CLIENT#${client_id}`, GSI4SK: `AUDIT#${timestamp}`, client_id }),
    ...(user_id === undefined ? {} : { user_id }),
    ...{ id, action: 'login', timestamp, status: 'success', severity: 'info', ...end },
  })

export const token = (client_id: string, user_id: string, id: string, end: Attributes = never) => [
  item('AuthToken', `USER#${user_id}`, `TOKEN#${id}`, {
    id,
    user_id,
    client_id,
    token_type: 'refresh',
    issued_at: at,
    revoked: false,
    ...end,
  }),
  item('TokenById', `TOKEN_ID#${id}`, `TOKEN_ID#${id}`, { id, user_id, client_id, ...end }),
]

export const identity = (client_id: string, user_id: string, provider: string, subject: string) => [
  item('SignInIdentity', `IDENTITY#${provider}#${subject}`, `IDENTITY#${provider}#${subject}`, { provider, subject, user_id, client_id }),
  item('UserSignInEdge', `USER#${user_id}`, `IDENTITY#${provider}`, { provider, subject, user_id, client_id }),
]

export const session = (client_id: string, user_id: string, id: string, session_start: string, end: Attributes = never) => [
  item('LoginSession', `USER#${user_id}`, `SESSION#${session_start}#${id}`, {
    ...{ id, user_id, client_id, session_start, mfa_verified: false, status: 'active', ...end },
  }),
  item('SessionById', `SESSION_ID#${id}`, `SESSION_ID#${id}`, { id, user_id, client_id, session_start, ...end }),
]
