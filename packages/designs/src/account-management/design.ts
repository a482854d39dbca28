import { beginsWith, between, design, get, query, queryOn } from '@freehold/table'
import { Client, ClientEntry, ClientUser, SignInIdentity, User, UserEmail, UserSignInEdge } from './design/people.ts'
import { Building, BuildingPlace, ClientBuilding, Device, OwnedProject, Project, ProjectPlace, Zone } from './design/places.ts'
import { AuditLog, AuthToken, LoginSession, SessionById, TokenById } from './design/records.ts'
import {
  Permission,
  PermissionKey,
  PermissionRole,
  Role,
  RoleChild,
  RoleHolder,
  RoleName,
  RoleParent,
  RolePermissionLink,
  ScopeAssignment,
  UserRoleAssignment,
} from './design/roles.ts'
import { ServiceSubscription, Setting } from './design/services.ts'

export * from './design/people.ts'
export * from './design/places.ts'
export * from './design/records.ts'
export * from './design/roles.ts'
export * from './design/services.ts'

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
