import { describe, expect, test } from 'vitest'
import { ownTableOf } from '../../test/own-table.ts'
import { wholeTable } from '../../test/whole-table.ts'
import { platform } from './design.ts'

type Keys = readonly [PK: string, SK: string, indexes?: Readonly<Record<string, string>>]

/** The keys of every item that the writes below leave, by hand from the document (§1-9) and from what the additions are declared with. */
const expected: Readonly<Record<keyof typeof platform.entities, readonly Keys[]>> = {
  Account: [['ACCOUNT#acc-001', 'METADATA', { GSI1PK: 'ENTITY#ACCOUNT', GSI1SK: 'ACCOUNT#acc-001' }]],
  AccountAddress: [['ACCOUNT#acc-001', 'ADDRESS#adr-001']],
  TechnicalUser: [['ACCOUNT#acc-001', 'TECH_USER#abc123']],
  Enterprise: [['ENTERPRISE#ent-001', 'METADATA', { GSI1PK: 'ENTITY#ENTERPRISE', GSI1SK: 'ENTERPRISE#ent-001' }]],
  EnterpriseProduct: [['ENTERPRISE#ent-001', 'PRODUCT#prd-001']],
  EnterpriseService: [['ENTERPRISE#ent-001', 'SERVICE#srv-001']],
  License: [
    [
      'ACCOUNT#acc-001',
      'LICENSE#lic-001',
      {
        GSI1PK: 'ENTITY#LICENSE',
        GSI1SK: 'LICENSE#lic-001',
        GSI2PK: 'ENTERPRISE#ent-001',
        GSI2SK: 'LICENSE#lic-001',
        GSI3PK: 'LICENSE#STATUS#active',
        GSI3SK: '2025-03-15#lic-001',
      },
    ],
    [
      'ACCOUNT#acc-001',
      'LICENSE#lic-002',
      {
        GSI1PK: 'ENTITY#LICENSE',
        GSI1SK: 'LICENSE#lic-002',
        GSI2PK: 'ENTERPRISE#ent-001',
        GSI2SK: 'LICENSE#lic-002',
        GSI3PK: 'LICENSE#STATUS#expired',
        GSI3SK: '2024-02-29#lic-002',
      },
    ],
  ],
  Workstream: [
    [
      'ACCOUNT#acc-001',
      'WORKSTREAM#ws-001',
      { GSI1PK: 'ENTITY#WORKSTREAM', GSI1SK: 'WORKSTREAM#ws-001', GSI2PK: 'ENTERPRISE#ent-001', GSI2SK: 'WORKSTREAM#ws-001' },
    ],
    // of no enterprise
    ['ACCOUNT#acc-001', 'WORKSTREAM#ws-002', { GSI1PK: 'ENTITY#WORKSTREAM', GSI1SK: 'WORKSTREAM#ws-002' }],
  ],
  WorkstreamTool: [['WORKSTREAM#ws-001', 'TOOL#tool-001']],
  User: [
    [
      'USER#abc123',
      'METADATA',
      {
        GSI1PK: 'ENTITY#USER',
        GSI1SK: 'USER#abc123',
        GSI2PK: 'ACCOUNT#acc-001#USERS',
        GSI2SK: 'USER#abc123',
        GSI3PK: 'USER#STATUS#inactive',
        GSI3SK: '2025-01-01#abc123',
      },
    ],
    // without an end
    [
      'USER#def456',
      'METADATA',
      {
        GSI1PK: 'ENTITY#USER',
        GSI1SK: 'USER#def456',
        GSI2PK: 'ACCOUNT#acc-001#USERS',
        GSI2SK: 'USER#def456',
        GSI3PK: 'USER#STATUS#active',
        GSI3SK: '9999-12-31#def456',
      },
    ],
  ],
  UserWorkstream: [['USER#abc123', 'WORKSTREAM#ws-001']],
  Role: [
    [
      'ROLE#role-001',
      'METADATA',
      { GSI1PK: 'ENTITY#ROLE', GSI1SK: 'ROLE#role-001', GSI2PK: 'ACCOUNT#acc-001#ROLES', GSI2SK: 'ROLE#role-001' },
    ],
    // of no account
    ['ROLE#role-002', 'METADATA', { GSI1PK: 'ENTITY#ROLE', GSI1SK: 'ROLE#role-002' }],
  ],
  RolePermission: [['ROLE#role-001', 'PERMISSION#dashboard']],
  Group: [
    [
      'GROUP#grp-001',
      'METADATA',
      { GSI1PK: 'ENTITY#GROUP', GSI1SK: 'GROUP#grp-001', GSI2PK: 'ACCOUNT#acc-001#GROUPS', GSI2SK: 'GROUP#grp-001' },
    ],
  ],
  Product: [['PRODUCT#prd-001', 'METADATA', { GSI1PK: 'ENTITY#PRODUCT', GSI1SK: 'PRODUCT#prd-001' }]],
  Service: [['SERVICE#srv-001', 'METADATA', { GSI1PK: 'ENTITY#SERVICE', GSI1SK: 'SERVICE#srv-001' }]],
  NotificationAudit: [
    [
      'NOTIFICATION_AUDIT#aud-001',
      'METADATA',
      {
        GSI1PK: 'ENTITY#NOTIFICATION_AUDIT',
        GSI1SK: 'NOTIFICATION_AUDIT#aud-001',
        GSI2PK: 'ACCOUNT#acc-001#NOTIFICATIONS',
        GSI2SK: '2025-01-31T08:30:00.000Z#aud-001',
        GSI3PK: 'NOTIFICATION#STATUS#skipped',
        GSI3SK: '2025-01-31T08:30:00.000Z#aud-001',
      },
    ],
    // of no account
    [
      'NOTIFICATION_AUDIT#aud-002',
      'METADATA',
      {
        GSI1PK: 'ENTITY#NOTIFICATION_AUDIT',
        GSI1SK: 'NOTIFICATION_AUDIT#aud-002',
        GSI3PK: 'NOTIFICATION#STATUS#sent',
        GSI3SK: '2025-01-31T08:30:00.000Z#aud-002',
      },
    ],
  ],
  UserEmail: [
    ['USER_EMAIL#ada@example.com', 'USER_EMAIL#ada@example.com'],
    ['USER_EMAIL#bob#1@example.com', 'USER_EMAIL#bob#1@example.com'],
  ],
  GroupMember: [['GROUP#grp-001', 'USER#abc123']],
  UserGroup: [['USER_GROUPS#abc123', 'GROUP#grp-001']],
  GroupRole: [['GROUP#grp-001', 'ROLE#role-001']],
  RoleGroup: [['ROLE_GROUPS#role-001', 'GROUP#grp-001']],
  WorkstreamUser: [['WORKSTREAM_USERS#ws-001', 'USER#abc123']],
  MenuRole: [['MENU_ROLES#dashboard', 'ROLE#role-001']],
  LicenseSeat: [['LICENSE_SEATS#lic-001', 'USER#abc123']],
  UserSeat: [['USER_SEATS#abc123', 'LICENSE#lic-001']],
  SignInIdentity: [['IDENTITY#google#s#1', 'IDENTITY#google#s#1']],
  UserSignInEdge: [['USER_IDENTITIES#abc123', 'IDENTITY#google']],
  ProductUse: [['PRODUCT_USES#prd-001', 'ENTERPRISE#ent-001']],
  ServiceUse: [['SERVICE_USES#srv-001', 'ENTERPRISE#ent-001']],
  AccountUser: [
    ['ACCOUNT_USERS#acc-001', 'USER#abc123'],
    ['ACCOUNT_USERS#acc-001', 'USER#def456'],
  ],
  AccountRole: [['ACCOUNT_ROLES#acc-001', 'ROLE#role-001']],
  AccountGroup: [['ACCOUNT_GROUPS#acc-001', 'GROUP#grp-001']],
  EnterpriseLicense: [
    ['ENTERPRISE_USES#ent-001', 'LICENSE#lic-001'],
    ['ENTERPRISE_USES#ent-001', 'LICENSE#lic-002'],
  ],
  UserContact: [['TECHNICAL_USERS#abc123', 'ACCOUNT#acc-001#abc123']],
  Change: [
    ['CHANGES#ACCOUNT#acc-001', 'CHANGE#2025-01-31T09:30:00.000Z#01KKRZJT000000000000000001'],
    ['CHANGES#SYSTEM', 'CHANGE#2025-01-31T09:30:00.000Z#01KKRZJT000000000000000002'],
  ],
  ActorChange: [1, 2].map((id) => ['CHANGES#ACTOR#operator x', `CHANGE#2025-01-31T09:30:00.000Z#01KKRZJT00000000000000000${id}`]),
  EnterpriseWorkstream: [['ENTERPRISE_USES#ent-001', 'WORKSTREAM#ws-001']],
  Provisioning: [['PROVISIONING#acc-001', 'METADATA']],
  NotificationIntent: [
    ['NOTIFICATION_INTENTS#acc-001', 'credentials#abc123#once'],
    ['NOTIFICATION_INTENTS#acc-001', 'license_expiry#lic-001#2025-03-15.7'],
  ],
  OpenNotification: [['NOTIFICATIONS_UNDER_WAY', '2025-03-08T00:00:00.000Z#acc-001#license_expiry#lic-001#2025-03-15.7']],
}

