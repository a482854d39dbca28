import { designModules } from '@freehold/designs'
import { meter } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../test/engine/endpoint.ts'
import { startService } from '../test/serving.ts'

// The rebac design with its own decisions, as it is served.

const own = engineSender()
let isDown = false
const sender: Sender = {
  send: (operation, input, options) =>
    isDown
      ? Promise.reject(Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { code: 'ECONNREFUSED' }))
      : own.send(operation, input, options),
  close: () => own.close(),
}

const service = await startService({ module: designModules.get('rebac') ?? {}, sender, patience_ms: 0 })
type Values = Readonly<Record<string, unknown>>
const create = async (entity: string, item: Values): Promise<Values> => service.table.repositoryNamed(entity).create(item)
const { userId } = await create('User', { displayName: 'Ada' })
const { locationId } = await create('Location', { locationCode: 'HQ', name: 'Head office' })
const { groupId } = await create('UserGroup', { locationId, name: 'Staff' })
await create('EmailIdentity', { email: 'Ada+1@Example.org', provider: 'google', userId })
await create('Role', { roleName: 'opener' })
await create('Page', { pageName: 'home' })
await create('UserLocationEdge', { userId, locationId })
await create('GroupUserEdge', { userId, groupId })
await create('GroupRole', { groupId, roleName: 'opener' })
await create('RolePagePermission', { roleName: 'opener', pageName: 'home', permission: 'ALLOW' })
const ask = (question: string, body: unknown) => service.call('POST', `/v1/rebac/${question}`, body)
const asked = { user: 'ada+1@example.org', location: 'hq', page: 'home' }

describe('the five questions', () => {
  test('can', async () => {
    expect(await ask('can', asked)).toMatchObject({ status: 200, body: { allowed: true } })
    expect(await ask('can', { ...asked, page: 'vault', consistency: 'strong' })).toMatchObject({
      status: 200,
      body: { allowed: false, reason: { kind: 'unknown' } },
    })
    const many = await ask('can', { questions: [asked, { ...asked, user: 'nobody@example.org' }] })
    expect(many.body).toMatchObject({ answers: [{ allowed: true }, { allowed: false }] })
  })

  test('why', async () => {
    expect((await ask('why', asked)).body).toMatchObject({ allowed: true, chains: [expect.any(Array)] })
    expect((await ask('why', { ...asked, page: 'vault' })).body).toMatchObject({
      allowed: false,
      missing: [{ step: 'page', state: 'missing' }],
    })
  })

  test('what, who and where, page after page', async () => {
    const { user, location, page } = asked
    expect((await ask('what', { user, location, limit: 1 })).body).toEqual({ items: [expect.objectContaining({ page: 'home' })] })
    expect((await ask('who', { location, page, limit: 10, consistency: 'strong' })).body.items).toHaveLength(1)
    expect((await ask('where', { user, page, expand: true })).body.items).toHaveLength(1)
    expect(await ask('who', { location, page, cursor: 'forged' })).toMatchObject({ status: 400, body: { code: 'InvalidCursor' } })
  })

  test.each([
    ['can', { ...asked, colour: 'red' }, ['colour']],
    ['can', { user: 7, location: 'hq' }, ['user', 'page']],
    ['what', asked, ['page']],
    ['who', { location: null, page: 'home' }, ['location']],
  ])('%s of %j is refused by name', async (question, body, names) => {
    const answer = await ask(question, body)
    expect([answer.status, (answer.body.issues as { path: string[] }[]).map(({ path }) => path[0])]).toEqual([400, names])
  })

  test('of many, each malformed field is named with its place', async () => {
    const { status, body } = await ask('can', { questions: [asked, { ...asked, page: 7 }] })
    expect([status, (body.issues as { path: unknown }[]).map(({ path }) => path)]).toEqual([400, [['questions', 1, 'page']]])
  })
})

test('a decision whose definitions and key are remembered costs one round trip', async () => {
  await ask('can', asked)
  const { result, cost } = await meter(() => ask('can', asked))
  expect(result.body).toEqual({ allowed: true })
  expect(cost.roundTrips).toBe(1)
})

describe('where the table does not answer', () => {
  beforeAll(() => {
    isDown = true
  })
  afterAll(() => {
    isDown = false
  })

  test('decisions are denied with 503, and lists are not empty but refused', async () => {
    for (const question of ['can', 'why']) {
      const { status, body } = await ask(question, { ...asked, consistency: 'strong' })
      expect({ status, body }).toMatchObject({ status: 503, body: { allowed: false, reason: { kind: 'fault' }, code: 'Unavailable' } })
      expect(JSON.stringify(body)).not.toMatch(/ECONNREFUSED|10\.0\.0\.7/)
    }
    const { user, location } = asked
    expect(await ask('what', { user, location, consistency: 'strong' })).toMatchObject({ status: 503, body: { code: 'Unavailable' } })
    expect((await service.call('GET', '/v1/rebac/patterns/users')).body).toMatchObject({ status: 503, code: 'Unavailable' })
  })
})
