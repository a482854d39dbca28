import { designModules } from '@freehold/designs'
import { connect } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { startService } from '../../test/serving.ts'
import { serviceDesign } from '../keys/design.ts'
import { savedBounds } from '../keys/saved-questions.ts'

const beside = ['platform'].flatMap((name) => designModules.get(name) ?? [])
const service = await startService({ module: designModules.get('rebac') ?? {}, beside })

const path = '/v1/saved-questions?design=rebac'
const one = { name: 'Ada sees it', ask: 'can', question: { user: 'ada@example.org', page: 'dashboard' }, expect: true }
const as = (text: unknown) => ({ Authorization: `Bearer ${text}` })
const listed = async (at = path) => (await service.call('GET', at)).body.questions as readonly Record<string, unknown>[]
const save = async (more: object = {}) => {
  const { status, headers, body } = await service.call('POST', path, { ...one, ...more })
  expect([status, headers.get('etag')]).toEqual([201, '"1"'])
  return body
}
const at = ({ questionId }: Record<string, unknown>) => `${path}&questionId=${questionId}`

describe('saved questions over HTTP', () => {
  test.each([
    ['can', true],
    ['can', false],
    ['can', 'NoGrant'],
    ['what', [{ page: 'dashboard' }, { page: 'lessons', more: [null, 1.5, { deep: '' }] }]],
    ['who', []],
    ['where', [{}]],
  ])('are kept by design, with who saved them and when: %s %j', async (ask, expected) => {
    const [key] = await service.keys.list()
    const made = await save({ ask, expect: expected })
    expect(made).toEqual({
      ...{ ...one, ask, expect: expected, questionId: made.questionId, version: 1 },
      ...{ savedBy: `key ${key?.keyId}`, savedAt: made.savedAt },
    })
    expect((await listed()).at(-1)).toEqual(made)
    expect(await listed('/v1/saved-questions?design=platform')).toEqual([])
  })

  test.each<[object, string]>([
    [{ name: undefined }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ ask: 'why' }, 'ask'],
    [{ question: undefined }, 'question'],
    [{ question: [] }, 'question'],
    [{ expect: undefined }, 'expect'],
    [{ expect: 1 }, 'expect'],
    [{ expect: '' }, 'expect'],
    [{ expect: [] }, 'expect'],
    [{ ask: 'who', expect: true }, 'expect'],
    [{ ask: 'who', expect: ['ada'] }, 'expect'],
    [{ savedBy: 'me' }, 'savedBy'],
    [{ question: { user: 'x'.repeat(savedBounds.bytes_max) } }, 'expect'],
  ])('are not made of %j', async (wrong, name) => {
    const kept = await save()
    const before = await listed()
    for (const [method, to] of [['POST', path] as const, ['PATCH', at(kept)] as const])
      expect(await service.call(method, to, { ...one, ...wrong })).toMatchObject({ status: 400, body: { issues: [{ path: [name] }] } })
    expect(await listed()).toEqual(before)
  })

  test('are replaced and removed by version, and whole', async () => {
    const made = await save()
    const other = { name: 'Who sees it', ask: 'who', question: { page: 'lessons' }, expect: [{ user: 'ada' }] }
    const replaced = await service.call('PATCH', `${at(made)}&version=1`, other)
    expect(replaced).toMatchObject({ status: 200, body: { ...other, version: 2, questionId: made.questionId } })
    expect((await listed()).find(({ questionId }) => questionId === made.questionId)).toEqual(replaced.body)
    expect(await service.call('PATCH', `${at(made)}&version=1`, one)).toMatchObject({ status: 409, body: { code: 'VersionConflict' } })
    expect((await service.call('DELETE', at(made), undefined, { 'If-Match': '"1"' })).status).toBe(412)
    expect((await service.call('DELETE', at(made), undefined, { 'If-Match': '"2"' })).status).toBe(204)
    expect((await service.call('DELETE', at(made))).status).toBe(404)
    expect((await service.call('PATCH', at(made), one)).status).toBe(404)
  })

  test.each([
    ['GET', '/v1/saved-questions', 400, 'InvalidInput'],
    ['GET', '/v1/saved-questions?design=nothing', 400, 'UnknownName'],
    ['POST', '/v1/saved-questions?design=nothing', 400, 'UnknownName'],
    ['DELETE', path, 400, 'InvalidInput'],
    ['DELETE', `${path}&questionId=x`, 400, 'InvalidInput'],
  ])('%s %s is refused', async (method, to, status, code) => {
    expect(await service.call(method, to, method === 'POST' ? one : undefined)).toMatchObject({ status, body: { code } })
  })

  test.each<[object, string, number, number]>([
    [{ purpose: 'operator' }, 'rebac', 200, 201],
    [{ purpose: 'operator', designs: ['rebac'] }, 'rebac', 200, 201],
    [{ purpose: 'operator', designs: ['platform'] }, 'rebac', 403, 403],
    [{ purpose: 'decisions', designs: ['rebac'] }, 'rebac', 200, 403],
    [{ purpose: 'decisions', designs: ['rebac'] }, 'nothing', 403, 403],
    [{ purpose: 'decisions' }, 'rebac', 200, 403],
    [{ purpose: 'read' }, 'rebac', 200, 403],
    [{ purpose: 'flows' }, 'rebac', 403, 403],
    // They name users of other tenants.
    [{ purpose: 'tenant', designs: ['platform'], tenant: 'acme' }, 'platform', 403, 403],
  ])('of a key for %j and %s', async (limits, design, reads, writes) => {
    const { body } = await service.call('POST', '/v1/api-keys', limits)
    const to = `/v1/saved-questions?design=${design}`
    expect((await service.call('GET', to, undefined, as(body.text))).status).toBe(reads)
    expect((await service.call('POST', to, one, as(body.text))).status).toBe(writes)
  })

  test('are bounded in number, by design', async () => {
    const free = savedBounds.most - (await listed()).length
    const { table, sender } = service.keys.table.runtime
    const { SavedQuestion } = connect(serviceDesign, { table, sender })
    const saved = { design: 'rebac', name: 'many', ask: 'can', question: {}, expected: { answer: true }, savedBy: 'a test' } as const
    await SavedQuestion.createMany(Array.from({ length: free - 1 }, () => saved))
    await save()
    expect(await listed()).toHaveLength(savedBounds.most)
    expect(await service.call('POST', path, one)).toMatchObject({ status: 400, body: { issues: [{ path: ['name'] }] } })
    expect((await service.call('POST', '/v1/saved-questions?design=platform', one)).status).toBe(201)
  })
})
