import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountWork, accountWork, changesOf } from '../../../test/account-flows.ts'

let work: AccountWork
let client: string
let project: string
let building: string
let ada: string
let eve: string
beforeAll(async () => {
  work = await accountWork()
  const { table } = work
  client = (await table.Client.create({ name: 'Ours' })).id
  project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
  building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
  ada = (await table.User.create({ client_id: client, email: 'ada@ours.example', user_type: 'client_admin' })).id
  const theirs = (await table.Client.create({ name: 'Theirs' })).id
  eve = (await table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id
})
afterAll(() => work.table.close())

const at = {
  client: () => ({ scope_type: 'client', scope_id: client }) as const,
  project: () => ({ scope_type: 'project', scope_id: project }) as const,
  building: () => ({ scope_type: 'building', scope_id: building }) as const,
  user: () => ({ scope_type: 'user', scope_id: ada }) as const,
}
const valueAt = async (scope: keyof typeof at, key: string) => (await work.flows.resolveSetting({ ...at[scope](), key }))?.value

describe('a setting', () => {
  test('is set, changed and unset, and each is recorded with what changed', async () => {
    const id = { ...at.client(), key: 'theme' }
    const made = await work.flows.setSetting({ ...id, value: 'dark' })
    expect(made).toMatchObject({ client_id: client, value: 'dark', value_type: 'string', is_overridable: true })
    await work.flows.setSetting({ ...id, value: 'light', description: 'of the screen' })
    await work.flows.unsetSetting(id)
    expect(await work.table.Setting.get(id, { consistent: true })).toBeUndefined()
    const entries = (await work.audit(client)).filter(({ entity_id }) => entity_id === made.id)
    expect(entries.map((entry) => [entry.action, changesOf(entry)])).toEqual([
      ['setSetting', expect.objectContaining({ value: { after: 'dark' } })],
      ['setSetting', { value: { before: 'dark', after: 'light' }, description: { after: 'of the screen' } }],
      ['unsetSetting', expect.objectContaining({ value: { before: 'light' } })],
    ])
  })

  test.each([
    ['number', '1e3', 1000],
    ['boolean', 'false', false],
    ['json', '{"a":[1]}', { a: [1] }],
    ['string', ' kept as it is ', ' kept as it is '],
  ] as const)('of type %s is text that stands for its value', async (value_type, value, read) => {
    const id = { ...at.client(), key: `typed ${value_type}` }
    await work.flows.setSetting({ ...id, value_type, value })
    expect(await work.flows.resolveSetting(id)).toMatchObject({ value: read, value_type, scope_type: 'client', is_locked: false })
  })

  test.each([
    ['number', 'NaN'],
    ['number', '"1"'],
    ['boolean', 'yes'],
    ['json', '{'],
  ] as const)('of type %s is not %s, also when only its value is set anew', async (value_type, value) => {
    const id = { ...at.client(), key: 'refused' }
    await expect(work.flows.setSetting({ ...id, value_type, value })).rejects.toMatchObject({ code: 'InvalidInput' })
    const known = { ...at.client(), key: `known ${value_type} ${value}` }
    await work.flows.setSetting({ ...known, value_type, value: value_type === 'boolean' ? 'true' : '1' })
    await expect(work.flows.setSetting({ ...known, value })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('set by many at once is one', async () => {
    const id = { ...at.project(), key: 'contended' }
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((value) => work.flows.setSetting({ ...id, value })))
    expect(new Set(made.map((each) => each.id)).size).toBe(1)
    expect((await work.audit(client)).filter(({ entity_id }) => entity_id === made[0]?.id)).toHaveLength(5)
  })
})

describe('what a setting comes to', () => {
  test('is the most specific one, until one above it is locked; then the nearest to the root', async () => {
    const key = 'limit'
    for (const scope of ['client', 'project', 'building', 'user'] as const)
      await work.flows.setSetting({ ...at[scope](), key, value: scope })
    expect([await valueAt('client', key), await valueAt('project', key), await valueAt('building', key)]).toEqual([
      'client',
      'project',
      'building',
    ])
    expect(await valueAt('user', key)).toBe('user')
    await work.flows.lockSetting({ ...at.project(), key })
    expect([await valueAt('client', key), await valueAt('building', key), await valueAt('user', key)]).toEqual([
      'client',
      'project',
      'user',
    ])
    await work.flows.lockSetting({ ...at.client(), key })
    expect([await valueAt('building', key), await valueAt('user', key)]).toEqual(['client', 'client'])
    await work.flows.unlockSetting({ ...at.client(), key })
    await work.flows.unlockSetting({ ...at.project(), key })
    expect(await valueAt('building', key)).toBe('building')
  })

  test('is nothing where nobody set it, and tells where it was set', async () => {
    expect(await work.flows.resolveSetting({ ...at.building(), key: 'unheard of' })).toBeUndefined()
    await work.flows.setSetting({ ...at.client(), key: 'inherited', value: 'x' })
    expect(await work.flows.resolveSetting({ ...at.building(), key: 'inherited' })).toMatchObject(at.client())
  })

  test('is told for all of them, in the order of their keys, with what is malformed', async () => {
    const { table, flows } = work
    const { id } = await table.Project.create({ client_id: client, name: 'Clean' })
    const scope = { scope_type: 'project', scope_id: id } as const
    await flows.setSetting({ ...scope, key: 'zz', value: '1' })
    await table.Setting.create({ ...scope, key: 'zy', value: 'no number', value_type: 'number' })
    const { settings, malformed } = await flows.resolveSettings(scope)
    const keys = settings.map(({ key }) => key)
    expect(keys).toEqual([...keys].sort())
    expect(keys).toContain('zz')
    expect(keys).not.toContain('zy')
    expect(malformed.map(({ key: { SK } }) => SK)).toEqual(['SETTING#zy'])
    await expect(flows.resolveSetting({ ...scope, key: 'zy' })).rejects.toMatchObject({ code: 'MalformedItem' })
  })
})

describe('who may', () => {
  test('is asked at the scope; what is a user’s own needs nothing', async () => {
    const user = work.acting(ada, false)
    await expect(user.flows.setSetting({ ...at.building(), key: 'k', value: 'v' })).rejects.toMatchObject({ code: 'Denied' })
    const permission = { module: 'account-management', action: 'write', resource: 'setting' }
    expect(user.asked).toEqual([{ question: { user: ada, client, project, building, permission }, how: { consistency: 'strong' } }])
    await user.flows.setSetting({ ...at.user(), key: 'own', value: 'v' })
    await expect(user.flows.lockSetting({ ...at.user(), key: 'own' })).rejects.toMatchObject({ code: 'Denied' })
  })

  test('is nobody of another client', async () => {
    const other = work.acting(eve)
    await expect(other.flows.setSetting({ ...at.building(), key: 'k', value: 'v' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(other.flows.resolveSettings(at.client())).rejects.toMatchObject({ code: 'NotFound' })
    await expect(other.flows.setSetting({ ...at.user(), key: 'k', value: 'v' })).rejects.toMatchObject({ code: 'NotFound' })
  })
})
