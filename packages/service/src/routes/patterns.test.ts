import { rebac } from '@freehold/designs/rebac'
import { describe, expect, test } from 'vitest'
import { startService } from '../../test/serving.ts'

let userId = ''
const service = await startService()
const user = await service.table.User.create({ displayName: 'Ada' })
userId = user.userId
for (const locationCode of ['a', 'b', 'c', 'd', 'e']) {
  const { locationId } = await service.table.Location.create({ locationCode, name: `At ${locationCode}` })
  await service.table.UserLocationEdge.create({ userId, locationId })
}

const path = (pattern: string, parameters: Record<string, string> = {}) =>
  `/v1/rebac/patterns/${pattern}?${new URLSearchParams(parameters)}`
const codes = (body: Record<string, unknown>) => (body.items as { locationCode: string }[]).map(({ locationCode }) => locationCode)

describe('a list', () => {
  test('is read with GET and with POST alike', async () => {
    const got = await service.call('GET', path('locationsOfUser', { userId: userId.toLowerCase() }))
    expect(codes(got.body)).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect(got.body).not.toHaveProperty('cursor')
    expect((await service.call('POST', '/v1/rebac/patterns/locationsOfUser', { userId })).body).toEqual(got.body)
  })

  test('read with GET links its next page, which links the one after it, and the last links none', async () => {
    const seen: string[] = []
    let next: string | undefined = path('locationsOfUser', { userId, limit: '2', order: 'descending' })
    while (next !== undefined) {
      const { body, headers } = await service.call('GET', next)
      seen.push(...codes(body))
      const link = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
      // Behind a stage, too.
      const followed: URL | undefined = link === undefined ? undefined : new URL(link, `http://a/prod${next}`)
      if (followed !== undefined) expect(followed.pathname).toMatch(/^\/prod\/v1\//)
      next = followed && followed.pathname.replace('/prod', '') + followed.search
      expect(next === undefined).toBe(body.cursor === undefined)
    }
    expect(seen).toEqual(['E', 'D', 'C', 'B', 'A'])
    const posted = await service.call('POST', '/v1/rebac/patterns/locationsOfUser', { userId, limit: 2 })
    expect(posted.headers.has('link')).toBe(false)
  })

  test('without parameters needs neither body nor query', async () => {
    expect((await service.call('GET', path('users'))).body.items).toMatchObject([{ Type: 'UserEntry', displayName: 'Ada' }])
    expect((await service.call('POST', '/v1/rebac/patterns/users')).body.items).toHaveLength(1)
  })

  test('is paged by limit and cursor, in either order, and a cursor goes on from GET to POST', async () => {
    const first = await service.call('GET', path('locationsOfUser', { userId, limit: '2', order: 'descending' }))
    expect(codes(first.body)).toEqual(['E', 'D'])
    const second = await service.call('POST', '/v1/rebac/patterns/locationsOfUser', {
      userId,
      limit: 3,
      order: 'descending',
      cursor: first.body.cursor,
    })
    expect(codes(second.body)).toEqual(['C', 'B', 'A'])
    expect(second.body).not.toHaveProperty('cursor')
  })

  test('takes no cursor of another list', async () => {
    const { body } = await service.call('GET', path('locationsOfUser', { userId, limit: '2' }))
    const { cursor } = body as { cursor: string }
    for (const wrong of [
      path('locations', { cursor }),
      path('locationsOfUser', { userId, order: 'descending', cursor }),
      path('locations', { cursor: 'x' }),
    ]) {
      expect(await service.call('GET', wrong)).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } })
    }
  })

  test('filters by parameters that are no part of a key', async () => {
    const parameters = { userId, locationId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', consistent: 'true' }
    expect((await service.call('GET', path('groupsOfUserAtLocation', parameters))).body).toEqual({ items: [] })
  })

  test('reports an item that does not fit its entity beside those that do', async () => {
    const { sender, table: TableName } = service.table.runtime
    const Item = { PK: { S: 'DIRECTORY#ROLE' }, SK: { S: 'ROLE#broken' }, Type: { S: 'RoleEntry' }, roleName: { S: 'other' } }
    await sender.send('PutItem', { TableName, Item })
    expect((await service.call('GET', path('roles'))).body).toMatchObject({ items: [], malformed: [{ key: { SK: 'ROLE#broken' } }] })
  })
})

describe('an item', () => {
  test('is got by the pattern that names it', async () => {
    const found = await service.call('GET', path('locationIdOfCode', { locationCode: 'a' }))
    expect(found).toMatchObject({ status: 200, body: { Type: 'LocationCodeLookup', locationCode: 'A' } })
    expect(found.headers.get('etag')).toBe('"1"')
    expect((await service.call('POST', '/v1/rebac/patterns/user', { userId, consistent: true })).body).toMatchObject({ displayName: 'Ada' })
  })

  test('that is not there is 404', async () => {
    expect(await service.call('GET', path('locationIdOfCode', { locationCode: 'z' }))).toMatchObject({
      status: 404,
      body: { code: 'NotFound' },
    })
  })
})

describe('what does not fit', () => {
  test.each<[string, Record<string, unknown>, object[]]>([
    ['locationsOfUser', {}, [{ path: ['userId'], message: 'is missing' }]],
    ['locationsOfUser', { userId: 7 }, [{ path: ['userId'], message: 'is not text' }]],
    [
      'locationsOfUser',
      { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', page: 2 },
      [{ path: ['page'], message: 'is not a parameter of this pattern' }],
    ],
    ['users', { limit: 0 }, [{ path: ['limit'], message: 'is not a whole number from 1 to 1000' }]],
    ['users', { limit: 1e300 }, [{ path: ['limit'], message: 'is not a whole number from 1 to 1000' }]],
    ['users', { limit: '10' }, [{ path: ['limit'], message: 'is not a whole number from 1 to 1000' }]],
    [
      'users',
      { cursor: 5, order: 'up' },
      [
        { path: ['cursor'], message: 'is not text' },
        { path: ['order'], message: 'is not one of ascending, descending' },
      ],
    ],
    ['users', { consistent: 'true' }, [{ path: ['consistent'], message: 'is not true or false' }]],
    ['users', { secrets: ['a'] }, [{ path: ['secrets'], message: 'is not a parameter of this pattern' }]],
    ['user', { userId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', limit: 5 }, [{ path: ['limit'] }]],
  ])('%s of %j is refused by its names', async (pattern, body, issues) => {
    expect(await service.call('POST', `/v1/rebac/patterns/${pattern}`, body)).toMatchObject({ status: 400, body: { issues } })
  })

  test('a limit in the query string that is no number is refused by its name', async () => {
    for (const limit of ['', 'ten', '1e1', '0x10', '-1', '1.5', '1001']) {
      expect(await service.call('GET', path('users', { limit }))).toMatchObject({ status: 400, body: { issues: [{ path: ['limit'] }] } })
    }
  })
})

test('every access pattern of the design has its routes', async () => {
  for (const pattern of Object.keys(rebac.patterns)) {
    expect([pattern, (await service.call('GET', path(pattern, { nothing: '1' }))).body.issues]).toEqual([
      pattern,
      [{ path: ['nothing'], message: 'is not a parameter of this request' }],
    ])
    expect((await service.call('PUT', path(pattern), {})).headers.get('allow')).toBe('GET, HEAD, POST')
  }
})
