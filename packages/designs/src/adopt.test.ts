import { type AnyDesign, type ConnectedTable, connect, type Table } from '@freehold/table'
import { adoptJob, keyText, type Stored, scanItems, surveyTable } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { expect, test } from 'vitest'
import { senderAfter } from '../../../test/engine/sender-after.ts'
import { idOf as accountId, permission, role as roleItems } from '../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, harbour, pier, reader } from '../test/account-organisation.ts'
import { groupItems, groupMembershipItems, idOf, writeLiterally } from '../test/literal-items.ts'
import { adaInBerlin, ada as adaOfBerlin, berlin, furtherTeachers } from '../test/organisation.ts'
import { engineSender, ownTableOf } from '../test/own-table.ts'
import { decideAccountManagement } from './account-management/decide.ts'
import { accountManagement } from './account-management/design.ts'
import { authorization } from './authorization/design.ts'
import { platform } from './platform/design.ts'
import { decideRebac } from './rebac/decide.ts'
import { rebac } from './rebac/design.ts'

// A table that another program has written by the source document alone: no guard, no lookup item, no side of an edge that is an addition.

const plain = ({ writeId: _, version: __, ...item }: Stored): Stored => item
const placeOf = ({ PK, SK }: Stored) => keyText({ PK: String(PK), SK: String(SK) })

async function itemsOf({ runtime }: Pick<ConnectedTable, 'runtime'>): Promise<Map<string, Stored>> {
  const items = new Map<string, Stored>()
  for await (const page of scanItems(runtime)) for (const item of page) if (item.Type !== 'Job') items.set(placeOf(item), item)
  return items
}

/** True for an item that no source document has. */
function isAddition({ form }: AnyDesign, { Type }: Stored): boolean {
  const entity = form.entities.get(String(Type))
  const { kind } = entity?.form.part ?? {}
  return kind === 'guard' || kind === 'mirror' || (kind === 'edge' && entity?.form.addition !== undefined)
}

/** What the document alone would have of these items: without additions, versions and stamps, and without attributes that are derived from others. */
async function byDocument<D extends AnyDesign>(design: D, items: Iterable<Stored>): Promise<Table<D>> {
  const table = await ownTableOf(design)
  const written = [...items]
    .filter((item) => !isAddition(design, item))
    .map((item) => {
      const attributes = design.form.entities.get(String(item.Type))?.attributes ?? {}
      const isDerived = (name: string) => attributes[name]?.why !== undefined && ['copied', 'made'].includes(attributes[name].presence)
      return Object.fromEntries(Object.entries(plain(item)).filter(([name]) => !isDerived(name))) as Stored
    })
  await restoreItems(table.runtime, written)
  return table
}

const adopt = ({ jobs, design }: Pick<ConnectedTable, 'jobs' | 'design'>) => jobs.start(adoptJob, { subject: design.name, input: null })

async function madeByRepositories(design: typeof platform | typeof authorization): Promise<Map<string, Stored>> {
  const table = await ownTableOf<AnyDesign>(design)
  const made = async (entity: string, item: object) => table.repositoryNamed(entity).create(item)
  if (design === platform) {
    await made('Account', { id: 'acme', name: 'Acme' })
    await made('User', { id: 'u1', accountId: 'acme', email: 'ada@example.org', firstName: 'Ada', lastName: 'L' })
    await made('Role', { id: 'r1', accountId: 'acme', name: 'viewer' })
    await made('RolePermission', { roleId: 'r1', menuKey: 'reports', canView: true })
    await made('Product', { id: 'p1', name: 'Product' })
    await made('Enterprise', { id: 'e1', name: 'Enterprise' })
    await made('EnterpriseProduct', { enterpriseId: 'e1', productId: 'p1' })
    await made('Workstream', { id: 'w1', accountId: 'acme', enterpriseId: 'e1', name: 'Stream' })
    await made('UserWorkstream', { userId: 'u1', workstreamId: 'w1', accountId: 'acme' })
  } else {
    const { tenantId } = (await made('Tenant', { name: 'Acme' })) as unknown as { tenantId: string }
    const { userId } = (await made('User', { email: 'ada@example.org', phone: '+49301234', preferredUsername: 'ada' })) as unknown as {
      userId: string
    }
    await made('Role', { name: 'viewer', scope: 'tenant' })
    await made('TenantGrant', { tenantId, userId })
    await made('Policy', { policyId: 'p', name: 'view' })
  }
  return itemsOf(table)
}

const common = accountId('role', 9)

