import { type ExportedItem, exportItems } from '@freehold/frame/exchange'
import { operator } from '@freehold/frame/flow'
import { expect, test } from 'vitest'
import { checkedAccountFlows } from '../../../../test/account-flows.ts'
import { idOf } from '../../../../test/account-items.ts'
import { ownTableOf } from '../../../../test/own-table.ts'
import { accountManagement } from '../../design.ts'
import type { AccountFlows } from '../flows.ts'

const table = await ownTableOf(accountManagement)
const flows = checkedAccountFlows.of(table, { actor: operator })
const internal = (await table.User.create({ email: 'root@example.org', user_type: 'internal' })).id
const permission_id = (await table.Permission.create({ module: 'devices', action: 'read', resource: 'camera' })).id

type ScopeType = 'client' | 'project' | 'building'

/** A client with something of everything, in twos. */
async function everything(name: string): Promise<string> {
  const { id: client_id } = await table.Client.create({ name })
  const roles = []
  for (const role of ['Viewer', 'Editor']) roles.push((await table.Role.create({ client_id, name: role, permission_form: 'linked' })).id)
  for (const role_id of roles) await table.RolePermissionLink.create({ role_id, permission_id, client_id })
  const users = [internal]
  for (const user of ['a', 'b']) {
    const { id: user_id } = await table.User.create({
      client_id,
      email: `${user}@${name}.example`,
      user_type: 'external_tenant',
      password_hash: 'a secret',
    })
    users.push(user_id)
    await table.Setting.create({ scope_type: 'user', scope_id: user_id, key: 'theme', value: 'dark' })
    await table.AuthToken.create({ user_id, token_type: 'refresh', token_hash: 'a secret' })
    await table.LoginSession.create({ user_id })
  }
  const scopes: [ScopeType, string][] = [['client', client_id]]
  for (const project of ['p', 'q']) {
    const { id: project_id } = await table.Project.create({ client_id, name: project })
    scopes.push(['project', project_id])
    for (const building of ['x', 'y']) {
      const { id: building_id } = await table.Building.create({ project_id, name: building })
      scopes.push(['building', building_id])
      const { id: zone_id } = await table.Zone.create({ building_id, name: 'z', type: 'lobby' })
      for (const device of ['d', 'e']) await table.Device.create({ building_id, zone_id, name: device, type: 'hvac' })
    }
  }
  for (const [scope_type, scope_id] of scopes) {
    for (const role_id of roles)
      for (const user_id of users) await table.UserRoleAssignment.create({ user_id, role_id, role_owner: client_id, scope_type, scope_id })
    await table.Setting.create({ scope_type, scope_id, key: 'hours', value: '9-17' })
    if (scope_type !== 'client') await table.ServiceSubscription.create({ scope_type, scope_id, module_id: idOf('module', 1) })
  }
  await table.AuditLog.create({ client_id, action: 'earlier' })
  return client_id
}

async function pages(id: string, limit: number): Promise<ExportedItem[]> {
  const all: ExportedItem[] = []
  let cursor: string | undefined
  do {
    const page = await flows.exportClient({ id, limit, ...(cursor === undefined ? {} : { cursor }) })
    expect(page.malformed).toBeUndefined()
    expect(page.items.length === limit || page.cursor === undefined).toBe(true)
    all.push(...page.items)
    cursor = page.cursor
  } while (cursor !== undefined)
  return all
}

/** As text, in order; without what an export adds to the audit itself. */
const texts = (items: readonly ExportedItem[]) =>
  items
    .filter(({ action }) => action !== 'exportClient')
    .map((item) => JSON.stringify(item, Object.keys(item).sort()))
    .sort()

test('an export is everything of the client, once, whatever the size of its pages, and nothing of another', async () => {
  const ours = await everything('ours')
  const before: ExportedItem[] = []
  for await (const item of exportItems(table.runtime)) before.push(item)
  await everything('theirs')
  const expected = texts(
    before.filter(({ Type, client_id, id }) => Type !== 'Permission' && !(Type === 'User' && client_id === undefined) && id !== internal),
  )
  expect(expected.length).toBeGreaterThan(80)
  expect(new Set(before.map(({ Type }) => Type)).size).toBe(15)
  for (const limit of [1, 7, 1000]) expect(texts(await pages(ours, limit))).toEqual(expected)
})

test('secrets are not in it', async () => {
  const id = await everything('secretive')
  expect(JSON.stringify(await pages(id, 1000))).not.toContain('a secret')
})

test('it can be imported into another table, in its own order', async () => {
  const id = await everything('moving')
  const items = await pages(id, 1000)
  const other = await ownTableOf(accountManagement)
  await other.User.create({ id: internal, email: 'root@example.org', user_type: 'internal' })
  await other.Permission.create({ id: permission_id, module: 'devices', action: 'read', resource: 'camera' })
  const unknown: string[] = []
  for (const { Type, ...item } of items)
    await other
      .repositoryNamed(Type)
      .create(item)
      .catch((error: Error) => unknown.push(`${Type}: ${error.message}`))
  expect(unknown).toEqual([])
  expect(texts(await collected(checkedAccountFlows.of(other, { actor: operator }), id))).toEqual(texts(items))
})

