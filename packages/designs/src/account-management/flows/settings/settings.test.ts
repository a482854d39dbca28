import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { accountWork, changesOf } from '../../../../test/account-flows.ts'

const work = await accountWork()
const { table } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
const ada = (await table.User.create({ client_id: client, email: 'ada@ours.example', user_type: 'client_admin' })).id
const theirs = (await table.Client.create({ name: 'Theirs' })).id
const eve = (await table.User.create({ client_id: theirs, email: 'eve@theirs.example', user_type: 'client_admin' })).id

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
    ['number', '-9007199254740991', -9007199254740991],
    ['json', '{"ratio":0.10000000000000001}', { ratio: 0.1 }],
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
    ['json', '1e999'],
    ['json', '{"a":[{"b":-1e999}]}'],
    ['number', '9007199254740993'],
    ['number', '-9007199254740992'],
    ['number', '1e300'],
    ['json', '{"id":9007199254740993}'],
    ['json', '[[1e17]]'],
    ['json', '{"a":1,"b":{"c":1,"c":2}}'],
  ] as const)('of type %s is not %s, also when only its value is set anew', async (value_type, value) => {
    const id = { ...at.client(), key: 'refused' }
    await expect(work.flows.setSetting({ ...id, value_type, value })).rejects.toMatchObject({ code: 'InvalidInput' })
    const known = { ...at.client(), key: `known ${value_type} ${value}` }
    await work.flows.setSetting({ ...known, value_type, value: value_type === 'boolean' ? 'true' : '1' })
    await expect(work.flows.setSetting({ ...known, value })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('that was written before with a number beyond 2^53 is still read', async () => {
    const { id: scope_id } = await work.flows.createProject({ client_id: client, name: 'Large' })
    const scope = { scope_type: 'project', scope_id } as const
    await work.table.Setting.create({ ...scope, key: 'large', value: '{"a":1,"a":9007199254740993}', value_type: 'json' })
    expect(await work.flows.resolveSetting({ ...scope, key: 'large' })).toMatchObject({ value: { a: 9007199254740992 } })
  })

  test('that others wrote with a number that is not finite stands for nothing, and is told', async () => {
    const { id: scope_id } = await work.flows.createProject({ client_id: client, name: 'Endless' })
    const scope = { scope_type: 'project', scope_id } as const
    await work.table.Setting.create({ ...scope, key: 'endless', value: '[1e999]', value_type: 'json' })
    await expect(work.flows.resolveSetting({ ...scope, key: 'endless' })).rejects.toMatchObject({ code: 'MalformedItem' })
    const { malformed } = await work.flows.resolveSettings(scope)
    expect(malformed.map(({ reason }) => reason)).toEqual([`The value of the setting 'endless' holds a number that is not finite.`])
  })

  test('set by many at once is one', async () => {
    const id = { ...at.project(), key: 'contended' }
    const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((value) => work.flows.setSetting({ ...id, value })))
    expect(new Set(made.map((each) => each.id)).size).toBe(1)
    expect((await work.audit(client)).filter(({ entity_id }) => entity_id === made[0]?.id)).toHaveLength(5)
  })
})

