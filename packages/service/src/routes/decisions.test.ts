import type { Can, Decider, Reason, Why } from '@freehold/frame/decision'
import { FreeholdError } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { startService } from '../../test/serving.ts'
import { createService } from '../service.ts'

const fields = ['user', 'location', 'page']
const policy: Reason = { kind: 'policy', code: 'NoGrant', message: 'No role of the user opens this page.' }
const fault: Reason = { kind: 'fault', code: 'StorageFault', message: 'The table could not be read.' }

/** A decider that answers by the user's name, and remembers what it was asked: what HTTP makes of answers is tested here, not how they are found. */
const asked: unknown[] = []
function answerTo(question: unknown, how: unknown): Can {
  asked.push([question, how])
  const { user, ...others } = question as { user?: unknown }
  if (typeof user !== 'string')
    throw new FreeholdError('InvalidInput', 'can: user is missing.', { issues: [{ path: ['user'], message: 'is missing' }] })
  const unknown = Object.keys(others).find((name) => !fields.includes(name))
  if (unknown !== undefined)
    throw new FreeholdError('InvalidInput', `can: ${unknown}.`, { issues: [{ path: [unknown], message: 'is not a field' }] })
  if (user === 'busy') throw new FreeholdError('Busy', 'The table is busy. Try again.')
  return user === 'ada' ? { allowed: true } : { allowed: false, reason: user === 'fault' ? fault : policy }
}
const decider: Decider = {
  fields: { can: fields, why: fields, what: ['user', 'location'], who: ['location', 'page'], where: ['user', 'page'] },
  can: async (question, how) => answerTo(question, how),
  canMany: async (questions, how) =>
    questions.map((question, index) => {
      const isMalformed = typeof question !== 'object'
      if (isMalformed)
        throw new FreeholdError('InvalidInput', 'A question is malformed.', { issues: [{ path: [index], message: 'is not an object' }] })
      return answerTo(question, how)
    }),
  why: async (question, how): Promise<Why> => ({ ...answerTo(question, how), chains: [], missing: [] }),
  what: async (question, how) => {
    answerTo(question, how)
    return { items: [{ page: 'home' }], cursor: 'next' }
  },
  who: async (question, how) => {
    asked.push([question, how])
    const { location } = question as { location?: unknown }
    return { items: [], reason: location === 'fault' ? fault : policy }
  },
  where: async (question, how) => {
    asked.push([question, how])
    return { items: [] }
  },
}

const service = await startService({ decider })
beforeEach(() => {
  asked.length = 0
})
const ask = (question: string, body: unknown) => service.call('POST', `/v1/rebac/${question}`, body)

describe('can', () => {
  test('is answered with 200, allowed or not', async () => {
    expect(await ask('can', { user: 'ada', location: 'HQ', page: 'home' })).toMatchObject({ status: 200, body: { allowed: true } })
    expect(await ask('can', { user: 'bob' })).toMatchObject({ status: 200, body: { allowed: false, reason: policy } })
  })

  test('takes beside the question how consistent the answer must be', async () => {
    await ask('can', { user: 'ada', page: 'home', consistency: 'strong' })
    expect(asked).toEqual([[{ user: 'ada', page: 'home' }, { consistency: 'strong' }]])
    const wrong = await ask('can', { user: 'ada', consistency: 'eventual' })
    expect(wrong).toMatchObject({ status: 400, body: { issues: [{ path: ['consistency'], message: 'is not one of strong, bounded' }] } })
  })

  test('refuses what is no field, and says which', async () => {
    for (const name of ['tenant', 'limit', 'expand'])
      expect(await ask('can', { user: 'ada', [name]: 5 })).toMatchObject({ status: 400, body: { issues: [{ path: [name] }] } })
  })

  test('is a 503 that denies where nothing could be decided', async () => {
    const { status, headers, body } = await ask('can', { user: 'fault' })
    expect(headers.get('content-type')).toBe('application/problem+json')
    expect({ status, body }).toEqual({
      status: 503,
      body: {
        type: 'urn:freehold:error:Unavailable',
        title: 'The service cannot answer now',
        status: 503,
        detail: 'Denied without a decision: The table could not be read.',
        code: 'Unavailable',
        instance: expect.stringMatching(/^urn:uuid:/),
        allowed: false,
        reason: fault,
      },
    })
    expect((await ask('why', { user: 'fault' })).body).toMatchObject({ status: 503, allowed: false, chains: [], missing: [] })
  })

  test('says when to try again where the table is busy', async () => {
    expect((await ask('can', { user: 'busy' })).headers.get('retry-after')).toBe('1')
  })
})

