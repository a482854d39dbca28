import { identityNames, identityProviders, signInReasons, uniqueName, untold } from '@freehold/frame/attributes'
import {
  beginsWith,
  between,
  count,
  day,
  dependingOn,
  design,
  edge,
  email,
  entity,
  flag,
  get,
  instant,
  list,
  map,
  mirror,
  number,
  oneOf,
  phone,
  query,
  queryOn,
  record,
  stamp,
  text,
  unique,
  unless,
  uuid,
  verbatim,
} from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'

// The key blocks of the table design name no attributes. So an item by them has what its keys say; the rest may be absent.

const created = { created_at: stamp.onCreate().mayBeAbsent(untold) }
const stamps = { ...created, updated_at: stamp.onWrite().mayBeAbsent(untold) }
const permission = { module: uniqueName, action: uniqueName, resource: uniqueName }
const noPermission = 'the entry is no permission: nothing is granted by it'
const daysAfter = (instant: unknown, days: number) =>
  typeof instant === 'string' ? new Date(Date.parse(instant) + days * day_ms).toISOString() : undefined

const ofScope = 'it is of the client of its scope'
const ofParent = 'it is of the client of what it lies beneath, which decisions read'

// Tenants (requirements, entity 1)

/** Who did it: the id of a user, or `operator` and its name. */
const actor = () => uuid({ or: 'operator' }).optional()

export const Client = entity('Client', {
  attributes: {
    id: uuid().made(),
    name: uniqueName.mayBeAbsent(untold),
    status: oneOf('active', 'suspended').default('active'),
    logo_url: text().optional(),
    primary_contact_email: email().optional(),
    primary_contact_name: text().optional(),
    timezone: text().default('UTC'),
    billing_email: email().optional(),
    address: text().optional(),
    phone: phone().optional(),
    identity_providers: identityProviders,
    ...stamps,
  },
  key: ['CLIENT#{id}', 'METADATA'],
  indexes: { GSI1: ['CLIENT#{id}', 'CLIENT#{id}'], GSI4: ['CLIENT#{id}', 'CLIENT#{created_at}'] },
})

// Users (entity 4)

export const User = entity('User', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(), // none: internal
    email: email().mayBeAbsent('no e-mail address finds the user'),
    status: oneOf('active', 'disabled')
      .made(() => 'active')
      .mayBeAbsent('the user is not known to be active: everything is denied'),
    first_name: text().optional(),
    last_name: text().optional(),
    password_hash: text().optional().secret(),
    phone: phone().optional(),
    title: text().optional(),
    department: text().optional(),
    last_login_at: instant().optional(),
    user_type: oneOf('internal', 'client_admin', 'external_customer', 'external_tenant')
      .mayBeAbsent('the user is not internal: without a client it is allowed nothing')
      .describe('What kind of user it is: `internal` without a client, another one with a client.'),
    invited_by: actor(),
    invited_at: instant().optional(),
    invitation_status: oneOf('open', 'accepted', 'expired', 'withdrawn')
      .optional()
      .addition(
        'a user who was invited is active only once it has accepted; who was disabled before that is not let in by being invited again',
      ),
    invitation_expires_at: instant().optional().addition('an invitation ends, and is accepted once: this is there until it is'),
    mfa_enabled: flag().default(false),
    mfa_type: text().optional(),
    mfa_secret: text().optional().secret(),
    password_last_changed_at: instant().optional(),
    ...stamps,
  },
  key: ['USER#{id}', 'METADATA'],
  indexes: {
    GSI1: ['CLIENT#{client_id}', 'USER#{id}'],
    GSI2: ['USER#{id}', 'USER#{id}'],
    GSI3: ['EMAIL#{email}', 'USER#{id}'],
    GSI4: ['CLIENT#{client_id}', 'USER#{created_at}'],
  },
  refers: { client_id: Client },
})
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], ['client_id'], {
  why: 'an e-mail address is of one user, which GSI3 cannot see to; sign-in reads it consistently',
})
const clientUser = ['CLIENT_USERS#{client_id}|CLIENT_USERS#SYSTEM', 'USER#{id}'] as const
export const ClientUser = mirror('ClientUser', User, clientUser, [], {
  why: 'a deleted client takes its users; internal users, who are in no index of clients, are swept, too',
})

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { user_id: User },
  attributes: { ...identityNames, ...created },
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER#{user_id}', 'IDENTITY#{provider}'],
  },
  copies: { SignInIdentity: { client_id: 'user_id.client_id' }, UserSignInEdge: { client_id: 'user_id.client_id' } },
  additions: signInReasons,
})

