import {
  atLeast,
  beginsWith,
  between,
  design,
  email,
  entity,
  equals,
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
  uuid,
} from '../../src/language.ts'

const stamps = { created_at: stamp.onCreate(), updated_at: stamp.onWrite() }
const days = (from: Date, count: number) => new Date(from.getTime() + count * 86_400_000).toISOString()

export const Client = entity('Client', {
  attributes: {
    id: uuid().made(),
    name: text(),
    status: oneOf('active', 'suspended').made('active'),
    phone: phone().optional(),
    ...stamps,
  },
  key: ['CLIENT#{id}', 'METADATA'],
  indexes: { GSI1: ['CLIENT#{id}', 'CLIENT#{id}'], GSI4: ['CLIENT#{id}', 'CLIENT#{created_at}'] },
})
export const ClientEntry = mirror('ClientEntry', Client, ['DIRECTORY#CLIENT', 'CLIENT#{id}'], ['name'], { why: 'lists clients' })

export const Project = entity('Project', {
  attributes: { id: uuid().made(), client_id: uuid(), name: text(), ...stamps },
  key: ['CLIENT#{client_id}', 'PROJECT#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'PROJECT#{id}'], GSI4: ['CLIENT#{client_id}', 'PROJECT#{created_at}'] },
  refers: { client_id: Client },
})
export const ProjectPlace = mirror('ProjectPlace', Project, ['PROJECT#{id}', 'METADATA'], [], { why: 'from a bare id to its client' })

export const Building = entity('Building', {
  attributes: {
    id: uuid().made(),
    project_id: uuid(),
    client_id: uuid().from('project_id'),
    name: text(),
    floors: number({ integer: true, min: 0 }).optional(),
    geo_latitude: number({ min: -90, max: 90 }).optional(),
    ...stamps,
  },
  key: ['PROJECT#{project_id}', 'BUILDING#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'BUILDING#{id}'], GSI4: ['CLIENT#{client_id}', 'BUILDING#{created_at}'] },
  refers: { project_id: ProjectPlace },
})
export const BuildingPlace = mirror('BuildingPlace', Building, ['BUILDING#{id}', 'METADATA'], ['client_id'], {
  why: 'from a bare id to its project and client',
})

export const Device = entity('Device', {
  attributes: {
    id: uuid().made(),
    building_id: uuid(),
    client_id: uuid().from('building_id'),
    name: text(),
    type: oneOf('hvac', 'camera', 'robot'),
    configuration: map().optional(),
    last_seen_at: instant().optional(),
    ...stamps,
  },
  key: ['BUILDING#{building_id}', 'DEVICE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'DEVICE#{id}'] },
  refers: { building_id: BuildingPlace },
})

export const User = entity('User', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(),
    email: email(),
    status: oneOf('active', 'disabled').made('active'),
    user_type: oneOf('internal', 'client_admin', 'external_customer', 'external_tenant'),
    phone: phone().optional(),
    mfa_enabled: flag().made(false),
    password_hash: text().optional().secret(),
    mfa_secret: text().optional().secret(),
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
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], [], {
  why: 'an index cannot refuse a second user of one e-mail address',
})

const roleNameGuard = 'ROLE_NAME#{client_id}#{name}|ROLE_NAME#SYSTEM#{name}'

export const Role = entity('Role', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(),
    name: text(),
    parent_role_id: uuid().optional(),
    permissions: list(record({ module: text(), action: text(), resource: text() })).made(() => []),
    ...stamps,
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'ROLE#{id}'],
  indexes: { GSI1: ['CLIENT#{client_id}', 'ROLE#{id}'], GSI4: ['CLIENT#{client_id}', 'ROLE#{created_at}'] },
  refers: { client_id: Client },
})
export const RoleName = unique('RoleName', Role, [roleNameGuard, roleNameGuard], [], { why: 'a client has one role of a name' })

export const UserRoleAssignment = entity('UserRoleAssignment', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    role_id: uuid(),
    role_owner: text(),
    scope_type: oneOf('client', 'project', 'building'),
    scope_id: uuid(),
    start_at: instant().optional(),
    expires_at: instant().optional(),
    ...stamps,
  },
  key: ['USER#{user_id}', 'ROLE#{scope_type}#{scope_id}#{role_id}'],
  indexes: { GSI2: ['USER#{user_id}', 'ACCESS#{scope_type}#{scope_id}#{role_id}'] },
  refers: { user_id: User },
  fixed: ['role_owner'],
})
export const ScopeAssignment = mirror(
  'ScopeAssignment',
  UserRoleAssignment,
  ['SCOPE#{scope_type}#{scope_id}', 'ASSIGNMENT#{role_id}#{user_id}'],
  ['role_owner', 'start_at', 'expires_at'],
  { why: 'who has access here' },
)
export const RoleHolder = mirror(
  'RoleHolder',
  UserRoleAssignment,
  ['ROLE_HOLDERS#{role_id}', '{scope_type}#{scope_id}#{user_id}'],
  ['role_owner'],
  { why: 'who holds a role' },
)