describe('many questions at once', () => {
  test('are answered in their order, each in the same way', async () => {
    const { body } = await ask('can', { questions: [{ user: 'bob' }, { user: 'ada' }], consistency: 'strong' })
    expect(body).toEqual({ answers: [{ allowed: false, reason: policy }, { allowed: true }] })
    expect(asked).toEqual([
      [{ user: 'bob' }, { consistency: 'strong' }],
      [{ user: 'ada' }, { consistency: 'strong' }],
    ])
  })

  test('are all refused where one is malformed, which is named', async () => {
    const { status, body } = await ask('can', { questions: [{ user: 'ada' }, 'ada'] })
    expect([status, body.issues]).toEqual([400, [{ path: ['questions', 1], message: 'is not an object' }]])
  })

  test('are a 503 with all answers where some were denied by a fault', async () => {
    const { status, body } = await ask('can', { questions: [{ user: 'ada' }, { user: 'fault' }] })
    expect([status, body.answers]).toEqual([503, [{ allowed: true }, { allowed: false, reason: fault }]])
  })

  test.each([
    [{ questions: [] }],
    [{ questions: {} }],
    [{ questions: null }],
    [{ questions: Array.from({ length: 101 }, () => ({ user: 'ada' })) }],
    [{ questions: [{ user: 'ada' }], user: 'bob' }],
  ])('%j is refused before any is asked', async (body) => {
    expect(await ask('can', body)).toMatchObject({ status: 400, body: { code: 'InvalidInput' } })
    expect(asked).toEqual([])
  })
})

describe('a question that is answered with a list', () => {
  test('takes a limit and a cursor, and where takes expand', async () => {
    expect((await ask('what', { user: 'ada', limit: 5, cursor: 'here' })).body).toEqual({ items: [{ page: 'home' }], cursor: 'next' })
    await ask('where', { user: 'ada', expand: true, consistency: 'bounded' })
    expect(asked).toEqual([
      [{ user: 'ada' }, { limit: 5, cursor: 'here' }],
      [{ user: 'ada' }, { expand: true, consistency: 'bounded' }],
    ])
  })

  test('says why there are none, where what it asks about is not there, and that is an answer', async () => {
    expect(await ask('who', { location: 'ber', page: 'home' })).toMatchObject({ status: 200, body: { items: [], reason: policy } })
  })

  test('is a 503 where what it asks about cannot be read', async () => {
    expect(await ask('who', { location: 'fault', page: 'home' })).toMatchObject({
      status: 503,
      body: { code: 'Unavailable', items: [], reason: fault },
    })
  })

  test.each([
    ['what', { limit: 0 }, 'limit'],
    ['who', { limit: '5' }, 'limit'],
    ['where', { cursor: 5 }, 'cursor'],
    ['where', { expand: 'yes' }, 'expand'],
  ])('%s refuses %j by its name', async (question, body, name) => {
    expect(await ask(question, body)).toMatchObject({ status: 400, body: { issues: [{ path: [name] }] } })
    expect(asked).toEqual([])
  })
})

test('GET /v1 says which fields each question has', async () => {
  expect((await service.call('GET', '/v1')).body.designs).toMatchObject([{ questions: decider.fields }])
})

test('a design of which a field has a name that HTTP needs is refused when the service is made', () => {
  const served = { module: { design: service.table.design, summary: 'a' }, table: service.table }
  const make = (name: string) =>
    createService({
      tables: new Map([['rebac', { ...served, decider: { ...decider, fields: { ...decider.fields, what: ['user', name] } } }]]),
      keys: service.keys,
      log: () => undefined,
    })
  for (const name of ['limit', 'consistency', 'questions'])
    expect(() => make(name)).toThrow(expect.objectContaining({ code: 'InvalidDesign' }))
  expect(() => make('order')).not.toThrow()
})
