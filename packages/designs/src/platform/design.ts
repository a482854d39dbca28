import {
  auditAttributes,
  changeContent,
  changesOfActorKey,
  created,
  identityNames,
  identityProviders,
  intentAttributes,
  keptChangeAttributes,
  provisioningAttributes,
  signInReasons,
  stamps,
  uniqueName,
  untold,
} from '@freehold/frame/attributes'
import {
  atMost,
  beginsWith,
  between,
  count,
  day,
  design,
  edge,
  email,
  entity,
  flag,
  get,
  mirror,
  oneOf,
  opaqueId,
  query,
  queryOn,
  stamp,
  text,
  unique,
} from '@freehold/table'

// The document names keys alone, but for the notification audit. What stands in none of them may be absent.

const described = { name: text().mayBeAbsent(untold), description: text().optional(), ...stamps }
const named = { ...described, name: uniqueName.mayBeAbsent(untold) }

const keyOfParent = 'the key of what it belongs to names its account'
const tenant = 'its key names no account, so the item does: a read made for one account verifies it'
const denied = 'it is not known to be active: it counts for nothing'

// Accounts (document §1); their technical users stand below, after the users that they mirror

export const Account = entity('Account', {
  attributes: {
    id: opaqueId().made(),
    name: uniqueName.mayBeAbsent(untold),
    status: oneOf('active', 'suspended').default('active').addition('an account that is not active denies everything'),
    identityProviders,
    ...stamps,
  },
  key: ['ACCOUNT#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ACCOUNT', 'ACCOUNT#{id}'] },
})

export const AccountAddress = entity('AccountAddress', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    line1: text().mayBeAbsent(untold),
    line2: text().optional(),
    city: text().mayBeAbsent(untold),
    postalCode: text().optional(),
    country: text().mayBeAbsent(untold),
    isPrimary: flag().optional().addition('one address of an account is its primary one'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'ADDRESS#{id}'],
  refers: { accountId: Account },
})

// Products and services (document §8), enterprises (§2): an enterprise that goes leaves its products, a product in use stays

export const Product = entity('Product', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['PRODUCT#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#PRODUCT', 'PRODUCT#{id}'] },
})

export const Service = entity('Service', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['SERVICE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#SERVICE', 'SERVICE#{id}'] },
})

export const Enterprise = entity('Enterprise', {
  attributes: { id: opaqueId().made(), ...described },
  key: ['ENTERPRISE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ENTERPRISE', 'ENTERPRISE#{id}'] },
})

export const { EnterpriseProduct, ProductUse } = edge({
  ends: { enterpriseId: Enterprise, productId: { to: Product, onRemove: 'refuse' } },
  attributes: { assignedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: {
    EnterpriseProduct: ['ENTERPRISE#{enterpriseId}', 'PRODUCT#{productId}'],
    ProductUse: ['PRODUCT_USES#{productId}', 'ENTERPRISE#{enterpriseId}'],
  },
  additions: { ProductUse: 'deleting a product in use is refused' },
})

export const { EnterpriseService, ServiceUse } = edge({
  ends: { enterpriseId: Enterprise, serviceId: { to: Service, onRemove: 'refuse' } },
  attributes: { assignedAt: stamp.onCreate().mayBeAbsent(untold) },
  items: {
    EnterpriseService: ['ENTERPRISE#{enterpriseId}', 'SERVICE#{serviceId}'],
    ServiceUse: ['SERVICE_USES#{serviceId}', 'ENTERPRISE#{enterpriseId}'],
  },
  additions: { ServiceUse: 'deleting a service in use is refused' },
})

// Licenses (document §3), workstreams and their tools (§4)

export const License = entity('License', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    enterpriseId: opaqueId().mayBeAbsent('it is of no enterprise, and counts for none'),
    productId: opaqueId().optional().addition('the product that it is for: its enterprise has it, and it is in use'),
    serviceId: opaqueId().optional().addition('the service that it is for: its enterprise has it, and it is in use'),
    status: oneOf('active', 'expired')
      .made(() => 'active')
      .mayBeAbsent(denied),
    startDate: day().made().mayBeAbsent('it has begun'),
    endDate: day().mayBeAbsent(denied),
    seats: count().addition(
      'a license is for a number of users',
      'it entitles as the document says, and gives no seat until a number is set',
    ),
    seatsUsed: count().default(0).addition('claims of one seat compete for it on the license'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'LICENSE#{id}'],
  indexes: {
    GSI1: ['ENTITY#LICENSE', 'LICENSE#{id}'],
    GSI2: ['ENTERPRISE#{enterpriseId}', 'LICENSE#{id}'],
    GSI3: ['LICENSE#STATUS#{status}', '{endDate}#{id}'],
  },
  refers: {
    accountId: Account,
    enterpriseId: { to: Enterprise, onRemove: 'refuse' },
    productId: { to: EnterpriseProduct, onRemove: 'refuse' },
    serviceId: { to: EnterpriseService, onRemove: 'refuse' },
  },
})