describe('the effective value of a setting', () => {
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
    expect(await work.flows.resolveSetting({ ...at.building(), key: 'unheard of' })).toMatchObject({ is_set: false })
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

describe('the effective value of a setting for a user at a scope', () => {
  const levels = ['client', 'project', 'building', 'user'] as const
  const comesTo = async (key: string, place: 'client' | 'project' | 'building', user_id = ada) =>
    (await work.flows.resolveSetting({ ...at[place](), user_id, key }))?.value
  const setAtAll = async (key: string) => {
    for (const scope of levels) await work.flows.setSetting({ ...at[scope](), key, value: scope })
  }

  test('is the user’s own, and without one the nearest to it', async () => {
    const key = 'of a user'
    await setAtAll(key)
    for (const place of ['client', 'project', 'building'] as const) expect(await comesTo(key, place)).toBe('user')
    await work.flows.unsetSetting({ ...at.user(), key })
    expect([await comesTo(key, 'client'), await comesTo(key, 'project'), await comesTo(key, 'building')]).toEqual([
      'client',
      'project',
      'building',
    ])
    // Without a place a user is below its client.
    expect(await valueAt('user', key)).toBe('client')
    await work.flows.unsetSetting({ ...at.building(), key })
    expect(await comesTo(key, 'building')).toBe('project')
  })

  test.each([
    ['client', ['client', 'client', 'client'], 'client'],
    ['project', ['user', 'project', 'project'], 'user'],
    ['building', ['user', 'user', 'building'], 'user'],
    ['user', ['user', 'user', 'user'], 'user'],
  ] as const)('is that of the %s where it is locked there, for whoever is below', async (locked, expected, without) => {
    const key = `locked at the ${locked}`
    await setAtAll(key)
    await work.flows.lockSetting({ ...at[locked](), key })
    expect([await comesTo(key, 'client'), await comesTo(key, 'project'), await comesTo(key, 'building')]).toEqual(expected)
    expect(await valueAt('user', key)).toBe(without)
    const told = await work.flows.resolveSetting({ ...at.building(), user_id: ada, key })
    expect(told).toMatchObject({ ...at[locked](), is_locked: true })
  })

  test('is that nearest to the root of several that are locked', async () => {
    const key = 'locked twice'
    await setAtAll(key)
    await work.flows.lockSetting({ ...at.building(), key })
    await work.flows.lockSetting({ ...at.project(), key })
    expect([await comesTo(key, 'building'), await comesTo(key, 'client')]).toEqual(['project', 'user'])
  })

  test('is told for all of them at once', async () => {
    const all = await work.flows.resolveSettings({ ...at.building(), user_id: ada })
    const { settings } = await work.flows.resolveSettings(at.building())
    const keys = all.settings.map(({ key }) => key)
    expect(keys).toEqual([...keys].sort())
    expect(settings.every(({ key }) => keys.includes(key))).toBe(true)
    expect(all.settings.find(({ key }) => key === 'locked at the project')).toMatchObject(at.project())
  })

  test('is refused for a user of another client, at a place of another, and at a user', async () => {
    await expect(work.flows.resolveSettings({ ...at.building(), user_id: eve })).rejects.toMatchObject({ code: 'NotFound' })
    const nobody = '00000000-0000-4000-8000-000000000000'
    await expect(work.flows.resolveSettings({ ...at.building(), user_id: nobody })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(work.flows.resolveSettings({ ...at.user(), user_id: ada })).rejects.toMatchObject({ code: 'InvalidInput' })
    const other = work.acting(eve)
    for (const user_id of [eve, ada])
      await expect(other.flows.resolveSettings({ ...at.building(), user_id })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('is there for an internal user, whose own settings are of no client', async () => {
    const { table } = work
    const { id: ian } = await table.User.create({ email: 'ian@house.example', user_type: 'internal' })
    const key = 'internal'
    await setAtAll(key)
    expect(await comesTo(key, 'building', ian)).toBe('building')
    await work.flows.setSetting({ scope_type: 'user', scope_id: ian, key, value: 'ian' })
    expect(await work.flows.resolveSetting({ scope_type: 'user', scope_id: ian, key })).toMatchObject({ value: 'ian' })
    expect(await comesTo(key, 'building', ian)).toBe('ian')
    // Also by itself, within the tenant scope of its client.
    const acting = work.acting(ian)
    expect(await acting.flows.resolveSetting({ ...at.building(), user_id: ian, key })).toMatchObject({ value: 'ian' })
    await work.flows.lockSetting({ ...at.client(), key })
    expect(await acting.flows.resolveSetting({ ...at.building(), user_id: ian, key })).toMatchObject({ value: 'client' })
    expect(await acting.flows.resolveSetting({ scope_type: 'user', scope_id: ian, key })).toMatchObject({ value: 'ian' })
    // It is nobody to a client.
    await expect(work.acting(ada).flows.resolveSettings({ ...at.building(), user_id: ian })).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('needs a permission at the place for oneself, and at the client for another', async () => {
    const { id: bob } = await work.table.User.create({ client_id: client, email: 'bob@ours.example', user_type: 'external_tenant' })
    const permission = { module: 'account-management', action: 'read', resource: 'setting' }
    const own = work.acting(ada)
    await own.flows.resolveSettings({ ...at.building(), user_id: ada })
    expect(own.asked).toMatchObject([{ question: { user: ada, client, project, building, permission } }])
    const others = work.acting(ada)
    await others.flows.resolveSettings({ ...at.building(), user_id: bob })
    expect(others.asked).toMatchObject([{ question: { user: ada, client, permission } }])
    expect(others.asked).not.toMatchObject([{ question: { building } }])
    const none = work.acting(ada, false)
    for (const user_id of [ada, bob])
      await expect(none.flows.resolveSettings({ ...at.building(), user_id })).rejects.toMatchObject({ code: 'Denied' })
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

describe('settings that are many or large', () => {
  test('are no larger than 64 KB each, counted as they are stored', async () => {
    const id = { ...at.client(), key: 'large' }
    await work.flows.setSetting({ ...id, value: 'é'.repeat(32_768) })
    await expect(work.flows.setSetting({ ...id, value: 'é'.repeat(32_769) })).rejects.toMatchObject({
      code: 'InvalidInput',
      details: { issues: [{ path: ['value'], message: 'has more than 65536 bytes' }] },
    })
  })

  test('of more than 1 MB at one scope are not resolved together, and one by one at the cost of one', async () => {
    const { id: other } = await work.flows.createProject({ client_id: client, name: 'Full' })
    const scope = { scope_type: 'project', scope_id: other } as const
    const few = (await meter(() => work.flows.resolveSetting({ ...scope, key: 'one' }))).cost
    for (let each = 0; each < 17; each++) await work.flows.setSetting({ ...scope, key: `k${each}`, value: 'x'.repeat(65_536) })
    await expect(work.flows.resolveSettings(scope)).rejects.toMatchObject({ code: 'TooLarge' })
    await work.flows.setSetting({ ...scope, key: 'one', value: 'small' })
    expect((await meter(() => work.flows.resolveSetting({ ...scope, key: 'one' }))).cost).toMatchObject({
      requests: few.requests,
      readUnits: few.readUnits,
    })
    await work.flows.unsetSetting({ ...scope, key: 'k0' })
    await work.flows.unsetSetting({ ...scope, key: 'k1' })
    expect((await work.flows.resolveSettings(scope)).settings.map(({ key }) => key)).toContain('k16')
  })
})
