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
  instant,
  map,
  oneOf,
  opaqueId,
  query,
  queryOn,
  stamp,
  text,
  unique,
} from '../../src/language.ts'

const stamps = { createdAt: stamp.onCreate(), updatedAt: stamp.onWrite() }

export const Account = entity('Account', {
  attributes: { id: opaqueId().made(), name: text(), status: oneOf('active', 'suspended').made('active'), ...stamps },
  key: ['ACCOUNT#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ACCOUNT', 'ACCOUNT#{id}'] },
})
export const AccountAddress = entity('AccountAddress', {
  attributes: { id: opaqueId().made(), accountId: opaqueId(), city: text().optional(), ...stamps },
  key: ['ACCOUNT#{accountId}', 'ADDRESS#{id}'],
  refers: { accountId: Account },
})
export const TechnicalUser = entity('TechnicalUser', {
  attributes: { id: opaqueId().made(), accountId: opaqueId(), email: email(), ...stamps },
  key: ['ACCOUNT#{accountId}', 'TECH_USER#{id}'],
  refers: { accountId: Account },
})
export const Enterprise = entity('Enterprise', {
  attributes: { id: opaqueId().made(), name: text(), ...stamps },
  key: ['ENTERPRISE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ENTERPRISE', 'ENTERPRISE#{id}'] },
})
export const License = entity('License', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    enterpriseId: opaqueId(),
    status: oneOf('active', 'expired').made('active'),
    startDate: day().made(),
    endDate: day(),
    seats: count(),
    seatsUsed: count().made(0),
    ...stamps,
  },
  key: ['ACCOUNT#{accountId}', 'LICENSE#{id}'],
  indexes: {
    GSI1: ['ENTITY#LICENSE', 'LICENSE#{id}'],
    GSI2: ['ENTERPRISE#{enterpriseId}', 'LICENSE#{id}'],
    GSI3: ['LICENSE#STATUS#{status}', '{endDate}#{id}'],
  },
  refers: { accountId: Account, enterpriseId: { to: Enterprise, onRemove: 'refuse' } },
})
export const Workstream = entity('Workstream', {
  attributes: { id: opaqueId().made(), accountId: opaqueId(), enterpriseId: opaqueId().optional(), name: text(), ...stamps },
  key: ['ACCOUNT#{accountId}', 'WORKSTREAM#{id}'],
  indexes: { GSI1: ['ENTITY#WORKSTREAM', 'WORKSTREAM#{id}'], GSI2: ['ENTERPRISE#{enterpriseId}', 'WORKSTREAM#{id}'] },
  refers: { accountId: Account },
})
export const User = entity('User', {
  attributes: {
    id: opaqueId().made(),
    accountId: opaqueId(),
    email: email(),
    status: oneOf('active', 'inactive').made('active'),
    endDate: day().optional(),
    ...stamps,
  },
  key: ['USER#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#USER', 'USER#{id}'],
    GSI2: ['ACCOUNT#{accountId}#USERS', 'USER#{id}'],
    GSI3: ['USER#STATUS#{status}', '{endDate}#{id}|9999-12-31#{id}'],
  },
  refers: { accountId: Account },
})
export const UserEmail = unique('UserEmail', User, ['USER_EMAIL#{email}', 'USER_EMAIL#{email}'], [], { why: 'e-mails are unique' })

/** A membership names the account of its workstream, whose key needs it: copied from the user, so that both share one. */
export const { UserWorkstream, WorkstreamUser } = edge({
  ends: { userId: User, workstreamId: Workstream },
  attributes: { accountId: opaqueId(), joinedAt: stamp.onCreate() },
  items: {
    UserWorkstream: ['USER#{userId}', 'WORKSTREAM#{workstreamId}'],
    WorkstreamUser: ['WORKSTREAM_USERS#{workstreamId}', 'USER#{userId}'],
  },
  copies: { UserWorkstream: { workstreamName: 'workstreamId.name' } },
  additions: { WorkstreamUser: 'a deleted workstream leaves its users' },
})

export const Role = entity('Role', {
  attributes: { id: opaqueId().made(), accountId: opaqueId().optional(), name: text(), ...stamps },
  key: ['ROLE#{id}', 'METADATA'],
  indexes: { GSI1: ['ENTITY#ROLE', 'ROLE#{id}'], GSI2: ['ACCOUNT#{accountId}#ROLES', 'ROLE#{id}'] },
})
export const RolePermission = entity('RolePermission', {
  attributes: { roleId: opaqueId(), menuKey: text(), canView: flag().made(false), canDelete: flag().made(false), ...stamps },
  key: ['ROLE#{roleId}', 'PERMISSION#{menuKey}'],
  refers: { roleId: Role },
})

export const NotificationAudit = entity('NotificationAudit', {
  attributes: {
    id: opaqueId().made(),
    notificationType: text(),
    accountId: opaqueId().optional(),
    deliveryStatus: oneOf('sent', 'failed', 'skipped'),
    sentAt: instant().made(),
    errorMessage: text().optional(),
    metadata: map().optional(),
    createdAt: stamp.onCreate(),
  },
  key: ['NOTIFICATION_AUDIT#{id}', 'METADATA'],
  indexes: {
    GSI1: ['ENTITY#NOTIFICATION_AUDIT', 'NOTIFICATION_AUDIT#{id}'],
    GSI2: ['ACCOUNT#{accountId}#NOTIFICATIONS', '{sentAt}#{id}'],
    GSI3: ['NOTIFICATION#STATUS#{deliveryStatus}', '{sentAt}#{id}'],
  },
  appendOnly: true,
})

/** The hardest entities of the platform design, and the patterns that ask most of the language. */
export const platform = design({
  name: 'platform',
  table: 'app_data',
  entities: {
    Account,
    AccountAddress,
    TechnicalUser,
    Enterprise,
    License,
    Workstream,
    User,
    UserEmail,
    UserWorkstream,
    WorkstreamUser,
    Role,
    RolePermission,
    NotificationAudit,
  },
  patterns: {
    license: get(License),
    accounts: queryOn('GSI1', 'ENTITY#ACCOUNT').returns(Account),
    accountWithAll: query('ACCOUNT#{accountId}').returns(Account, AccountAddress, TechnicalUser, License, Workstream),
    usersOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#USERS').returns(User),
    licensesOfEnterprise: queryOn('GSI2', 'ENTERPRISE#{enterpriseId}', beginsWith('LICENSE#')).returns(License),
    expiringLicenses: queryOn('GSI3', 'LICENSE#STATUS#active', atMost('{date}')).returns(License),
    usersByStatus: queryOn('GSI3', 'USER#STATUS#{status}').returns(User),
    usersEndingBefore: queryOn('GSI3', 'USER#STATUS#{status}', atMost('{date}')).returns(User),
    roleWithPermissions: query('ROLE#{roleId}').returns(Role, RolePermission),
    userWithWorkstreams: query('USER#{userId}').returns(User, UserWorkstream),
    notificationsOfAccount: queryOn('GSI2', 'ACCOUNT#{accountId}#NOTIFICATIONS').descending().returns(NotificationAudit),
    notificationsByStatus: queryOn('GSI3', 'NOTIFICATION#STATUS#{deliveryStatus}', between('{from}', '{to}')).returns(NotificationAudit),
  },
})
