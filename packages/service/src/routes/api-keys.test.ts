import { designModules } from '@freehold/designs'
import { describe, expect, test } from 'vitest'
import { startService } from '../../test/serving.ts'

const beside = ['platform', 'account-management'].flatMap((name) => designModules.get(name) ?? [])
const service = await startService({ module: designModules.get('rebac') ?? {}, beside })

const path = '/v1/api-keys'
const make = (body: unknown) => service.call('POST', path, body)
const as = (text: unknown) => ({ Authorization: `Bearer ${text}` })

describe('API keys over HTTP', () => {
  test('are made by an operator, with their limits, and told once', async () => {
    const [operator] = await service.keys.list()
    const limits = { purpose: 'tenant', designs: ['platform'], tenant: 'acme', expiresAt: '2099-01-01T00:00:00.000Z' }
    const { status, body } = await make({ name: 'acme', ...limits })
    expect([status, body]).toEqual([
      201,
      { keyId: body.keyId, name: 'acme', createdAt: body.createdAt, createdBy: `key ${operator?.keyId}`, ...limits, text: body.text },
    ])
    const listed = await service.call('GET', path)
    const { text: _, ...told } = body
    expect(listed.body.keys).toContainEqual(told)
    expect(JSON.stringify([listed.body, service.lines])).not.toContain(String(body.text).slice(-43))
  })

  test.each<[object, readonly (string | number)[]]>([
    [{}, ['purpose']],
    [{ purpose: 'root' }, ['purpose']],
    [{ purpose: null }, ['purpose']],
    [{ purpose: 'read', designs: ['nothing'] }, ['designs']],
    [{ purpose: 'read', designs: [] }, ['designs']],
    [{ purpose: 'read', designs: 'rebac' }, ['designs']],
    [{ purpose: 'read', secretHash: '0' }, ['secretHash']],
    [{ purpose: 'read', createdBy: 'me' }, ['createdBy']],
    [{ purpose: 'tenant', designs: ['rebac'], tenant: 'acme' }, ['tenant']],
    [{ purpose: 'tenant', designs: ['platform'] }, ['tenant']],
    [{ purpose: 'application', designs: ['rebac'], flows: ['nothing'] }, ['flows']],
    [{ purpose: 'application', designs: ['platform'], flows: [] }, ['flows']],
    [{ purpose: 'flows', designs: ['rebac'], flows: ['createUser'] }, ['flows']],
    [{ purpose: 'read', expiresAt: '2020-01-01T00:00:00Z' }, ['expiresAt']],
    [{ purpose: 'read', expiresAt: 'soon' }, ['expiresAt']],
    [{ purpose: 'read', until: '2099-01-01T00:00:00Z' }, ['until']],
  ])('are not made of %j', async (body, at) => {
    const before = await service.keys.list()
    expect(await make(body)).toMatchObject({ status: 400, body: { code: 'InvalidInput', issues: [{ path: at }] } })
    expect(await service.keys.list()).toEqual(before)
  })

  test.each([
    ['POST', path, { purpose: 'read' }],
    ['POST', `${path}/rotate`, { keyId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', overlap_s: 0 }],
    ['DELETE', `${path}?keyId=01ARZ3NDEKTSV4RRFFQ69G5FAV`, undefined],
  ])('take no idempotency key, and say how to go on: %s %s', async (method, at, body) => {
    const answer = await service.call(method, at, body, { 'Idempotency-Key': 'x' })
    expect(answer).toMatchObject({ status: 400, body: { detail: expect.stringContaining('GET /v1/api-keys tells whether this was done') } })
  })

  test('are replaced, and revoked', async () => {
    const { body: former } = await make({ purpose: 'decisions' })
    const rotated = await service.call('POST', `${path}/rotate`, { keyId: former.keyId, overlap_s: 3600 })
    expect(rotated).toMatchObject({ status: 201, body: { purpose: 'decisions' } })
    for (const { text } of [former, rotated.body]) expect((await service.call('GET', '/v1', undefined, as(text))).status).toBe(200)
    expect((await service.call('DELETE', `${path}?keyId=${former.keyId}`)).status).toBe(204)
    expect((await service.call('GET', '/v1', undefined, as(former.text))).status).toBe(401)
    expect((await service.call('GET', '/v1', undefined, as(rotated.body.text))).status).toBe(200)
    expect((await service.call('DELETE', `${path}?keyId=${former.keyId}`)).status).toBe(404)
    expect((await service.call('DELETE', path)).status).toBe(400)
  })

  test('of an operator that expires make none that outlives it', async () => {
    const expiresAt = '2098-01-01T00:00:00.000Z'
    const { body: brief } = await make({ purpose: 'operator', expiresAt })
    const own = (body: object) => service.call('POST', path, body, as(brief.text))
    expect(await own({ purpose: 'read' })).toMatchObject({ status: 201, body: { expiresAt } })
    expect((await own({ purpose: 'read', expiresAt: '2098-01-01T00:00:00.001Z' })).status).toBe(400)
    expect(await own({ purpose: 'read', expiresAt: '2097-01-01T00:00:00Z' })).toMatchObject({ status: 201 })
    const { body: lasting } = await make({ purpose: 'read' })
    const rotate = { keyId: lasting.keyId, overlap_s: 0 }
    expect((await service.call('POST', `${path}/rotate`, rotate, as(brief.text))).status).toBe(400)
  })

  test.each([
    { purpose: 'operator', designs: ['rebac'] },
    { purpose: 'tenant', designs: ['platform'], tenant: 'acme' },
    { purpose: 'decisions' },
    { purpose: 'read' },
    { purpose: 'flows' },
    { purpose: 'application', designs: ['rebac'] },
  ])('are not managed by a key for %j, which learns nothing', async (limits) => {
    const { body } = await make(limits)
    const before = await service.keys.list()
    const answers = await Promise.all([
      service.call('GET', path, undefined, as(body.text)),
      service.call('POST', path, { purpose: 'operator' }, as(body.text)),
      service.call('POST', `${path}/rotate`, { keyId: body.keyId, overlap_s: 0 }, as(body.text)),
      service.call('DELETE', `${path}?keyId=${body.keyId}`, undefined, as(body.text)),
      service.call('GET', '/v1/nothing', undefined, as(body.text)),
      service.call('PATCH', path, {}, as(body.text)),
    ])
    const told = answers.map(({ status, body: { instance: _, ...problem } }) => JSON.stringify([status, problem]))
    expect(new Set(told).size).toBe(1)
    expect(answers[0]).toMatchObject({ status: 403, body: { code: 'Denied' } })
    expect((await service.keys.list()).map(({ lastUsedAt: _, ...key }) => key)).toEqual(before.map(({ lastUsedAt: _, ...key }) => key))
  })
})

describe('a key that is limited to designs', () => {
  test('uses these alone, and the catalogue names no others', async () => {
    const { body } = await make({ purpose: 'operator', designs: ['platform'] })
    const catalogue = await service.call('GET', '/v1', undefined, as(body.text))
    expect((catalogue.body.designs as { name: string }[]).map(({ name }) => name)).toEqual(['platform'])
    expect((await service.call('GET', '/v1/platform/entities/Account?id=a', undefined, as(body.text))).status).toBe(404)
    const refused = await service.call('GET', '/v1/rebac/entities/User?userId=a', undefined, as(body.text))
    expect([refused.status, refused.body.code]).toEqual([403, 'Denied'])
  })
})
