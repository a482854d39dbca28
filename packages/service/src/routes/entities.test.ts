import { authorization } from '@freehold/designs/authorization'
import { rebac } from '@freehold/designs/rebac'
import { keyPlaceholders } from '@freehold/table/runtime'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Called, type ServiceUnderTest, startService, startServiceOf } from '../../test/serving.ts'

const service = await startService()

const path = (entity: string, id: Record<string, string> = {}) =>
  `/v1/rebac/entities/${entity}${Object.keys(id).length === 0 ? '' : `?${new URLSearchParams(id)}`}`

/** Creates an item and gives its attributes back, all of which are text where the tests look. */
async function made(entity: string, body: object): Promise<Record<string, string>> {
  const { status, body: item } = await service.call('POST', path(entity), body)
  expect({ status, item }).toMatchObject({ status: 201 })
  return item as Record<string, string>
}
const idOf = (item: Record<string, string>, ...names: string[]) => Object.fromEntries(names.map((name) => [name, item[name] ?? '']))

describe('an entity', () => {
  test('is created with 201, its address and its version, and found at that address', async () => {
    const created = await service.call('POST', path('User'), { displayName: ' Ada ' })
    expect(created).toMatchObject({
      status: 201,
      body: { Type: 'User', displayName: 'Ada', userType: 'MEMBER', isAdmin: false, version: 1 },
    })
    expect(created.headers.get('etag')).toBe('"1"')
    const address = created.headers.get('location') ?? ''
    expect(address).toBe(`User?userId=${created.body.userId}`)
    const found = await service.call('GET', `/v1/rebac/entities/${address}`)
    expect(found).toMatchObject({ status: 200, body: created.body })
    expect(found.headers.get('etag')).toBe('"1"')
  })

  test('is changed with PATCH, of which null takes an optional attribute away', async () => {
    const id = { roleName: 'Ops #1 / ä+%' }
    await made('Role', { ...id, description: 'first' })
    const changed = await service.call('PATCH', path('Role', id), { description: 'second' })
    expect(changed).toMatchObject({ status: 200, body: { description: 'second', version: 2 } })
    expect(changed.headers.get('etag')).toBe('"2"')
    await service.call('PATCH', path('Role', id), { description: null })
    expect((await service.call('GET', path('Role', id))).body).not.toHaveProperty('description')
  })

  test('is removed with DELETE, once', async () => {
    const user = await made('User', { displayName: 'Gone' })
    expect(await service.call('DELETE', path('User', idOf(user, 'userId')))).toMatchObject({ status: 204, body: {} })
    const again = await service.call('DELETE', path('User', idOf(user, 'userId')))
    expect(again).toMatchObject({ status: 404, body: { code: 'NotFound', entity: 'User' } })
  })

  test('of a key with every kind of character is found by any spelling of it', async () => {
    const email = 'a+b#c/d=é@exämple.org'
    const stored = { email: 'a+b#c/d=é@xn--exmple-cua.org' }
    const user = await made('User', { displayName: 'Plus' })
    await made('EmailIdentity', { email, provider: 'google', userId: user.userId })
    for (const spelling of [email, ` ${email.toUpperCase()}`, email.normalize('NFD'), stored.email])
      expect(await service.call('GET', path('EmailIdentity', { email: spelling }))).toMatchObject({ status: 200, body: stored })
  })

  test('may be read consistently', async () => {
    const user = await made('User', { displayName: 'Ada' })
    const id = idOf(user, 'userId')
    expect((await service.call('GET', `${path('User', id)}&consistent=true`)).status).toBe(200)
    const wrong = await service.call('GET', `${path('User', id)}&consistent=yes`)
    expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: ['consistent'], message: 'is not true or false' }] } })
  })
})

/** Takes the version away from an item, which another program would not write. */
const withoutVersion = ({ PK, SK }: { readonly PK: string; readonly SK: string }) =>
  service.table.runtime.sender.send('UpdateItem', {
    TableName: service.table.runtime.table,
    Key: { PK: { S: PK }, SK: { S: SK } },
    UpdateExpression: 'REMOVE #version',
    ExpressionAttributeNames: { '#version': 'version' },
  })