export const ServiceSubscription = entity('ServiceSubscription', {
  attributes: {
    id: uuid().made(),
    client_id: uuid(),
    scope_type: oneOf('building', 'project'),
    scope_id: uuid(),
    module_id: uuid(),
    status: oneOf('active', 'expired', 'trial'),
    end_date: instant().optional(),
    auto_renew: flag().made(false),
    usage_quota: map().optional(),
    created_at: stamp.onCreate(),
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SUBSCRIPTION#{module_id}'],
  indexes: { GSI5: ['MODULE#{module_id}', 'SUBSCRIPTION#{scope_type}#{scope_id}'] },
})

export const Setting = entity('Setting', {
  attributes: {
    id: uuid().made(),
    client_id: uuid(),
    scope_type: oneOf('client', 'project', 'building', 'user'),
    scope_id: uuid(),
    key: text({ max: 200 }),
    value: text(),
    value_type: oneOf('string', 'number', 'boolean', 'json').made('string'),
    is_overridable: flag().made(true),
    last_updated: stamp.onWrite(),
  },
  key: ['SCOPE#{scope_type}#{scope_id}', 'SETTING#{key}'],
})

export const AuditLog = entity('AuditLog', {
  attributes: {
    id: uuid().made(),
    client_id: uuid().optional(),
    user_id: uuid().optional(),
    action: text(),
    timestamp: instant().made(),
    metadata: map().optional(),
    severity: oneOf('info', 'warning', 'critical').made('info'),
    expires_at: instant().made(({ now }) => days(now, 365)),
  },
  key: ['CLIENT#{client_id}|SYSTEM', 'AUDIT#{timestamp}#{id}'],
  indexes: { GSI4: ['CLIENT#{client_id}', 'AUDIT#{timestamp}'] },
  appendOnly: true,
  expires: 'expires_at',
})

export const LoginSession = entity('LoginSession', {
  attributes: {
    id: uuid().made(),
    user_id: uuid(),
    client_id: uuid().optional(),
    session_start: instant().made(),
    status: oneOf('active', 'expired', 'revoked').made('active'),
    device_info: map().optional(),
    expires_at: instant().made(({ now }) => days(now, 90)),
  },
  key: ['USER#{user_id}', 'SESSION#{session_start}#{id}'],
  refers: { user_id: User },
  expires: 'expires_at',
})
export const SessionById = mirror('SessionById', LoginSession, ['SESSION_ID#{id}', 'SESSION_ID#{id}'], ['expires_at'], {
  why: 'a session is revoked by its id alone',
})

/** The hardest entities of the account-management design, and the patterns that ask most of the language. */
export const accountManagement = design({
  name: 'account-management',
  table: 'AccountManagement',
  entities: {
    Client,
    ClientEntry,
    Project,
    ProjectPlace,
    Building,
    BuildingPlace,
    Device,
    User,
    UserEmail,
    Role,
    RoleName,
    UserRoleAssignment,
    ScopeAssignment,
    RoleHolder,
    ServiceSubscription,
    Setting,
    AuditLog,
    LoginSession,
    SessionById,
  },
  patterns: {
    role: get(Role),
    userByEmail: queryOn('GSI3', 'EMAIL#{email}').returns(User),
    entitiesOfClient: queryOn('GSI1', 'CLIENT#{client_id}').returns(Client, Project, Building, User, Role, Device),
    projectsOfClient: queryOn('GSI1', 'CLIENT#{client_id}', beginsWith('PROJECT#')).returns(Project),
    buildingsOfProject: query('PROJECT#{project_id}', beginsWith('BUILDING#')).returns(Building),
    projectPlace: query('PROJECT#{id}', equals('METADATA')).returns(ProjectPlace),
    rolesOfClient: query('CLIENT#{client_id}', beginsWith('ROLE#')).returns(Role),
    systemRoles: query('SYSTEM', beginsWith('ROLE#')).returns(Role),
    assignmentsOfUserAtScope: query('USER#{user_id}', beginsWith('ROLE#{scope_type}#{scope_id}')).returns(UserRoleAssignment),
    accessOfUserAtScope: queryOn('GSI2', 'USER#{user_id}', beginsWith('ACCESS#{scope_type}#{scope_id}')).returns(UserRoleAssignment),
    scopesOfUser: queryOn('GSI2', 'USER#{user_id}').returns(User, UserRoleAssignment),
    assignmentsAtScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('ASSIGNMENT#')).returns(ScopeAssignment),
    buildingRolesOfHolders: query('ROLE_HOLDERS#{role_id}', beginsWith('building#{scope_id}')).returns(RoleHolder),
    subscriptionsOfScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('SUBSCRIPTION#'))
      .optionally('status')
      .returns(ServiceSubscription),
    subscriptionsOfModule: queryOn('GSI5', 'MODULE#{module_id}').returns(ServiceSubscription),
    settingsOfScope: query('SCOPE#{scope_type}#{scope_id}', beginsWith('SETTING#')).returns(Setting),
    auditOfClient: queryOn('GSI4', 'CLIENT#{client_id}', between('AUDIT#{from}', 'AUDIT#{to}')).descending().returns(AuditLog),
    activityOfUser: queryOn('GSI4', 'CLIENT#{client_id}', beginsWith('AUDIT#')).where('user_id').descending().returns(AuditLog),
    auditOfNoClient: query('SYSTEM', beginsWith('AUDIT#')).returns(AuditLog),
    sessionsOfUserSince: query('USER#{user_id}', atLeast('SESSION#{since}')).returns(LoginSession),
    sessionById: get(SessionById),
    clients: query('DIRECTORY#CLIENT').returns(ClientEntry).addition('lists clients'),
  },
})