async function collected(of: AccountFlows, id: string): Promise<ExportedItem[]> {
  return [...(await of.exportClient({ id, limit: 1000 })).items]
}

test('an item beneath another comes after it, whatever their ids and the size of the pages', async () => {
  const { id: client_id } = await table.Client.create({ name: 'wrong way round' })
  const { id: project_id } = await table.Project.create({ client_id, name: 'p' })
  const { id: building_id } = await table.Building.create({ project_id, name: 'b' })
  const down = [9, 8, 7, 6, 5]
  for (const [index, number] of down.entries()) {
    const above = down[index - 1]
    const role = { client_id, name: `Role ${number}`, ...(above === undefined ? {} : { parent_role_id: idOf('role', above) }) }
    await table.Role.create({ ...role, id: idOf('role', number) })
    const zone = { building_id, name: 'z', type: 'lobby' as const, ...(above === undefined ? {} : { parent_zone_id: idOf('zone', above) }) }
    await table.Zone.create({ ...zone, id: idOf('zone', number) })
  }
  await table.Role.create({ client_id, name: 'Alone', id: idOf('role', 4) })
  const { id: system_role } = await table.Role.create({ name: 'Of the system' })
  const { id: user_id } = await table.User.create({ client_id, email: 'a@wrong.example', user_type: 'client_admin' })
  const assigned = { user_id, role_id: system_role, role_owner: 'SYSTEM', scope_type: 'building', scope_id: building_id } as const
  await table.UserRoleAssignment.create(assigned)
  for (const limit of [1, 3, 1000]) {
    const items = await pages(client_id, limit)
    const ids = (Type: string) => items.filter((item) => item.Type === Type).map(({ id }) => id)
    expect(ids('Role')).toEqual([4, ...down].map((each) => idOf('role', each)))
    expect(ids('Zone')).toEqual(down.map((each) => idOf('zone', each)))
    const other = await ownTableOf(accountManagement)
    await other.Role.create({ id: system_role, name: 'Of the system' })
    for (const { Type, ...item } of items) await other.repositoryNamed(Type).create(item)
    expect(texts(await collected(checkedAccountFlows.of(other, { actor: operator }), client_id))).toEqual(texts(items))
  }
})

test('items that others wrote in a circle are in it all the same, once', async () => {
  const { id: client_id } = await table.Client.create({ name: 'in a circle' })
  const { id: project_id } = await table.Project.create({ client_id, name: 'p' })
  const { id: building_id } = await table.Building.create({ project_id, name: 'b' })
  const [a, b, c] = [1, 2, 3].map((number) => idOf('zone', 100 + number))
  for (const id of [a, b, c]) await table.Zone.create({ building_id, id, name: 'z', type: 'lobby' })
  await table.Zone.update({ building_id, id: String(a) }, { parent_zone_id: b })
  await table.Zone.update({ building_id, id: String(b) }, { parent_zone_id: a })
  for (const limit of [1, 1000])
    expect((await pages(client_id, limit)).filter(({ Type }) => Type === 'Zone').map(({ id }) => id)).toEqual([c, a, b])
})

test('a cursor is good for the client that it was given for', async () => {
  const [ours, theirs] = [await everything('one'), await everything('two')]
  const { cursor } = await flows.exportClient({ id: ours, limit: 5 })
  await expect(flows.exportClient({ id: theirs, limit: 5, cursor: cursor ?? '' })).rejects.toMatchObject({ code: 'InvalidCursor' })
  await expect(flows.exportClient({ id: ours, cursor: `${cursor}A` })).rejects.toMatchObject({ code: 'InvalidCursor' })
})

test('items that are being deleted are left out, and those that do not fit are reported', async () => {
  const { id: client_id } = await table.Client.create({ name: 'broken' })
  const { id } = await table.Project.create({ client_id, name: 'p' })
  const { id: going } = await table.Project.create({ client_id, name: 'going' })
  await table.Project.remove({ client_id, id: going }, { wait: false })
  await table.runtime.sender.send('UpdateItem', {
    TableName: table.runtime.table,
    Key: { PK: { S: `CLIENT#${client_id}` }, SK: { S: `PROJECT#${id}` } },
    UpdateExpression: 'SET #n = :n',
    ExpressionAttributeNames: { '#n': 'name' },
    ExpressionAttributeValues: { ':n': { N: '7' } },
  })
  const { items, malformed } = await flows.exportClient({ id: client_id })
  expect(items.map(({ Type }) => Type)).toEqual(['Client', 'AuditLog'])
  expect(malformed).toEqual([{ key: { PK: `CLIENT#${client_id}`, SK: `PROJECT#${id}` }, reason: expect.stringContaining('name') }])
})

test('who exports is recorded once, before anything is given', async () => {
  const id = await everything('watched')
  await pages(id, 10)
  const { items } = await table.auditOfClient({ client_id: id, from: '2000-01-01', to: '2199-12-31' })
  expect(items.filter(({ action }) => action === 'exportClient')).toHaveLength(1)
})