const accountItems: readonly Stored[] = [
  ...adaAtHarbour,
  ...permission(accountId('permission', 1), camera.module, camera.action, camera.resource),
  ...roleItems(acme, accountId('role', 8), 'child', { parent: accountId('role', 1) }),
]

async function rebacItems(): Promise<Map<string, Stored>> {
  const table = await ownTableOf(rebac)
  const group = idOf('group', 2)
  const more = [...furtherTeachers([2, 3]), ...groupItems(group, berlin), ...groupMembershipItems(adaOfBerlin, group, berlin)]
  await writeLiterally(table.runtime, [...adaInBerlin, ...more])
  return itemsOf(table)
}

test.each([
  ['rebac', rebac, rebacItems],
  ['platform', platform, () => madeByRepositories(platform)],
  ['authorization', authorization, () => madeByRepositories(authorization)],
] as const)(
  '%s: what the document alone has written gets all that the design would have written, and nothing else',
  async (_name, design: AnyDesign, items) => {
    const whole = await items()
    const table = (await byDocument(design, whole.values())) as unknown as ConnectedTable
    const { missing } = await surveyTable(table.runtime)
    const absent = [...whole.values()].filter((item) => isAddition(design, item))
    for (const { Type } of absent) expect([Type, missing[String(Type)]]).toEqual([Type, expect.any(Number)])
    await adopt(table)
    expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problems: [], problemsCount: 0, isWhole: true })
    const adopted = await itemsOf(table)
    expect([...adopted.keys()].sort()).toEqual([...whole.keys()].sort())
    for (const [place, item] of whole) expect(plain(adopted.get(place) ?? {})).toMatchObject(plain(item))
    // Again it writes nothing.
    await adopt(table)
    expect(await itemsOf(table)).toEqual(adopted)
  },
)

test('rebac denies a table that was written by the document alone, until it is adopted', async () => {
  const table = await byDocument(rebac, (await rebacItems()).values())
  const question = { user: 'ada@example.org', location: 'BER01', page: 'plan' }
  expect(await decideRebac(table.runtime).can(question)).toMatchObject({ allowed: false })
  await adopt(table)
  expect(await decideRebac(table.runtime).can(question)).toEqual({ allowed: true })
  expect((await decideRebac(table.runtime).who({ location: berlin, page: 'plan' })).items.map(({ userId }) => userId)).toContain(
    adaOfBerlin,
  )
})

test('account-management: items are adopted after what they refer to, and those that the design cannot add to are told', async () => {
  const table = await byDocument(accountManagement, accountItems)
  await adopt(table)
  const { missing, problems } = await surveyTable(table.runtime)
  expect(missing).toEqual({})
  expect(problems).toEqual([])
  const question = { user: ada, client: acme, project: harbour, building: pier, permission: camera }
  expect(await decideAccountManagement(table.runtime).can(question)).toEqual({ allowed: true })
  const assignmentOf = async () => [...(await itemsOf(table)).values()].find(({ Type }) => Type === 'UserRoleAssignment')
  // The document does not say whose role an assignment is of: where the role lies does.
  const { role_owner: _, client_id: __, GSI2PK: ___, GSI2SK: ____, ...without } = (await assignmentOf()) ?? {}
  await restoreItems(table.runtime, [without])
  await adopt(table)
  expect(await assignmentOf()).toMatchObject({ role_owner: acme, client_id: acme })
  // Also in its keys of indexes.
  const ofRole = (role: string): Stored => JSON.parse(JSON.stringify(without).replaceAll(reader, role))
  const ofSystem = ofRole(common)
  // The document gives a system role a client that is null.
  const systemRole = roleItems(undefined, common, 'common').map((item) => (item.Type === 'Role' ? { ...item, client_id: null } : item))
  await restoreItems(table.runtime, [...systemRole, ofSystem])
  await adopt(table)
  expect(await table.UserRoleAssignment.get({ user_id: ada, scope_type: 'project', scope_id: harbour, role_id: common })).toMatchObject({
    role_owner: 'SYSTEM',
    client_id: acme,
  })
  // Nothing says what role it was.
  const lost = accountId('role', 99)
  await restoreItems(table.runtime, [ofRole(lost)])
  await adopt(table)
  expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problems: [{ entity: 'UserRoleAssignment' }] })
})

