import type { LiteralItem } from './literal-items.ts'

// Items of app_data as a foreign writer would write them: their keys are spelled out here, as the document has them.

type Attributes = Readonly<Record<string, string | number | boolean>>

const at = '2026-01-01T00:00:00.000Z'
const stamps = { createdAt: at, updatedAt: at }

export function item(Type: string, PK: string, SK: string, attributes: Attributes): LiteralItem {
  return { PK, SK, Type, version: 1, ...attributes }
}

export const account = (id: string) =>
  item('Account', `ACCOUNT#${id}`, 'METADATA', {
    GSI1PK: 'ENTITY#ACCOUNT',
    GSI1SK: `ACCOUNT#${id}`,
    ...{ id, name: 'Acme', status: 'active', ...stamps },
  })

export const address = (accountId: string, id: string) =>
  item('AccountAddress', `ACCOUNT#${accountId}`, `ADDRESS#${id}`, {
    ...{ id, accountId, line1: '1 High Street', city: 'York', country: 'GB', ...stamps },
  })

export const technicalUser = (accountId: string, id: string) =>
  item('TechnicalUser', `ACCOUNT#${accountId}`, `TECH_USER#${id}`, { id, accountId, name: 'Ada', email: 'ada@example.org', ...stamps })

/** A technical user that mirrors the user of its id. */
export const mirror = (accountId: string, id: string) => [
  { ...technicalUser(accountId, id), userId: id },
  item('UserContact', `TECHNICAL_USERS#${id}`, `ACCOUNT#${accountId}#${id}`, { id, userId: id, accountId }),
]

/** A change of an account, or of none, by an actor: with its lookup item. */
export const change = (changedAt: string, changeId: string, actor: string, accountId?: string) => {
  const of = accountId === undefined ? {} : { accountId }
  const told = { changeId, changedAt, flow: 'test', actor, severity: 'info', status: 'success', ...of }
  return [
    item('Change', accountId === undefined ? 'CHANGES#SYSTEM' : `CHANGES#ACCOUNT#${accountId}`, `CHANGE#${changedAt}#${changeId}`, told),
    item('ActorChange', `CHANGES#ACTOR#${actor}`, `CHANGE#${changedAt}#${changeId}`, told),
  ]
}

export const license = (accountId: string, id: string, enterpriseId: string, status: 'active' | 'expired', endDate: string) =>
  item('License', `ACCOUNT#${accountId}`, `LICENSE#${id}`, {
    GSI1PK: 'ENTITY#LICENSE',
    GSI1SK: `LICENSE#${id}`,
    GSI2PK: `ENTERPRISE#${enterpriseId}`,
    GSI2SK: `LICENSE#${id}`,
    GSI3PK: `LICENSE#STATUS#${status}`,
    GSI3SK: `${endDate}#${id}`,
    ...{ id, accountId, enterpriseId, status, startDate: '2025-01-01', endDate, seats: 5, seatsUsed: 0, ...stamps },
  })

/** A workstream; of no enterprise, it is in GSI1 only. */
export const workstream = (accountId: string, id: string, enterpriseId?: string) =>
  item('Workstream', `ACCOUNT#${accountId}`, `WORKSTREAM#${id}`, {
    GSI1PK: 'ENTITY#WORKSTREAM',
    GSI1SK: `WORKSTREAM#${id}`,
    ...(enterpriseId === undefined ? {} : { GSI2PK: `ENTERPRISE#${enterpriseId}`, GSI2SK: `WORKSTREAM#${id}`, enterpriseId }),
    ...{ id, accountId, name: 'Research', ...stamps },
  })

export const tool = (accountId: string, workstreamId: string, id: string) =>
  item('WorkstreamTool', `WORKSTREAM#${workstreamId}`, `TOOL#${id}`, { id, accountId, workstreamId, name: 'Lens', ...stamps })

/** An enterprise, a product or a service. */
export const named = (Type: 'Enterprise' | 'Product' | 'Service', id: string) => {
  const kind = Type.toUpperCase()
  return item(Type, `${kind}#${id}`, 'METADATA', { GSI1PK: `ENTITY#${kind}`, GSI1SK: `${kind}#${id}`, id, name: 'Nova', ...stamps })
}

export const productOf = (enterpriseId: string, productId: string) => [
  item('EnterpriseProduct', `ENTERPRISE#${enterpriseId}`, `PRODUCT#${productId}`, { enterpriseId, productId, assignedAt: at }),
  item('ProductUse', `PRODUCT_USES#${productId}`, `ENTERPRISE#${enterpriseId}`, { enterpriseId, productId, assignedAt: at }),
]

export const serviceOf = (enterpriseId: string, serviceId: string) => [
  item('EnterpriseService', `ENTERPRISE#${enterpriseId}`, `SERVICE#${serviceId}`, { enterpriseId, serviceId, assignedAt: at }),
  item('ServiceUse', `SERVICE_USES#${serviceId}`, `ENTERPRISE#${enterpriseId}`, { enterpriseId, serviceId, assignedAt: at }),
]

/** A user; one without an end sorts after all that have one. */
export const user = (accountId: string, id: string, email: string, status: 'active' | 'inactive' = 'active', endDate?: string) => [
  item('User', `USER#${id}`, 'METADATA', {
    GSI1PK: 'ENTITY#USER',
    GSI1SK: `USER#${id}`,
    GSI2PK: `ACCOUNT#${accountId}#USERS`,
    GSI2SK: `USER#${id}`,
    GSI3PK: `USER#STATUS#${status}`,
    GSI3SK: `${endDate ?? '9999-12-31'}#${id}`,
    ...(endDate === undefined ? {} : { endDate }),
    ...{ id, accountId, email, firstName: 'Ada', lastName: 'Byron', status, ...stamps },
  }),
  item('UserEmail', `USER_EMAIL#${email}`, `USER_EMAIL#${email}`, { email, id, accountId }),
  item('AccountUser', `ACCOUNT_USERS#${accountId}`, `USER#${id}`, { id, accountId }),
]