export const Workstream = entity('Workstream', {
  attributes: { id: opaqueId().made(), accountId: opaqueId(), enterpriseId: opaqueId().optional(), ...described },
  key: ['ACCOUNT#{accountId}', 'WORKSTREAM#{id}'],
  indexes: { GSI1: ['ENTITY#WORKSTREAM', 'WORKSTREAM#{id}'], GSI2: ['ENTERPRISE#{enterpriseId}', 'WORKSTREAM#{id}'] },
  refers: { accountId: Account, enterpriseId: { to: Enterprise, onRemove: 'refuse' } },
})

export const WorkstreamTool = entity('WorkstreamTool', {
  attributes: {
    id: opaqueId().made(),
    workstreamId: opaqueId(),
    accountId: opaqueId().addition(keyOfParent, 'it is of the account of its workstream'),
    name: text().mayBeAbsent(untold),
    url: text().optional(),
    category: text().optional().addition('tools are listed by what they are for'),
    ...stamps,
  },
  key: ['WORKSTREAM#{workstreamId}', 'TOOL#{id}'],
  refers: { workstreamId: Workstream },
})

// Users (document §5)

export const User = entity('User', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId().mayBeAbsent('the user is of no account: everything is denied'),
    email: email().mayBeAbsent('no e-mail address finds the user, and no mail reaches it'),
    firstName: text().mayBeAbsent(untold),
    lastName: text().mayBeAbsent(untold),
    status: oneOf('active', 'inactive')
      .made(() => 'active')
      .mayBeAbsent(denied),
    endDate: day().optional(),
    ...stamps,
  },
  key: ['USER#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#USER', 'USER#{id}'],
    GSI2: ['ACCOUNT#{accountId}#USERS', 'USER#{id}'],
    GSI3: ['USER#STATUS#{status}', '{endDate}#{id}|9999-12-31#{id}'], // without an end: after all that have one
  },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

/** The contact of an account. If it mirrors a user, it has the id of that user: the two are one person. */
export const TechnicalUser = entity('TechnicalUser', {
  attributes: {
    id: opaqueId(),
    accountId: opaqueId(),
    name: text().mayBeAbsent(untold),
    email: email().mayBeAbsent('no mail reaches the contact'),
    userId: opaqueId().optional().addition('the user that it mirrors: one that exists, of the same account'),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'TECH_USER#{id}'],
  refers: { accountId: Account, userId: User },
})

export const UserContact = mirror('UserContact', TechnicalUser, ['TECHNICAL_USERS#{userId}', 'ACCOUNT#{accountId}#{id}'], [], {
  why: 'a deleted user is no technical user any more',
})

