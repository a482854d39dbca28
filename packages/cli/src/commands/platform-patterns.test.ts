import { expect, test } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'

// The access patterns of platform's document, its summary and its query patterns, on one account that was made by the command alone.

const data = folder()
const table = freshTable()
const now = new Date('2026-03-01T12:00:00.000Z')
const outbox = { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_DATA: data, FREEHOLD_MAIL: 'outbox' }
/** Nothing listens there. */
const noServer = {
  DYNAMODB_ENDPOINT: endpoint,
  FREEHOLD_MAIL: 'smtp://127.0.0.1:1',
  FREEHOLD_MAIL_FROM: 'no-reply@portal.example',
  FREEHOLD_CREDENTIAL_LINK: 'https://portal.example/?u={userId}',
}

async function run(argv: readonly string[], env: Readonly<Record<string, string>> = outbox): Promise<string> {
  const { exit, out } = await freehold([...argv, '--table', table, '--json'], { env, now: () => now })
  expect(exit).toBe(0)
  return out
}
const flow = async (name: string, input: object, env = outbox as Readonly<Record<string, string>>) =>
  JSON.parse(await run(['do', 'platform', name, JSON.stringify(input)], env))

const keys: Readonly<Record<string, (item: Record<string, string>) => string>> = {
  EnterpriseProduct: ({ productId }) => `product ${productId}`,
  EnterpriseService: ({ serviceId }) => `service ${serviceId}`,
  RolePermission: ({ menuKey }) => `may view ${menuKey}`,
  UserWorkstream: ({ workstreamId }) => `member of ${workstreamId}`,
  NotificationAudit: ({ notificationType, deliveryStatus, recipientEmail }) => `${notificationType} ${deliveryStatus} ${recipientEmail}`,
}
const rowOf = (item: Record<string, string>) => keys[item.Type ?? '']?.(item) ?? `${item.Type} ${item.id}`

const account = { accountId: 'acc-1' }
const all = [
  'AccountAddress acc-1.address-1',
  'AccountAddress acc-1.address-2',
  'License lic-far',
  'License lic-old',
  'License lic-soon',
  'Account acc-1',
  'TechnicalUser tea',
  'Workstream default-acc-1',
  'Workstream ws-1',
]
const [sent, reminded, failed] = [
  'credentials sent tea@harbour.example',
  'license_expiry sent tea@harbour.example',
  'credentials failed ada@harbour.example',
]
const licenses = ['License lic-far', 'License lic-old', 'License lic-soon']
const permissions = ['Role acc-1.technical-role', 'may view dashboard', 'may view settings', 'may view users']

await flow('createEnterprise', { id: 'ent-1', name: 'Nova' })
await flow('createEnterprise', { id: 'ent-2', name: 'Other' })
await flow('createProduct', { id: 'prd-1', name: 'Lens' })
await flow('createService', { id: 'srv-1', name: 'Support' })
await flow('assignProduct', { enterpriseId: 'ent-1', productId: 'prd-1' })
await flow('assignService', { enterpriseId: 'ent-1', serviceId: 'srv-1' })
const { steps } = await flow('provisionAccount', {
  accountId: 'acc-1',
  name: 'Harbour Ltd',
  addresses: [
    { line1: 'Pier 1', city: 'Bremen', country: 'DE', isPrimary: true },
    { line1: 'Pier 2', city: 'Kiel', country: 'DE' },
  ],
  technicalUser: { id: 'tea', email: 'tea@harbour.example', firstName: 'Tea', lastName: 'Ch' },
  licenses: [
    { id: 'lic-old', enterpriseId: 'ent-1', seats: 5, startDate: '2025-01-01', endDate: '2025-12-31' },
    { id: 'lic-far', enterpriseId: 'ent-1', seats: 5, endDate: '2026-12-31' },
    { id: 'lic-soon', enterpriseId: 'ent-1', seats: 5, endDate: '2026-03-20' },
  ],
  menus: ['dashboard', 'settings', 'users'],
})
expect(steps.map(({ outcome }: { readonly outcome: string }) => outcome)).toEqual(Array(12).fill('done'))
await flow('createAccount', { id: 'acc-2', name: 'Another' })
await flow('createWorkstream', { accountId: 'acc-1', id: 'ws-1', name: 'Research', enterpriseId: 'ent-1' })
await flow('addToWorkstream', { accountId: 'acc-1', workstreamId: 'ws-1', userId: 'tea' })
for (const id of ['ada', 'bob'])
  await flow('createUser', { accountId: 'acc-1', id, email: `${id}@harbour.example`, firstName: id, lastName: 'Ch' })
await flow('deactivateUser', { id: 'bob' })
await flow('sendCredentials', { userId: 'ada' }, noServer)
await run(['sweep', 'platform', '{"stages":[30]}'])

test.each<[row: string, pattern: string, parameters: object, ...expected: string[]]>([
  // The summary of access patterns, row by row.
  ['all accounts', 'accounts', {}, 'Account acc-1', 'Account acc-2'],
  ['all enterprises', 'enterprises', {}, 'Enterprise ent-1', 'Enterprise ent-2'],
  ['an account with addresses and technical user', 'accountWithAll', account, ...all],
  [
    'an enterprise with products and services',
    'enterpriseWithAll',
    { enterpriseId: 'ent-1' },
    'Enterprise ent-1',
    'product prd-1',
    'service srv-1',
  ],
  ['users of an account', 'usersOfAccount', account, 'User ada', 'User bob', 'User tea'],
  ['licences of an account', 'licensesOfAccount', account, ...licenses],
  ['licences of an enterprise', 'licensesOfEnterprise', { enterpriseId: 'ent-1' }, ...licenses],
  ['workstreams of an account', 'workstreamsOfAccount', account, 'Workstream default-acc-1', 'Workstream ws-1'],
  ['workstreams of an enterprise', 'workstreamsOfEnterprise', { enterpriseId: 'ent-1' }, 'Workstream ws-1'],
  ['a role with its permissions', 'roleWithPermissions', { roleId: 'acc-1.technical-role' }, ...permissions],
  ['a user with its workstreams', 'userWithWorkstreams', { userId: 'tea' }, 'User tea', 'member of ws-1'],
  ['expiring licences', 'expiringLicenses', { date: '2026-03-31' }, 'License lic-soon'],
  ['inactive users', 'inactiveUsers', {}, 'User bob'],
  ['all notification audits', 'notificationAudits', {}, failed, sent, reminded],
  ['notifications of an account', 'notificationsOfAccount', account, failed, sent, reminded],
  ['failed notifications', 'failedNotifications', {}, failed],
  ['sent notifications of a period', 'sentNotificationsBetween', { from: '2026-03-01', to: '2026-03-01' }, sent, reminded],
  // The query patterns that the summary does not repeat: 3 and 5 are by account and by status.
  ['roles of an account', 'rolesOfAccount', account, 'Role acc-1.technical-role'],
  ['active licences by their end', 'activeLicensesByEnd', {}, 'License lic-soon', 'License lic-far'],
  ['expired licences', 'expiredLicenses', {}, 'License lic-old'],
])('%s: freehold query platform %s', async (_, pattern, parameters, ...expected) => {
  const { items } = JSON.parse(await run(['query', 'platform', pattern, JSON.stringify(parameters)]))
  const rows: string[] = items.map(rowOf)
  // Notifications of one instant are in the order of their ids, which are random.
  const isOrdered = !/otification/.test(pattern)
  expect(isOrdered ? rows : rows.sort()).toEqual(isOrdered ? expected : expected.sort())
})