// Projects and buildings (entities 2-3)

export const Project = entity('Project', {
  attributes: {
    id: uuid().made(),
    client_id: uuid(),
    name: text().mayBeAbsent(untold),
    description: text().optional(),
    status: oneOf('active', 'completed', 'on-hold').default('active'),
    start_date: day().optional(),
    end_date: day().optional(),
    region: text().optional(),
    owner_user_id: uuid().optional(),
    ...stamps,
  },
  key: ['CLIENT#{client_id}', 'PROJECT#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'PROJECT#{id}'], GSI4: ['CLIENT#{client_id}', 'PROJECT#{created_at}'] },
  refers: { client_id: Client, owner_user_id: { to: User, onRemove: 'refuse' } },
  fixed: ['client_id'],
})
export const ProjectPlace = mirror('ProjectPlace', Project, ['PROJECT#{id}', 'METADATA'], [], { why: 'from a bare id to its client' })
export const OwnedProject = mirror('OwnedProject', Project, ['OWNED_PROJECTS#{owner_user_id}', 'PROJECT#{id}'], [], {
  why: 'a user who owns projects does not go',
})

export const Building = entity('Building', {
  attributes: {
    id: uuid().made(),
    project_id: uuid(),
    client_id: uuid().from('project_id').addition('its keys in GSI1 and GSI4 need it', ofParent),
    name: text().mayBeAbsent(untold),
    address: text().optional(),
    city: text().optional(),
    state: text().optional(),
    country: text().optional(),
    postal_code: text().optional(),
    timezone: text().optional(),
    square_footage: number({ min: 0 }).optional(),
    floors: count().optional(),
    year_built: number({ integer: true }).optional(),
    status: oneOf('active', 'inactive').default('active'),
    geo_latitude: number({ min: -90, max: 90 }).optional(),
    geo_longitude: number({ min: -180, max: 180 }).optional(),
    ...stamps,
  },
  key: ['PROJECT#{project_id}', 'BUILDING#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'BUILDING#{id}'], GSI4: ['CLIENT#{client_id}', 'BUILDING#{created_at}'] },
  refers: { project_id: ProjectPlace },
  fixed: ['client_id'], // it moves within its client only
})
export const BuildingPlace = mirror('BuildingPlace', Building, ['BUILDING#{id}', 'METADATA'], ['client_id'], {
  why: 'from a bare id to its project and client',
})
export const ClientBuilding = mirror('ClientBuilding', Building, ['CLIENT_BUILDINGS#{client_id}', 'BUILDING#{project_id}#{id}'], [], {
  why: 'decisions list the buildings of a client in the order of its projects, which GSI1 does not, nor consistently',
})

// Roles and permissions (entities 5-7; the linkage of the table design)

/** In the catalogue, which the whole system shares. */
export const Permission = entity('Permission', {
  attributes: {
    id: uuid().made(),
    module: uniqueName.mayBeAbsent(noPermission),
    action: uniqueName.mayBeAbsent(noPermission),
    resource: uniqueName.mayBeAbsent(noPermission),
    description: text().optional(),
    is_dangerous: flag().default(false),
    ...stamps,
  },
  key: ['SYSTEM', 'PERMISSION#{id}'],
})
const permissionKey = 'PERMISSION_KEY#{module}#{action}#{resource}'
export const PermissionKey = unique('PermissionKey', Permission, [permissionKey, permissionKey], [], {
  why: 'the catalogue has one entry of a module, action and resource',
})

export const Role = entity('Role', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(), // none: a system role
    name: uniqueName.mayBeAbsent(untold),
    description: text().optional(),
    is_system: flag().default(false),
    custom_template_id: uuid().optional(),
    created_by: actor(),
    parent_role_id: uuid().optional(),
    permission_form: oneOf('embedded', 'linked').default('embedded').addition('which of the two forms of the table design counts'),
    permissions: list(record(permission)).default([]),
    ...stamps,
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'ROLE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'ROLE#{id}'], GSI4: ['CLIENT#{client_id}', 'ROLE#{created_at}'] },
  refers: { client_id: Client, parent_role_id: { to: 'itself', onRemove: 'refuse' } },
})
const roleName = 'ROLE_NAME#{client_id}#{name}|ROLE_NAME#SYSTEM#{name}'
export const RoleName = unique('RoleName', Role, [roleName, roleName], [], { why: 'a client, or the system, has one role of a name' })
export const RoleChild = mirror('RoleChild', Role, ['ROLE_CHILDREN#{parent_role_id}', 'ROLE#{id}'], [], {
  why: 'a role with children does not go',
})
const roleParent = ['ROLE_PARENTS#{client_id}|ROLE_PARENTS#SYSTEM', 'ROLE#{id}#{parent_role_id}'] as const
export const RoleParent = mirror('RoleParent', Role, roleParent, [], { why: 'all roles above one are known at once, to be read together' })

/** A link repeats what the catalogue says, and follows it. */
export const { RolePermissionLink, PermissionRole } = edge({
  ends: { role_id: Role, permission_id: { to: Permission, onRemove: 'refuse' } },
  attributes: {
    client_id: uuid().optional().addition('the client of the role, whose key needs it', 'it is of the one role that has the id'),
    granted_by: actor(),
    granted_at: stamp.onCreate().mayBeAbsent(untold),
  },
  items: {
    RolePermissionLink: ['ROLE#{role_id}', 'PERMISSION#{permission_id}'],
    PermissionRole: ['PERMISSION_ROLES#{permission_id}', 'ROLE#{role_id}'],
  },
  copies: { RolePermissionLink: { module: 'permission_id.module', action: 'permission_id.action', resource: 'permission_id.resource' } },
  additions: { PermissionRole: 'a permission in use does not go' },
})

export const UserRoleAssignment = entity('UserRoleAssignment', {
  attributes: {
    id: uuid().made().mayBeAbsent('user, scope and role name it'),
    user_id: uuid(),
    role_id: uuid(),
    role_owner: text().addition(
      'where the role lies: the id of its client, or SYSTEM',
      "it is the client's role of the id or, if that has none, the system's",
    ),
    scope_type: oneOf('client', 'project', 'building'),
    scope_id: uuid(),
    client_id: uuid().from('scope_id', { Client: 'id' }).addition('tenant isolation needs it', ofScope),
    start_at: instant().optional(),
    expires_at: instant().optional(),
    created_by: actor(),
    ...stamps,
  },
  key: ['USER#{user_id}', 'ROLE#{scope_type}#{scope_id}#{role_id}'],
  indexes: { GSI2: ['USER#{user_id}', 'ACCESS#{scope_type}#{scope_id}#{role_id}'] },
  refers: {
    user_id: User,
    role_id: { to: Role, onRemove: 'refuse', by: { client_id: unless('role_owner', 'SYSTEM') } },
    scope_id: dependingOn('scope_type', { client: Client, project: ProjectPlace, building: BuildingPlace }),
  },
  fixed: ['role_owner'],
})
const effective = ['role_owner', 'client_id', 'start_at', 'expires_at'] as const
export const ScopeAssignment = mirror(
  'ScopeAssignment',
  UserRoleAssignment,
  ['SCOPE#{scope_type}#{scope_id}', 'ASSIGNMENT#{role_id}#{user_id}'],
  effective,
  { why: 'who has access here; a deleted scope takes its assignments' },
)
export const RoleHolder = mirror(
  'RoleHolder',
  UserRoleAssignment,
  ['ROLE_HOLDERS#{role_id}', '{scope_type}#{scope_id}#{user_id}'],
  effective,
  { why: 'who holds a role; a role in use does not go' },
)

// Modules and settings (entities 8-9)

export const ServiceSubscription = entity('ServiceSubscription', {
  attributes: {
    id: uuid().made().mayBeAbsent('scope and module name it'),
    client_id: uuid().from('scope_id').mayBeAbsent(ofScope),
    scope_type: oneOf('building', 'project'),
    scope_id: uuid(),
    module_id: uuid(),
    status: oneOf('active', 'expired', 'trial')
      .made(() => 'active')
      .mayBeAbsent('it is not known to be active: nobody is entitled by it'),
    tier: oneOf('standard', 'premium').default('standard'),
    start_date: instant().made().mayBeAbsent('it has begun'),
    end_date: instant().optional(),
    created_by: actor(),
    auto_renew: flag().default(false),
    usage_quota: map().optional(),
    ...created,
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SUBSCRIPTION#{module_id}'],
  indexes: { GSI5: ['MODULE#{module_id}', 'SUBSCRIPTION#{scope_type}#{scope_id}'] },
  refers: { scope_id: dependingOn('scope_type', { project: ProjectPlace, building: BuildingPlace }) },
})

export const Setting = entity('Setting', {
  attributes: {
    id: uuid().made().mayBeAbsent('scope and key name it'),
    scope_type: oneOf('client', 'project', 'building', 'user'),
    scope_id: uuid(),
    client_id: uuid().from('scope_id', { Client: 'id' }).addition('tenant isolation needs it', ofScope),
    key: uniqueName,
    value: verbatim().mayBeAbsent('it sets nothing'),
    value_type: oneOf('string', 'number', 'boolean', 'json').default('string'),
    last_updated: stamp.onWrite().mayBeAbsent(untold),
    updated_by: actor(),
    is_overridable: flag().default(true),
    description: text().optional(),
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SETTING#{key}'],
  refers: { scope_id: dependingOn('scope_type', { client: Client, project: ProjectPlace, building: BuildingPlace, user: User }) },
})

// Zones and devices of a building (entities 10-11)

export const Zone = entity('Zone', {
  attributes: {
    id: uuid().made(),
    building_id: uuid(),
    client_id: uuid().from('building_id').addition('its key in GSI1 needs it', ofParent),
    name: text().mayBeAbsent(untold),
    description: text().optional(),
    floor: text().optional(),
    area_sqft: number({ min: 0 }).optional(),
    type: oneOf('office', 'lobby', 'utility').mayBeAbsent(untold),
    parent_zone_id: uuid().optional(),
    geo_json: map().optional(),
    ...stamps,
  },
  key: ['BUILDING#{building_id}', 'ZONE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'ZONE#{id}'] },
  refers: { building_id: BuildingPlace, parent_zone_id: { to: 'itself', onRemove: 'refuse' } },
})

export const Device = entity('Device', {
  attributes: {
    id: uuid().made(),
    building_id: uuid(),
    client_id: uuid().from('building_id').addition('its key in GSI1 needs it', ofParent),
    name: text().mayBeAbsent(untold),
    type: oneOf('hvac', 'camera', 'robot').mayBeAbsent(untold),
    manufacturer: text().optional(),
    model: text().optional(),
    serial_number: text().optional(),
    location_description: text().optional(),
    zone_id: uuid().optional(),
    status: oneOf('active', 'inactive').default('active'),
    configuration: map().optional(),
    last_seen_at: instant().optional(),
    ...stamps,
  },
  key: ['BUILDING#{building_id}', 'DEVICE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'DEVICE#{id}'] },
  refers: { building_id: BuildingPlace, zone_id: { to: Zone, onRemove: 'refuse' } },
})

// Items that expire (entities 12-14)

/** Events of no client lie at SYSTEM, in no index. It refers to nothing: it outlives what it tells of. */
export const AuditLog = entity('AuditLog', {
  attributes: {
    id: uuid().made(),
    user_id: uuid().optional(),
    action: text().mayBeAbsent(untold),
    entity_type: text().optional(),
    entity_id: uuid().optional(),
    timestamp: instant().made(),
    client_id: uuid().optional(),
    ip_address: text().optional(),
    user_agent: text().optional(),
    metadata: map().optional(),
    status: oneOf('success', 'failure', 'error')
      .made(() => 'success')
      .mayBeAbsent(untold),
    session_id: uuid().optional(),
    severity: oneOf('info', 'warning', 'critical')
      .made(() => 'info')
      .mayBeAbsent(untold),
    related_entities: map().optional(),
    expires_at: instant().default(({ timestamp }) => daysAfter(timestamp, 365)),
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'AUDIT#{timestamp}#{id}'],
  indexes: { GSI4: ['CLIENT#{client_id}', 'AUDIT#{timestamp}'] },
  appendOnly: true,
  expires: 'expires_at',
})

export const AuthToken = entity('AuthToken', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    client_id: uuid().from('user_id').mayBeAbsent('it is of the client of its user'),
    token_type: oneOf('JWT', 'refresh', 'api').mayBeAbsent(untold),
    token_hash: text().optional().secret().addition('a token is compared with its hash and never stored'),
    issued_at: instant().made().mayBeAbsent(untold),
    expires_at: instant()
      .default(({ issued_at }) => daysAfter(issued_at, 30))
      .mayBeAbsent('nobody knows when it was issued, nor when it ends: it is listed, and lets nobody in')
      .describe('When the token ends: it lives no longer than its type may live.'),
    payload: map().optional(),
    revoked: flag().default(false),
    revoked_at: instant().optional(),
    revoked_by: actor(),
    device_id: text().optional(),
    ip_address: text().optional(),
  },
  key: ['USER#{user_id}', 'TOKEN#{id}'],
  refers: { user_id: User },
  expires: 'expires_at',
})
export const TokenById = mirror('TokenById', AuthToken, ['TOKEN_ID#{id}', 'TOKEN_ID#{id}'], ['client_id'], {
  why: 'a token is revoked by its id alone',
})

export const LoginSession = entity('LoginSession', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    client_id: uuid().from('user_id').mayBeAbsent('it is of the client of its user'),
    sso_provider: text().optional(),
    session_start: instant().made(),
    session_end: instant().optional(),
    ip_address: text().optional(),
    user_agent: text().optional(),
    device_info: map().optional(),
    mfa_verified: flag().default(false),
    location: text().optional(),
    status: oneOf('active', 'expired', 'revoked')
      .made(() => 'active')
      .mayBeAbsent('it is not known to be active'),
    expires_at: instant().default(({ session_start }) => daysAfter(session_start, 90)),
  },
  key: ['USER#{user_id}', 'SESSION#{session_start}#{id}'],
  refers: { user_id: User },
  expires: 'expires_at',
})
export const SessionById = mirror('SessionById', LoginSession, ['SESSION_ID#{id}', 'SESSION_ID#{id}'], ['client_id'], {
  why: 'a session is revoked by its id alone',
})

export const ClientEntry = mirror('ClientEntry', Client, ['DIRECTORY#CLIENT', 'CLIENT#{id}'], ['name', 'status'], {
  why: 'lists the clients',
})

// The entities in the order of their numbers in the requirements, and the additions

const clients = { Client, Project, Building, User }
const roles = { Role, Permission, UserRoleAssignment }
const services = { ServiceSubscription, Setting, Device, Zone }
const records = { AuditLog, AuthToken, LoginSession }
const places = { ProjectPlace, BuildingPlace, ClientBuilding, UserEmail, ClientUser, OwnedProject }
const ofRoles = { PermissionKey, RoleName, RoleChild, RoleParent, PermissionRole, ScopeAssignment, RoleHolder }
const lookups = { TokenById, SessionById, ClientEntry, SignInIdentity, UserSignInEdge }

/** Clients, their projects and buildings; users with roles at one of them, for a time; modules, settings, devices, audit, sign-ins. */
export const accountManagement = design({
  name: 'account-management',
  table: 'AccountManagement',
  description: 'Clients, projects and buildings; users with scoped, time-bound roles; modules, settings and devices',
  entities: { ...clients, ...roles, ...services, ...records, RolePermissionLink, ...places, ...ofRoles, ...lookups },
  tenants: {
    by: 'client_id',
    of: { Client: 'id', ClientEntry: 'id' },
    shared: [Permission, PermissionKey, Role, RoleName, RoleChild, RoleParent, RolePermissionLink, PermissionRole], // of the system
    guests: [User, UserEmail], // internal users, who may have roles at every client
    crossing: ['clients', 'internalUsers', 'subscriptionsOfModule', 'systemAudit', 'rolesOfPermission'],
  },
  features: {
    ...{ devices: [Device, Zone], audit: [AuditLog], tokens: [AuthToken, TokenById], sessions: [LoginSession, SessionById] },
    identities: [SignInIdentity, UserSignInEdge],
  },
  patterns: {
    // requirements, sections 1-6
    userByEmail: queryOn('GSI3', 'EMAIL#{email}').returns(User),
    accessOfUserAtScope: queryOn('GSI2', 'USER#{user_id}', beginsWith('ACCESS#{scope_type}#{scope_id}')).returns(UserRoleAssignment),
    entitiesOfClient: queryOn('GSI1', 'CLIENT#{client_id}').returns(Client, Project, Building, User, Role, Device, Zone),
    client: get(Client),
    projectsOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('PROJECT#')).returns(Project),
    buildingsOfProject: query('PROJECT#{project_id}', beginsWith('BUILDING#')).returns(Building),
    devicesOfBuilding: query('BUILDING#{building_id}', beginsWith('DEVICE#')).returns(Device),
    zonesOfBuilding: query('BUILDING#{building_id}', beginsWith('ZONE#')).returns(Zone),
    subscriptionsOfScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('SUBSCRIPTION#'))
      .optionally('status')
      .returns(ServiceSubscription),
    subscriptionsOfModule: queryOn('GSI5', 'MODULE#{module_id}').returns(ServiceSubscription),
    auditOfClient: queryOn('GSI4', 'CLIENT#{client_id}', between('AUDIT#{from}', 'AUDIT#{to}')).descending().returns(AuditLog),
    activityOfUser: queryOn('GSI4', 'CLIENT#{client_id}', beginsWith('AUDIT#')).where('user_id').descending().returns(AuditLog),
    // table design, access patterns
    rolesOfClient: query('CLIENT#{client_id}', beginsWith('ROLE#')).returns(Role),
    role: get(Role),
    linksOfRole: query('ROLE#{role_id}').returns(RolePermissionLink),
    rolesOfUser: query('USER#{user_id}', beginsWith('ROLE#')).returns(UserRoleAssignment),
    scopesOfUser: queryOn('GSI2', 'USER#{user_id}').returns(User, UserRoleAssignment),
    permissions: query('SYSTEM', beginsWith('PERMISSION#')).returns(Permission),
    // the key tables of entities 9, 13 and 14
    settingsOfScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('SETTING#')).returns(Setting),
    tokensOfUser: query('USER#{user_id}', beginsWith('TOKEN#')).returns(AuthToken),
    sessionsOfUser: query('USER#{user_id}', beginsWith('SESSION#')).descending().returns(LoginSession),
    // the purpose of GSI1: what a client has, of one kind
    buildingsOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('BUILDING#')).returns(Building),
    usersOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('USER#')).returns(User),
    rolesOfClientInIndex: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('ROLE#')).returns(Role),
    devicesOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('DEVICE#')).returns(Device),
    zonesOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('ZONE#')).returns(Zone),
    // the purpose of GSI4: what a client got, and when
    clientByTime: queryOn('GSI4', 'CLIENT#{client_id}', between('CLIENT#{from}', 'CLIENT#{to}')).returns(Client),
    projectsByTime: queryOn('GSI4', 'CLIENT#{client_id}', between('PROJECT#{from}', 'PROJECT#{to}')).returns(Project),
    buildingsByTime: queryOn('GSI4', 'CLIENT#{client_id}', between('BUILDING#{from}', 'BUILDING#{to}')).returns(Building),
    usersByTime: queryOn('GSI4', 'CLIENT#{client_id}', between('USER#{from}', 'USER#{to}')).returns(User),
    rolesByTime: queryOn('GSI4', 'CLIENT#{client_id}', between('ROLE#{from}', 'ROLE#{to}')).returns(Role),
    // additions
    clients: query('DIRECTORY#CLIENT').returns(ClientEntry),
    projectPlace: get(ProjectPlace),
    buildingPlace: get(BuildingPlace),
    clientBuildings: query('CLIENT_BUILDINGS#{client_id}').returns(ClientBuilding),
    userIdOfEmail: get(UserEmail),
    clientUsers: query('CLIENT_USERS#{client_id}').returns(ClientUser),
    internalUsers: query('CLIENT_USERS#SYSTEM').returns(ClientUser),
    ownedProjects: query('OWNED_PROJECTS#{owner_user_id}').returns(OwnedProject),
    permissionOfKey: get(PermissionKey),
    roleOfName: get(RoleName),
    childrenOfRole: query('ROLE_CHILDREN#{parent_role_id}').returns(RoleChild),
    roleParents: query('ROLE_PARENTS#{client_id}').returns(RoleParent),
    systemRoleParents: query('ROLE_PARENTS#SYSTEM').returns(RoleParent),
    rolesOfPermission: query('PERMISSION_ROLES#{permission_id}').returns(PermissionRole),
    systemRoles: query('SYSTEM', beginsWith('ROLE#')).returns(Role).addition('system roles are of no client'),
    systemAudit: query('SYSTEM', between('AUDIT#{from}', 'AUDIT#{to}'))
      .descending()
      .returns(AuditLog)
      .addition('events of no client are in no index'),
    assignmentsOfUserAtScope: query('USER#{user_id}', beginsWith('ROLE#{scope_type}#{scope_id}'))
      .returns(UserRoleAssignment)
      .addition('consistently, which GSI2 is not'),
    assignmentsAtScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('ASSIGNMENT#')).returns(ScopeAssignment),
    holdersOfRole: query('ROLE_HOLDERS#{role_id}').returns(RoleHolder),
    tokenById: get(TokenById),
    sessionById: get(SessionById),
    signIn: get(SignInIdentity),
    signInsOfUser: query('USER#{user_id}', beginsWith('IDENTITY#')).returns(UserSignInEdge),
  },
})