export const { UserWorkstream, WorkstreamUser } = edge({
  ends: { userId: User, workstreamId: Workstream },
  attributes: {
    accountId: opaqueId().addition(keyOfParent, 'it is of the account of its user'),
    joinedAt: stamp.onCreate().mayBeAbsent(untold),
  },
  items: {
    UserWorkstream: ['USER#{userId}', 'WORKSTREAM#{workstreamId}'],
    WorkstreamUser: ['WORKSTREAM_USERS#{workstreamId}', 'USER#{userId}'],
  },
  additions: { WorkstreamUser: 'a deleted workstream leaves its users' },
})

// Roles (document §6): one without an account is in no account's index

export const Role = entity('Role', {
  attributes: { id: opaqueId().made(), accountId: opaqueId().optional(), ...named },
  key: ['ROLE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ROLE', 'ROLE#{id}'], GSI2: ['ACCOUNT#{accountId}#ROLES', 'ROLE#{id}'] },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

export const RolePermission = entity('RolePermission', {
  attributes: {
    roleId: opaqueId(),
    menuKey: uniqueName,
    accountId: opaqueId().from('roleId').addition(tenant, 'it is of the account of its role'),
    canView: flag().default(false),
    canCreate: flag().default(false),
    canEdit: flag().default(false),
    canDelete: flag().default(false),
    ...stamps,
  },
  key: ['ROLE#{roleId}', 'PERMISSION#{menuKey}'],
  refers: { roleId: Role },
})

// Groups (document §7); who is in them and which roles they have are additions

export const Group = entity('Group', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId().addition('user, group and role share one account', 'it grants nothing until an operator gives it an account'),
    ...named,
  },
  key: ['GROUP#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#GROUP', 'GROUP#{id}'], GSI2: ['ACCOUNT#{accountId}#GROUPS', 'GROUP#{id}'] },
  refers: { accountId: Account },
  fixed: ['accountId'],
})

export const { GroupMember, UserGroup } = edge({
  ends: { groupId: Group, userId: User },
  attributes: { joinedAt: stamp.onCreate() },
  items: { GroupMember: ['GROUP#{groupId}', 'USER#{userId}'], UserGroup: ['USER_GROUPS#{userId}', 'GROUP#{groupId}'] },
  copies: { GroupMember: { accountId: 'groupId.accountId' }, UserGroup: { accountId: 'groupId.accountId' } },
  additions: { GroupMember: 'a group has members', UserGroup: 'permissions: user > groups; a deleted user leaves its groups' },
})

export const { GroupRole, RoleGroup } = edge({
  ends: { groupId: Group, roleId: Role },
  attributes: { assignedAt: stamp.onCreate() },
  items: { GroupRole: ['GROUP#{groupId}', 'ROLE#{roleId}'], RoleGroup: ['ROLE_GROUPS#{roleId}', 'GROUP#{groupId}'] },
  copies: { GroupRole: { accountId: 'groupId.accountId' }, RoleGroup: { accountId: 'groupId.accountId' } },
  additions: { GroupRole: 'permissions: groups > roles', RoleGroup: 'a deleted role leaves its groups; who may do something' },
})

// Notification audit log (document §9): it outlives what it is about, and refers to nothing

export const NotificationAudit = entity('NotificationAudit', {
  attributes: {
    id: opaqueId().made(),
    ...auditAttributes,
    accountId: opaqueId().optional(),
    accountName: text().optional(),
    ...created,
  },
  key: ['NOTIFICATION_AUDIT#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#NOTIFICATION_AUDIT', 'NOTIFICATION_AUDIT#{id}'],
    GSI2: ['ACCOUNT#{accountId}#NOTIFICATIONS', '{sentAt}#{id}'],
    GSI3: ['NOTIFICATION#STATUS#{deliveryStatus}', '{sentAt}#{id}'],
  },
  appendOnly: true,
})

// Additions: a guard, seats, and ways to find what hangs on something without an index

/** What a provisioning has done, step by step. */
export const Provisioning = entity('Provisioning', {
  attributes: { accountId: opaqueId(), ...provisioningAttributes, ...stamps },
  key: ['PROVISIONING#{accountId}', 'METADATA'],
  refers: { accountId: Account },
  addition: { why: 'an account is provisioned in many steps, and again after a crash' },
})

