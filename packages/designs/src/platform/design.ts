import { atMost, beginsWith, between, design, get, query, queryOn } from '@freehold/table'
import { Account, AccountAddress } from './design/accounts.ts'
import { Enterprise, EnterpriseProduct, EnterpriseService, Product, ProductUse, Service, ServiceUse } from './design/catalogue.ts'
import { EnterpriseLicense, EnterpriseWorkstream, License, Workstream, WorkstreamTool } from './design/licenses.ts'
import { ActorChange, Change, NotificationAudit, NotificationIntent, OpenNotification, Provisioning } from './design/records.ts'
import {
  AccountGroup,
  AccountRole,
  Group,
  GroupMember,
  GroupRole,
  MenuRole,
  Role,
  RoleGroup,
  RolePermission,
  UserGroup,
} from './design/roles.ts'
import {
  AccountUser,
  LicenseSeat,
  SignInIdentity,
  TechnicalUser,
  User,
  UserContact,
  UserEmail,
  UserSeat,
  UserSignInEdge,
  UserWorkstream,
  WorkstreamUser,
} from './design/users.ts'

export * from './design/accounts.ts'
export * from './design/catalogue.ts'
export * from './design/licenses.ts'
export * from './design/records.ts'
export * from './design/roles.ts'
export * from './design/users.ts'

// Read for operators alone: what they return is of many accounts

const byKind = ['accounts', 'enterprises', 'licenses', 'workstreams', 'users', 'roles', 'groups', 'notificationAudits'] as const
const byEnterprise = ['enterpriseWithAll', 'licensesOfEnterprise', 'workstreamsOfEnterprise'] as const
const byEnd = ['activeLicensesByEnd', 'expiringLicenses', 'activeUsersByEnd', 'activeUsersUntil'] as const
const ended = ['expiredLicenses', 'inactiveUsers'] as const
const byStatus = ['sentNotifications', 'failedNotifications', 'skippedNotifications', 'openNotifications'] as const
const inPeriods = ['sentNotificationsBetween', 'failedNotificationsBetween', 'skippedNotificationsBetween'] as const
const ofNoAccount = ['rolesOfMenu', 'usesOfProduct', 'usesOfService', 'changesOfSystem', 'changesOfActor'] as const

const inPeriod = between('{from}', '{to}')

// The entities in the order in which the document and this page tell them

const accounts = { Account, AccountAddress, TechnicalUser, Enterprise, EnterpriseProduct, EnterpriseService }
const users = { License, Workstream, WorkstreamTool, User, UserWorkstream, Role, RolePermission, Group }
const catalogue = { Product, Service }
const mails = { NotificationAudit, Provisioning, NotificationIntent, OpenNotification }
const groups = { UserEmail, SignInIdentity, UserSignInEdge, GroupMember, UserGroup, GroupRole, RoleGroup, WorkstreamUser, MenuRole }
const uses = { LicenseSeat, UserSeat, ProductUse, ServiceUse }
const lookups = { UserContact, AccountUser, AccountRole, AccountGroup, EnterpriseLicense, EnterpriseWorkstream }
const changes = { Change, ActorChange }