describe('a write that names a version', () => {
  test('takes the ETag of an item that another program wrote without one', async () => {
    const { userId = '' } = await made('User', { displayName: 'Ada' })
    await withoutVersion({ PK: `USER#${userId}`, SK: 'META' })
    const at = path('User', { userId })
    const tag = (await service.call('GET', at)).headers.get('etag') ?? ''
    expect(tag).toBe('"0"')
    const change = () => service.call('PATCH', at, { displayName: 'Bea' }, { 'If-Match': tag })
    expect(await change()).toMatchObject({ status: 200, body: { version: 1 } })
    expect(await change()).toMatchObject({ status: 412, body: { code: 'VersionConflict' } })
    await withoutVersion({ PK: `USER#${userId}`, SK: 'META' })
    expect(await service.call('DELETE', `${at}&version=0`)).toMatchObject({ status: 204 })
  })

  test.each([
    ['If-Match', (version: number) => ({ search: '', headers: { 'If-Match': `"${version}"` } }), 412],
    ['version', (version: number) => ({ search: `&version=${version}`, headers: {} }), 409],
  ] as const)('by %s loses to another writer', async (_, naming, status) => {
    const user = await made('User', { displayName: 'Ada' })
    const at = path('User', idOf(user, 'userId'))
    const attempt = (method: string, version: number, body?: object) => {
      const { search, headers } = naming(version)
      return service.call(method, at + search, body, headers)
    }
    expect((await attempt('PATCH', 1, { displayName: 'Bea' })).status).toBe(200)
    expect(await attempt('PATCH', 1, { displayName: 'Cyd' })).toMatchObject({ status, body: { status, code: 'VersionConflict' } })
    expect(await attempt('DELETE', 1)).toMatchObject({ status, body: { code: 'VersionConflict' } })
    expect((await service.call('GET', at)).body).toMatchObject({ displayName: 'Bea', version: 2 })
    expect((await attempt('DELETE', 2)).status).toBe(204)
  })
})