const keyAttribute = /^(?:GSI\d+)?[PS]K$/

const table = await ownTableOf(platform)
const [accountId, enterpriseId] = ['acc-001', 'ent-001']
await table.Account.create({ id: accountId, name: 'Acme' })
await table.AccountAddress.create({ id: 'adr-001', accountId, line1: '1 High Street', city: 'York', country: 'GB' })
await table.Enterprise.create({ id: enterpriseId, name: 'Nova' })
await table.Product.create({ id: 'prd-001', name: 'Lens' })
await table.Service.create({ id: 'srv-001', name: 'Support' })
await table.EnterpriseProduct.create({ enterpriseId, productId: 'prd-001' })
await table.EnterpriseService.create({ enterpriseId, serviceId: 'srv-001' })
const license = { accountId, enterpriseId, seats: 5 }
await table.License.create({ ...license, id: 'lic-001', endDate: ' 2025-03-15 ' })
await table.License.create({ ...license, id: 'lic-002', status: 'expired', endDate: '2024-02-29' })
await table.Workstream.create({ id: 'ws-001', accountId, enterpriseId, name: 'Research' })
await table.Workstream.create({ id: 'ws-002', accountId, enterpriseId: null, name: 'Sales' })
await table.WorkstreamTool.create({ id: 'tool-001', accountId, workstreamId: 'ws-001', name: 'Lens' })
const names = { firstName: 'Ada', lastName: 'Byron' }
await table.User.create({ id: 'abc123', accountId, email: 'Ada@Example.com', ...names, status: 'inactive', endDate: '2025-01-01' })
await table.User.create({ id: 'def456', accountId, email: 'bob#1@example.com', ...names })
await table.TechnicalUser.create({ id: 'abc123', accountId, name: 'Ada', email: 'ada@example.com', userId: 'abc123' })
await table.UserWorkstream.create({ userId: 'abc123', workstreamId: 'ws-001', accountId })
await table.Role.create({ id: 'role-001', accountId, name: 'Viewer' })
await table.Role.create({ id: 'role-002', name: 'Operator' })
await table.RolePermission.create({ roleId: 'role-001', menuKey: 'dashboard', canView: true })
await table.Group.create({ id: 'grp-001', accountId, name: 'Staff' })
await table.GroupMember.create({ groupId: 'grp-001', userId: 'abc123' })
await table.GroupRole.create({ groupId: 'grp-001', roleId: 'role-001' })
await table.LicenseSeat.create({ licenseId: 'lic-001', userId: 'abc123', accountId })
await table.SignInIdentity.create({ provider: 'google', subject: 's#1', userId: 'abc123' })
const audit = { notificationType: 'credentials', recipientEmail: 'ada@example.com', sentAt: '2025-01-31T09:30:00+01:00' }
await table.NotificationAudit.create({ ...audit, id: 'aud-001', accountId, deliveryStatus: 'skipped', skipReason: 'no mail is set up' })
await table.NotificationAudit.create({ ...audit, id: 'aud-002', deliveryStatus: 'sent' })
await table.Provisioning.create({ accountId, job: 'job', steps: [{ step: 'account', outcome: 'done' }] })
await table.NotificationIntent.create({
  accountId,
  notificationType: 'credentials',
  subjectId: 'abc123',
  occasion: 'once',
  state: 'sent',
  attempt: 'att-001',
})
const [notificationType, state, sendingSince] = ['license_expiry', 'sending', '2025-03-08T00:00:00Z'] as const
const sending = { notificationType, state, sendingSince, subjectId: 'lic-001', occasion: '2025-03-15.7' }
await table.NotificationIntent.create({ accountId, ...sending, attempt: 'att-002' })
const change = { changeId: '01KKRZJT000000000000000001', changedAt: '2025-01-31T09:30:00Z', flow: 'test', actor: 'operator x' }
await table.Change.create({ ...change, accountId })
await table.Change.create({ ...change, changeId: '01KKRZJT000000000000000002' })
const found = await wholeTable(table)