/** Accounts with their users, licenses and workstreams, enterprises, menu permissions and an audit of notifications. */
export const platform = design({
  name: 'platform',
  table: 'app_data',
  description: 'DynamoDB table for multi-tenant platform',
  tags: { Environment: 'production', Application: 'multi-tenant-platform' },
  entities: { ...accounts, ...users, ...catalogue, ...mails, ...groups, ...uses, ...lookups, ...changes },
  features: { changes: [Change, ActorChange], identities: [SignInIdentity, UserSignInEdge] },
  tenants: {
    by: 'accountId',
    of: { Account: 'id' },
    shared: [Product, Service, Role, RolePermission, MenuRole], // unscoped roles are for every account
    operators: [Enterprise, EnterpriseProduct, ProductUse, EnterpriseService, ServiceUse],
    crossing: [...byKind, ...byEnterprise, ...byEnd, ...ended, ...byStatus, ...inPeriods, ...ofNoAccount],
  },
  patterns: {
    // GSI1: all of one kind (pattern 1)
    accounts: queryOn('GSI1', 'ENTITY#ACCOUNT').returns(Account),
    enterprises: queryOn('GSI1', 'ENTITY#ENTERPRISE').returns(Enterprise),
    licenses: queryOn('GSI1', 'ENTITY#LICENSE').returns(License),
    workstreams: queryOn('GSI1', 'ENTITY#WORKSTREAM').returns(Workstream),
    users: queryOn('GSI1', 'ENTITY#USER').returns(User),
    roles: queryOn('GSI1', 'ENTITY#ROLE').returns(Role),
    groups: queryOn('GSI1', 'ENTITY#GROUP').returns(Group),
    products: queryOn('GSI1', 'ENTITY#PRODUCT').returns(Product),
    services: queryOn('GSI1', 'ENTITY#SERVICE').returns(Service),
    notificationAudits: queryOn('GSI1', 'ENTITY#NOTIFICATION_AUDIT').returns(NotificationAudit),
    // GSI2: by parent (patterns 3 and 4)
    usersOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#USERS').returns(User),
    rolesOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#ROLES').returns(Role),
    licensesOfEnterprise: queryOn('GSI2', 'ENTERPRISE#{enterpriseId}', beginsWith('LICENSE#')).returns(License),
    workstreamsOfEnterprise: queryOn('GSI2', 'ENTERPRISE#{enterpriseId}', beginsWith('WORKSTREAM#')).returns(Workstream),
    notificationsOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#NOTIFICATIONS').descending().returns(NotificationAudit),
    // GSI3: by status and date (pattern 5)
    activeLicensesByEnd: queryOn('GSI3', 'LICENSE#STATUS#active').returns(License),
    expiredLicenses: queryOn('GSI3', 'LICENSE#STATUS#expired').returns(License),
    expiringLicenses: queryOn('GSI3', 'LICENSE#STATUS#active', atMost('{date}')).returns(License),
    activeUsersByEnd: queryOn('GSI3', 'USER#STATUS#active').returns(User),
    inactiveUsers: queryOn('GSI3', 'USER#STATUS#inactive').returns(User),
    sentNotifications: queryOn('GSI3', 'NOTIFICATION#STATUS#sent').descending().returns(NotificationAudit),
    failedNotifications: queryOn('GSI3', 'NOTIFICATION#STATUS#failed').descending().returns(NotificationAudit),
    skippedNotifications: queryOn('GSI3', 'NOTIFICATION#STATUS#skipped').descending().returns(NotificationAudit),
    sentNotificationsBetween: queryOn('GSI3', 'NOTIFICATION#STATUS#sent', inPeriod).descending().returns(NotificationAudit),
    // The table: one with all of its own (patterns 2, 6, 7 and 8), or with one kind of it
    accountWithAll: query('ACCOUNT#{accountId}').returns(Account, AccountAddress, TechnicalUser, License, Workstream),
    enterpriseWithAll: query('ENTERPRISE#{enterpriseId}').returns(Enterprise, EnterpriseProduct, EnterpriseService),
    roleWithPermissions: query('ROLE#{roleId}').returns(Role, RolePermission),
    userWithWorkstreams: query('USER#{userId}').returns(User, UserWorkstream),
    licensesOfAccount: query('ACCOUNT#{accountId}', beginsWith('LICENSE#')).returns(License),
    workstreamsOfAccount: query('ACCOUNT#{accountId}', beginsWith('WORKSTREAM#')).returns(Workstream),
    toolsOfWorkstream: query('WORKSTREAM#{workstreamId}', beginsWith('TOOL#')).returns(WorkstreamTool),
    // additions
    addressesOfAccount: query('ACCOUNT#{accountId}', beginsWith('ADDRESS#')).returns(AccountAddress).addition('one of them is primary'),
    technicalUserOfAccount: query('ACCOUNT#{accountId}', beginsWith('TECH_USER#')).returns(TechnicalUser).addition('an account has one'),
    workstreamsOfUser: query('USER#{userId}', beginsWith('WORKSTREAM#')).returns(UserWorkstream).addition('without the user'),
    permissionsOfRole: query('ROLE#{roleId}', beginsWith('PERMISSION#')).returns(RolePermission).addition('without the role'),
    activeUsersUntil: queryOn('GSI3', 'USER#STATUS#active', atMost('{date}'))
      .returns(User)
      .addition('active users past their end are inactive'),
    technicalUsersOfUser: query('TECHNICAL_USERS#{userId}').returns(UserContact),
    groupsOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#GROUPS').returns(Group).addition('groups are of an account, as roles are'),
    membersOfGroup: query('GROUP#{groupId}', beginsWith('USER#')).returns(GroupMember),
    groupsOfUser: query('USER_GROUPS#{userId}').returns(UserGroup),
    rolesOfGroup: query('GROUP#{groupId}', beginsWith('ROLE#')).returns(GroupRole),
    groupsOfRole: query('ROLE_GROUPS#{roleId}').returns(RoleGroup),
    usersOfWorkstream: query('WORKSTREAM_USERS#{workstreamId}').returns(WorkstreamUser),
    rolesOfMenu: query('MENU_ROLES#{menuKey}').returns(MenuRole),
    seatsOfLicense: query('LICENSE_SEATS#{licenseId}').returns(LicenseSeat),
    seatsOfUser: query('USER_SEATS#{userId}').returns(UserSeat),
    usesOfProduct: query('PRODUCT_USES#{productId}').returns(ProductUse),
    usesOfService: query('SERVICE_USES#{serviceId}').returns(ServiceUse),
    notificationsOfAccountBetween: queryOn('GSI2', 'ACCOUNT#{accountId}#NOTIFICATIONS', inPeriod)
      .descending()
      .returns(NotificationAudit)
      .addition('the notifications of an account in a period'),
    failedNotificationsBetween: queryOn('GSI3', 'NOTIFICATION#STATUS#failed', inPeriod)
      .descending()
      .returns(NotificationAudit)
      .addition('as of those that were sent'),
    skippedNotificationsBetween: queryOn('GSI3', 'NOTIFICATION#STATUS#skipped', inPeriod)
      .descending()
      .returns(NotificationAudit)
      .addition('as of those that were sent'),
    openNotifications: query('NOTIFICATIONS_UNDER_WAY', atMost('{before}')).returns(OpenNotification),
    userIdOfEmail: get(UserEmail),
    signIn: get(SignInIdentity),
    signInsOfUser: query('USER_IDENTITIES#{userId}').returns(UserSignInEdge),
    changesOfAccount: query('CHANGES#ACCOUNT#{accountId}', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfSystem: query('CHANGES#SYSTEM', beginsWith('CHANGE#')).descending().returns(Change),
    changesOfActor: query('CHANGES#ACTOR#{actor}', beginsWith('CHANGE#')).descending().returns(ActorChange),
  },
})