export const inWorkstream = (accountId: string, userId: string, workstreamId: string) => {
  const edge = { accountId, userId, workstreamId, joinedAt: at }
  return [
    item('UserWorkstream', `USER#${userId}`, `WORKSTREAM#${workstreamId}`, edge),
    item('WorkstreamUser', `WORKSTREAM_USERS#${workstreamId}`, `USER#${userId}`, edge),
  ]
}

/** A role; of no account, it is in GSI1 only. */
export const role = (id: string, accountId?: string) =>
  item('Role', `ROLE#${id}`, 'METADATA', {
    GSI1PK: 'ENTITY#ROLE',
    GSI1SK: `ROLE#${id}`,
    ...(accountId === undefined ? {} : { GSI2PK: `ACCOUNT#${accountId}#ROLES`, GSI2SK: `ROLE#${id}`, accountId }),
    ...{ id, name: 'Viewer', ...stamps },
  })

/** A permission of a role in a menu: to view it, unless other flags are given. */
export const permission = (roleId: string, menuKey: string, given: Attributes = { canView: true }) => {
  const flags = { roleId, menuKey, canView: false, canCreate: false, canEdit: false, canDelete: false, ...given }
  return [
    item('RolePermission', `ROLE#${roleId}`, `PERMISSION#${menuKey}`, { ...flags, ...stamps }),
    item('MenuRole', `MENU_ROLES#${menuKey}`, `ROLE#${roleId}`, flags),
  ]
}

/** A group in the table and its index. Its lookup item is `accountGroup`. */
export const group = (id: string, accountId: string) =>
  item('Group', `GROUP#${id}`, 'METADATA', {
    GSI1PK: 'ENTITY#GROUP',
    GSI1SK: `GROUP#${id}`,
    GSI2PK: `ACCOUNT#${accountId}#GROUPS`,
    GSI2SK: `GROUP#${id}`,
    ...{ id, accountId, name: 'Staff', ...stamps },
  })

/** By which the groups of an account are found without an index. */
export const accountGroup = (id: string, accountId: string) =>
  item('AccountGroup', `ACCOUNT_GROUPS#${accountId}`, `GROUP#${id}`, { id, accountId })

/** A user in a group. Its items copy the account of the group, if they were written by us. */
export const member = (groupId: string, userId: string, accountId?: string) => {
  const edge = { groupId, userId, joinedAt: at, ...(accountId === undefined ? {} : { accountId }) }
  return [
    item('GroupMember', `GROUP#${groupId}`, `USER#${userId}`, edge),
    item('UserGroup', `USER_GROUPS#${userId}`, `GROUP#${groupId}`, edge),
  ]
}

export const groupRole = (groupId: string, roleId: string, accountId?: string) => {
  const edge = { groupId, roleId, assignedAt: at, ...(accountId === undefined ? {} : { accountId }) }
  return [
    item('GroupRole', `GROUP#${groupId}`, `ROLE#${roleId}`, edge),
    item('RoleGroup', `ROLE_GROUPS#${roleId}`, `GROUP#${groupId}`, edge),
  ]
}

export const identity = (accountId: string, userId: string, provider: string, subject: string) => {
  const edge = { accountId, userId, provider, subject, createdAt: at }
  return [
    item('SignInIdentity', `IDENTITY#${provider}#${subject}`, `IDENTITY#${provider}#${subject}`, edge),
    item('UserSignInEdge', `USER_IDENTITIES#${userId}`, `IDENTITY#${provider}`, edge),
  ]
}

export const seat = (accountId: string, licenseId: string, userId: string) => {
  const edge = { accountId, licenseId, userId, assignedAt: at }
  return [
    item('LicenseSeat', `LICENSE_SEATS#${licenseId}`, `USER#${userId}`, edge),
    item('UserSeat', `USER_SEATS#${userId}`, `LICENSE#${licenseId}`, edge),
  ]
}

/** A mail under way: its intent, with the lookup item. */
export const open = (accountId: string, subjectId: string, sendingSince: string) => {
  const identity = { accountId, notificationType: 'credentials', subjectId, occasion: 'once' }
  const sort = `credentials#${subjectId}#once`
  return [
    item('NotificationIntent', `NOTIFICATION_INTENTS#${accountId}`, sort, {
      ...identity,
      ...{ state: 'sending', attempt: 'att-1', sendingSince, ...stamps },
    }),
    item('OpenNotification', 'NOTIFICATIONS_UNDER_WAY', `${sendingSince}#${accountId}#${sort}`, { ...identity, sendingSince }),
  ]
}

/** The delivery of a notification; about no account, it is not in GSI2. */
export const audit = (id: string, deliveryStatus: 'sent' | 'failed' | 'skipped', sentAt: string, accountId?: string) =>
  item('NotificationAudit', `NOTIFICATION_AUDIT#${id}`, 'METADATA', {
    GSI1PK: 'ENTITY#NOTIFICATION_AUDIT',
    GSI1SK: `NOTIFICATION_AUDIT#${id}`,
    ...(accountId === undefined ? {} : { GSI2PK: `ACCOUNT#${accountId}#NOTIFICATIONS`, GSI2SK: `${sentAt}#${id}`, accountId }),
    GSI3PK: `NOTIFICATION#STATUS#${deliveryStatus}`,
    GSI3SK: `${sentAt}#${id}`,
    ...{ id, notificationType: 'credentials', recipientEmail: 'ada@example.org', deliveryStatus, sentAt, createdAt: at },
  })