test('two owners of one unique value are a collision: the first keeps it, and it is told', async () => {
  const whole = [...(await rebacItems()).values()]
  const [location] = whole.filter(({ Type }) => Type === 'Location')
  const twin = { ...location, locationId: idOf('location', 7), PK: `LOCATION#${idOf('location', 7)}` }
  const table = await byDocument(rebac, [...whole, twin])
  await adopt(table)
  const { missing, problems } = await surveyTable(table.runtime)
  expect(missing).toEqual({})
  expect(problems).toEqual([
    expect.objectContaining({ entity: 'LocationCodeLookup', code: 'AlreadyExists', message: expect.stringContaining('of another owner') }),
  ])
})

test('a lookup item that another program has not changed with its owner is written anew', async () => {
  const table = await ownTableOf(rebac)
  const { locationId } = await table.Location.create({ locationCode: 'BER', name: 'Berlin' })
  const [node] = [...(await itemsOf(table)).values()].filter(({ Type }) => Type === 'Location')
  await restoreItems(table.runtime, [{ ...node, name: 'Berlin Mitte' }])
  expect((await surveyTable(table.runtime)).missing).toEqual({ LocationEntry: 1 })
  await adopt(table)
  expect(await table.LocationEntry.get({ locationId })).toMatchObject({ name: 'Berlin Mitte', version: 2 })
})

test('a job that dies anywhere is finished by the next process, and two at once do no harm', async () => {
  const whole = await rebacItems()
  for (const dying of [1, 2, 4, 8, 16]) {
    const { runtime } = await byDocument(rebac, whole.values())
    let writes = 0
    const sender = senderAfter((operation) => {
      if (operation === 'TransactWriteItems' && ++writes > dying) throw Object.assign(new Error('killed'), { code: 'EKILLED' })
    })
    const options = { table: runtime.table, sleep: async () => {} }
    await adopt(connect(rebac, { ...options, sender, patience_ms: 0 })).catch(() => undefined)
    const later = () => connect(rebac, { ...options, sender: engineSender(), now: () => new Date(Date.now() + 60_000) })
    await Promise.all([later().jobs.resume(), adopt(later())])
    const table = connect(rebac, { ...options, sender: engineSender() })
    expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problemsCount: 0 })
    expect([...(await itemsOf(table)).keys()].sort()).toEqual([...whole.keys()].sort())
  }
})

test('a tenant adopts nothing and surveys nothing: both are for operators', async () => {
  const table = await ownTableOf(accountManagement)
  const scoped = table.forTenant(acme)
  await expect(surveyTable(scoped.runtime)).rejects.toMatchObject({ code: 'Denied' })
  await expect(adopt(scoped)).rejects.toMatchObject({ code: 'Denied' })
})

test('what another program has spelled otherwise is read, and respelled, so that it is found and unique', async () => {
  const table = await ownTableOf(authorization)
  const userId = '01J00000000000000000000000'
  const key = `USER#${userId}`
  const guard = 'USER_EMAIL#Ada@bücher.example'
  const email = 'Ada@bücher.example'
  await restoreItems(table.runtime, [
    { PK: key, SK: key, Type: 'User', userId, email, phone: '+49 30 1234', roles: [] },
    { PK: guard, SK: guard, Type: 'UserEmail', email, userId },
  ])
  expect(await table.User.get({ userId })).toMatchObject({ email: 'ada@xn--bcher-kva.example', phone: '+49301234' })
  await adopt(table)
  expect(await surveyTable(table.runtime)).toMatchObject({ missing: {}, problems: [] })
  expect(await table.User.get({ userId })).toMatchObject({ email: 'ada@xn--bcher-kva.example', phone: '+49301234' })
  expect(await table.userIdOfEmail({ email: 'ada@BÜCHER.example' })).toMatchObject({ userId })
  expect(await table.userIdOfPhone({ phone: '+49301234' })).toMatchObject({ userId })
  expect((await itemsOf(table)).size).toBe(3)
  await expect(table.User.create({ email: 'ada@bücher.example' })).rejects.toMatchObject({ code: 'AlreadyExists' })
})

test('a key that is spelled otherwise is told: the item would have to move', async () => {
  const table = await byDocument(rebac, (await rebacItems()).values())
  const stamps = { createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' }
  const identity = { Type: 'EmailIdentity', email: 'Eve@example.org', userId: adaOfBerlin, provider: 'google', ...stamps }
  await restoreItems(table.runtime, [{ PK: 'EMAIL#Eve@example.org', SK: 'META', ...identity }])
  await adopt(table)
  const { problems } = await surveyTable(table.runtime)
  expect(problems).toEqual([expect.objectContaining({ entity: 'EmailIdentity' })])
})