export const NotificationIntent = entity('NotificationIntent', {
  attributes: {
    accountId: opaqueId(),
    ...intentAttributes('credentials', 'license_expiry', 'user_expiry'),
    ...stamps,
  },
  key: ['NOTIFICATION_INTENTS#{accountId}', '{notificationType}#{subjectId}#{occasion}'],
  refers: { accountId: Account },
  addition: { why: 'what a mail is for, kept before it goes out: so that it goes out once' },
})

const underWay = ['NOTIFICATIONS_UNDER_WAY', '{sendingSince}#{accountId}#{notificationType}#{subjectId}#{occasion}'] as const
export const OpenNotification = mirror('OpenNotification', NotificationIntent, underWay, [], {
  why: 'a sender that ended leaves its attempt open',
})

export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], ['accountId'], {
  why: 'an e-mail address is of one user, who signs in with it',
})

export const { SignInIdentity, UserSignInEdge } = edge({
  ends: { userId: User },
  attributes: { ...identityNames, ...created },
  items: {
    SignInIdentity: ['IDENTITY#{provider}#{subject}', 'IDENTITY#{provider}#{subject}'],
    UserSignInEdge: ['USER_IDENTITIES#{userId}', 'IDENTITY#{provider}'],
  },
  copies: { SignInIdentity: { accountId: 'userId.accountId' }, UserSignInEdge: { accountId: 'userId.accountId' } },
  additions: signInReasons,
})

export const { LicenseSeat, UserSeat } = edge({
  ends: { licenseId: License, userId: User },
  attributes: { accountId: opaqueId(), assignedAt: stamp.onCreate() },
  items: { LicenseSeat: ['LICENSE_SEATS#{licenseId}', 'USER#{userId}'], UserSeat: ['USER_SEATS#{userId}', 'LICENSE#{licenseId}'] },
  additions: { LicenseSeat: 'who has a seat', UserSeat: 'a deleted user leaves no seat' },
})

export const MenuRole = mirror(
  'MenuRole',
  RolePermission,
  ['MENU_ROLES#{menuKey}', 'ROLE#{roleId}'],
  ['accountId', 'canView', 'canCreate', 'canEdit', 'canDelete'],
  { why: 'who may do something in a menu' },
)

const ofAccount = { why: 'a deleted account takes it along' }
export const AccountUser = mirror('AccountUser', User, ['ACCOUNT_USERS#{accountId}', 'USER#{id}'], [], ofAccount)
export const AccountRole = mirror('AccountRole', Role, ['ACCOUNT_ROLES#{accountId}', 'ROLE#{id}'], [], ofAccount)
export const AccountGroup = mirror('AccountGroup', Group, ['ACCOUNT_GROUPS#{accountId}', 'GROUP#{id}'], [], ofAccount)

const inUse = { why: 'an enterprise in use is not deleted' }
const usesOfEnterprise = 'ENTERPRISE_USES#{enterpriseId}'
const ofLicense = ['productId', 'serviceId'] as const
export const EnterpriseLicense = mirror('EnterpriseLicense', License, [usesOfEnterprise, 'LICENSE#{id}'], ofLicense, inUse)
export const EnterpriseWorkstream = mirror('EnterpriseWorkstream', Workstream, [usesOfEnterprise, 'WORKSTREAM#{id}'], [], inUse)

// Additions: what flows changed. As the document has it, nothing in this table expires

export const Change = entity('Change', {
  attributes: { accountId: opaqueId().optional(), ...keptChangeAttributes },
  key: ['CHANGES#ACCOUNT#{accountId}|CHANGES#SYSTEM', 'CHANGE#{changedAt}#{changeId}'],
  appendOnly: true,
  addition: { why: 'who changed what, listed by account; what belongs to no account is listed apart' },
})
export const ActorChange = mirror('ActorChange', Change, changesOfActorKey, ['accountId', ...changeContent], {
  why: 'what one actor changed',
})

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