describe('an item written through the repository has the keys of the document', () => {
  const sorted = (keys: readonly unknown[]) => keys.map((each) => JSON.stringify(each)).sort()

  test.each(Object.entries(expected))('%s', (Type, keys) => {
    const lies = found
      .filter((item) => item.Type === Type)
      .map((item) => Object.entries(item).filter(([name]) => keyAttribute.test(name)))
      .map((entries) => entries.sort(([a], [b]) => (a < b ? -1 : 1)))
    const wanted = keys.map(([PK, SK, indexes = {}]) => Object.entries({ ...indexes, PK, SK }))
    expect(sorted(lies)).toEqual(sorted(wanted))
  })

  test('and nothing lies elsewhere', () => {
    expect([...new Set(found.map(({ Type }) => Type))].sort()).toEqual(Object.keys(expected).sort())
  })

  test('no entity and no index is left out', () => {
    const indexes = (name: string) =>
      Object.keys(platform.form.entities.get(name)?.form.indexes ?? {}).flatMap((of) => [`${of}PK`, `${of}SK`])
    expect(Object.keys(expected).sort()).toEqual([...platform.form.entities.keys()].sort())
    for (const [name, [first]] of Object.entries(expected)) expect(Object.keys(first?.[2] ?? {})).toEqual(indexes(name))
  })
})

test('the account of a permission, of a member and of what a group may do is on the item, whose key does not name it', () => {
  const kinds = ['RolePermission', 'MenuRole', 'GroupMember', 'UserGroup', 'GroupRole', 'RoleGroup', 'WorkstreamTool', 'UserEmail']
  for (const kind of kinds)
    for (const item of found.filter(({ Type }) => Type === kind)) expect(item).toMatchObject({ Type: kind, accountId: 'acc-001' })
})