describe('an entity tag (RFC 9110, section 13)', () => {
  test.each<[method: 'GET' | 'PATCH', headers: Record<string, string>, status: number]>([
    ['GET', { 'If-None-Match': '"2"' }, 304],
    ['GET', { 'If-None-Match': 'W/"2"' }, 304],
    ['GET', { 'If-None-Match': '"1", W/"2"' }, 304],
    ['GET', { 'If-None-Match': '*' }, 304],
    ['GET', { 'If-None-Match': '"1"' }, 200],
    ['GET', { 'If-None-Match': '2' }, 200],
    ['GET', { 'If-Match': '"2"' }, 200],
    ['GET', { 'If-Match': '"1", "2"' }, 200],
    ['GET', { 'If-Match': '*' }, 200],
    ['GET', { 'If-Match': '"1"' }, 412],
    ['GET', { 'If-Match': 'W/"2"' }, 412],
    ['GET', { 'If-Match': '2' }, 400],
    ['GET', { 'If-Match': '"2"', 'If-None-Match': '"2"' }, 304],
    ['GET', { 'If-Match': '"1"', 'If-None-Match': '"2"' }, 412],
    ['PATCH', { 'If-Match': '"1", "2"' }, 200],
    ['PATCH', { 'If-Match': '"1", "3"' }, 412],
    ['PATCH', { 'If-Match': 'W/"2"' }, 412],
    ['PATCH', { 'If-Match': 'W/"2", "2"' }, 200],
    ['PATCH', { 'If-Match': '"two"' }, 412],
    ['PATCH', { 'If-Match': '2' }, 400],
    ['PATCH', { 'If-None-Match': '"2"' }, 400],
    ['PATCH', { 'If-None-Match': '*' }, 400],
  ])('of %s with %j is %i', async (method, headers, status) => {
    const at = path('User', idOf(await made('User', { displayName: 'Ada' }), 'userId'))
    await service.call('PATCH', at, { displayName: 'Bea' })
    const answer = await service.call(method, at, method === 'PATCH' ? { displayName: 'Cyd' } : undefined, headers)
    expect([answer.status, answer.headers.get('etag')]).toEqual([status, status === 304 || status === 200 ? expect.any(String) : null])
    if (status === 304) expect(answer.body).toEqual({})
    if (status === 412) expect(answer.body).toMatchObject({ code: 'VersionConflict', status: 412 })
    const nobody = path('User', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' })
    if (status === 412)
      expect(await service.call(method, nobody, method === 'PATCH' ? {} : undefined, headers)).toMatchObject({ status: 404 })
  })
})

describe('a move', () => {
  let roles: ServiceUnderTest<typeof authorization>
  beforeAll(async () => {
    roles = await startServiceOf(authorization)
  })

  const role = (name: string, verb = '') => `/v1/authorization/entities/Role${verb}?${new URLSearchParams({ scope: 'tenant', name })}`
  const make = (name: string) => roles.call('POST', '/v1/authorization/entities/Role', { scope: 'tenant', name })
  const move = (name: string, body: unknown, headers: Record<string, string> = {}) => roles.call('POST', role(name, '/move'), body, headers)
  const statusAt = async (name: string): Promise<Called['status']> => (await roles.call('GET', role(name))).status

  test('changes attributes of the key, and says where the item is then', async () => {
    await make('ops')
    const moved = await move(' ops', { name: 'Ops #1 / ä+50%?&=' }, { 'If-Match': '"1"' })
    expect(moved).toMatchObject({ status: 200, body: { scope: 'tenant', name: 'Ops #1 / ä+50%?&=', version: 2 } })
    expect(moved.headers.get('etag')).toBe('"2"')
    // Behind a stage, too.
    const from = new URL(`/prod${role(' ops', '/move')}`, 'http://a')
    const { pathname, search } = new URL(moved.headers.get('location') ?? '', from)
    expect(pathname).toBe('/prod/v1/authorization/entities/Role')
    expect(await roles.call('GET', pathname.replace('/prod', '') + search)).toMatchObject({ status: 200, body: moved.body })
    expect(await statusAt('ops')).toBe(404)
  })

  test('takes no place that is taken, and loses to another writer', async () => {
    for (const name of ['one', 'two']) await make(name)
    expect(await move('one', { name: 'two' })).toMatchObject({ status: 409, body: { code: 'AlreadyExists' } })
    expect(await move('one', { name: 'three' }, { 'If-Match': '"2"' })).toMatchObject({ status: 412, body: { code: 'VersionConflict' } })
    const late = await roles.call('POST', `${role('one', '/move')}&version=2`, { name: 'three' })
    expect(late).toMatchObject({ status: 409, body: { code: 'VersionConflict' } })
    expect(await move('none', { name: 'three' })).toMatchObject({ status: 404, body: { code: 'NotFound' } })
    expect([await statusAt('one'), await statusAt('two'), await statusAt('three')]).toEqual([200, 200, 404])
  })

  test.each([
    [{ scope: 'global' }, [{ path: ['scope'], message: 'never changes' }]],
    [{ name: null }, [{ path: ['name'], message: 'cannot be removed' }]],
    [{ colour: 'red' }, [{ path: ['colour'], message: 'is not an attribute of Role' }]],
  ])('to %j is refused by its name', async (body, issues) => {
    await make('kept')
    expect(await move('kept', body)).toMatchObject({ status: 400, body: { code: 'InvalidInput', issues } })
    expect(await statusAt('kept')).toBe(200)
  })

  test('is no update: that changes no key', async () => {
    await make('named')
    const changed = await roles.call('PATCH', role('named'), { name: 'renamed' })
    expect(changed).toMatchObject({ status: 400, body: { issues: [{ path: ['name'], message: 'is part of the key: use move' }] } })
  })
})

describe('an edge', () => {
  test('is created whole from either of its items, and removed whole', async () => {
    const user = await made('User', { displayName: 'Ada' })
    const location = await made('Location', { locationCode: 'edge', name: 'Here' })
    const ids = { ...idOf(user, 'userId'), ...idOf(location, 'locationId') }
    const edge = await made('LocationUserEdge', ids)
    expect(edge).toMatchObject({ userDisplayName: 'Ada' })
    expect((await service.call('GET', path('UserLocationEdge', ids))).body).toMatchObject({ locationCode: 'EDGE', locationName: 'Here' })
    expect((await service.call('DELETE', path('UserLocationEdge', ids))).status).toBe(204)
    expect((await service.call('GET', path('LocationUserEdge', ids))).status).toBe(404)
  })

  test('needs its ends', async () => {
    const user = await made('User', { displayName: 'Ada' })
    const nowhere = { userId: user.userId, locationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV' }
    expect(await service.call('POST', path('UserLocationEdge'), nowhere)).toMatchObject({
      status: 409,
      body: { code: 'MissingEnd', guard: 'Location' },
    })
  })
})

describe('a derived item', () => {
  test('is read as others are, and written with its owner only', async () => {
    const location = await made('Location', { locationCode: 'derived', name: 'Here' })
    const id = { locationCode: 'Derived' }
    const guard = await service.call('GET', path('LocationCodeLookup', id))
    expect(guard).toMatchObject({ status: 200, body: { Type: 'LocationCodeLookup', locationId: location.locationId } })
    const before = await service.scan()
    const attempts = [
      service.call('POST', path('LocationCodeLookup'), { ...id, locationId: location.locationId }),
      service.call('PATCH', path('LocationCodeLookup', id), {}),
      service.call('DELETE', path('LocationCodeLookup', id)),
      service.call('DELETE', path('LocationEntry', idOf(location, 'locationId'))),
    ]
    for (const attempt of attempts) expect(await attempt).toMatchObject({ status: 409, body: { code: 'DerivedItem' } })
    expect(await service.scan()).toEqual(before)
  })
})

describe('what does not fit', () => {
  test.each<[string, string, string, unknown, number, object]>([
    ['an unknown attribute', 'POST', path('User'), { displayName: 'Ada', admin: true }, 400, { code: 'InvalidInput' }],
    ['a wrong type', 'POST', path('User'), { displayName: 7 }, 400, { issues: [{ path: ['displayName'], message: 'is not text' }] }],
    ['a missing attribute', 'POST', path('User'), {}, 400, { issues: [{ path: ['displayName'], message: 'is missing' }] }],
    ['no body at all', 'POST', path('User'), undefined, 400, { issues: [{ path: ['displayName'], message: 'is missing' }] }],
    [
      'a query string',
      'POST',
      path('User', { userId: 'a' }),
      { displayName: 'Ada' },
      400,
      { issues: [{ path: ['userId'], message: 'is not a parameter of this request' }] },
    ],
    ['a copy', 'POST', path('UserLocationEdge'), { locationName: 'Mine' }, 400, { code: 'InvalidInput' }],
    [
      'text that no key can hold',
      'POST',
      path('Role'),
      { roleName: ' ' },
      400,
      { code: 'InvalidKey', attribute: 'roleName', issues: [{ path: ['roleName'] }] },
    ],
    ['no key', 'GET', path('User'), undefined, 400, { issues: [{ path: ['userId'], message: 'is missing' }] }],
    ['a foreign key', 'GET', path('User', { email: 'a' }), undefined, 400, { issues: [{ path: ['email'] }] }],
    [
      'a malformed key',
      'GET',
      path('User', { userId: 'Ada' }),
      undefined,
      400,
      { issues: [{ path: ['userId'], message: 'is not a ULID' }] },
    ],
    ['a secret asked for by name', 'GET', path('User', { secrets: 'hash' }), undefined, 400, { issues: [{ path: ['secrets'] }] }],
    ['an item that is not there', 'GET', path('Role', { roleName: 'none' }), undefined, 404, { code: 'NotFound', entity: 'Role' }],
    ['a change of what is not there', 'PATCH', path('Role', { roleName: 'none' }), {}, 404, { code: 'NotFound' }],
    ['a change of the key', 'PATCH', path('Role', { roleName: 'none' }), { roleName: 'some' }, 400, { issues: [{ path: ['roleName'] }] }],
  ])('%s is refused by its name', async (_, method, at, body, status, problem) => {
    const before = await service.scan()
    const answer = await service.call(method, at, body)
    expect(answer).toMatchObject({ status, body: { status, ...problem } })
    expect(answer.headers.get('content-type')).toBe('application/problem+json')
    expect(await service.scan()).toEqual(before)
  })

  test('names every unknown and every wrong field at once', async () => {
    const { body } = await service.call('POST', path('Location'), { name: 1, colour: 'red', locationCode: null })
    expect(body.detail).toMatch(/colour/)
    expect((body.issues as { path: string[] }[]).map((issue) => issue.path[0]).filter(Boolean)).toEqual(
      expect.arrayContaining(['name', 'locationCode']),
    )
  })

  test('a body of another type is 415, and one that is sent along with DELETE is refused', async () => {
    const send = (method: string, headers: Record<string, string>, body: string) =>
      service.app.request(path('Role', method === 'DELETE' ? { roleName: 'kept' } : {}), {
        method,
        body,
        headers: { Authorization: `Bearer ${service.key}`, ...headers },
      })
    await made('Role', { roleName: 'kept' })
    expect((await send('POST', { 'Content-Type': 'text/plain' }, '{"roleName":"a"}')).status).toBe(415)
    expect((await send('POST', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, '{"roleName":"a"}')).status).toBe(415)
    expect((await send('DELETE', {}, '{"roleName":"other"}')).status).toBe(400)
    expect((await service.call('GET', path('Role', { roleName: 'kept' }))).status).toBe(200)
    expect((await service.call('GET', path('Role', { roleName: 'a' }))).status).toBe(404)
  })

  test('a second item is 409', async () => {
    await made('Location', { locationCode: 'taken', name: 'One' })
    const second = await service.call('POST', path('Location'), { locationCode: 'TAKEN', name: 'Two' })
    expect(second).toMatchObject({ status: 409, body: { code: 'AlreadyExists', guard: 'LocationCodeLookup' } })
  })
})

test('every entity of the design has its routes, with the attributes of its key', async () => {
  for (const entity of rebac.form.entities.values()) {
    const { status, body } = await service.call('GET', path(entity.name))
    expect([entity.name, status, (body.issues as { path: string[] }[]).map((issue) => issue.path[0])]).toEqual([
      entity.name,
      400,
      keyPlaceholders(entity).filter((name) => entity.attributes[name]?.presence !== 'optional'),
    ])
    expect((await service.call('POST', path(entity.name), { nothing: 1 })).status).toBeGreaterThanOrEqual(400)
  }
})
