import { randomUUID } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { type FaultySender, faultySender } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { type Called, type ServiceUnderTest, startService, startServiceOf } from '../../test/serving.ts'

const { flows } = designModules.get('account-management') ?? {}
const module = flows === undefined ? {} : { flows }
let service: ServiceUnderTest<typeof accountManagement>
let faults: FaultySender
/** While it is true, every write is applied and no answer to it arrives. */
let isLosing = false

beforeAll(async () => {
  faults = faultySender(engineSender(), [
    { operation: 'TransactWriteItems', when: () => isLosing, fault: { kind: 'lose-answer' }, times: Number.POSITIVE_INFINITY },
  ])
  service = await startServiceOf(accountManagement, { module, sender: faults, patience_ms: 200 })
  return () => faults.close()
})

const replayed = ({ headers }: Called) => headers.get('idempotency-replayed')
const call = (flow: string, body: object, key: string, headers: Record<string, string> = {}) =>
  service.call('POST', `/v1/account-management/flows/${flow}`, body, { 'Idempotency-Key': key, ...headers })

async function subscribed() {
  const { body: client } = await call('createClient', { name: 'Acme' }, randomUUID())
  const { body: project } = await call('createProject', { client_id: client.id, name: 'Harbour' }, randomUUID())
  const id = { scope_type: 'project', scope_id: project.id, module_id: randomUUID() }
  await call('activateSubscription', { ...id, usage_quota: { reports: 10 } }, randomUUID())
  const { id: user_id } = await service.table.User.create({
    client_id: String(client.id),
    email: `${randomUUID()}@acme.example`,
    user_type: 'client_admin',
  })
  return { id, user_id, use: { ...id, counter: 'reports', amount: 2 } }
}
const tokensOf = async (user_id: string) => (await service.table.tokensOfUser({ user_id }, { consistent: true })).items

describe('a request with an idempotency key', () => {
  test('has one effect, and its repeat says so', async () => {
    const { use, user_id, id } = await subscribed()
    const [quota, token] = [randomUUID(), randomUUID()]
    expect(await call('consumeQuota', use, quota)).toMatchObject({ status: 200, body: { left: 8 } })
    const again = await call('consumeQuota', use, quota)
    expect([replayed(again), again.status, again.body]).toEqual(['true', 200, { made: [{ entity: 'ServiceSubscription', id }] }])
    const first = await call('createToken', { user_id, token_type: 'api' }, token)
    expect(replayed(first)).toBeNull()
    const second = await call('createToken', { user_id, token_type: 'api' }, token)
    const [made] = await tokensOf(user_id)
    expect(second.body).toEqual({ made: [{ entity: 'AuthToken', id: { user_id, id: made?.id } }], told_once: ['text'] })
    expect(await tokensOf(user_id)).toHaveLength(1)
  })

  test('whose answer was lost has one effect', async () => {
    const { use, user_id } = await subscribed()
    const [quota, token] = [randomUUID(), randomUUID()]
    isLosing = true
    const lost = [await call('consumeQuota', use, quota), await call('createToken', { user_id, token_type: 'api' }, token)]
    isLosing = false
    // The record tells that the write was applied.
    expect(lost.map((each) => [each.status, replayed(each)])).toEqual(Array(2).fill([200, 'true']))
    expect(replayed(await call('consumeQuota', use, quota))).toBe('true')
    expect(replayed(await call('createToken', { user_id, token_type: 'api' }, token))).toBe('true')
    expect(await tokensOf(user_id)).toHaveLength(1)
    expect((await call('consumeQuota', use, randomUUID())).body).toMatchObject({ left: 6 })
  })

  test('many times at once has one effect', async () => {
    const { use, user_id } = await subscribed()
    const key = randomUUID()
    const all = await Promise.all(Array.from({ length: 8 }, () => call('consumeQuota', use, key)))
    expect(all.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(all.filter((each) => replayed(each) === null)).toHaveLength(1)
    await Promise.all(Array.from({ length: 8 }, () => call('createToken', { user_id, token_type: 'api' }, key.replace('-', '+'))))
    expect(await tokensOf(user_id)).toHaveLength(1)
  })

  test('gives a removal the same status again, and an item its version', async () => {
    const client = await call('createClient', { name: 'Acme' }, randomUUID())
    const [suspending, deleting] = [randomUUID(), randomUUID()]
    for (const told of [null, 'true']) {
      const answer = await call('suspendClient', { id: client.body.id }, suspending)
      expect([answer.headers.get('etag'), replayed(answer)]).toEqual(['"2"', told])
      expect(answer.body).not.toHaveProperty('replayed')
    }
    expect(await call('deleteClient', { id: client.body.id }, deleting)).toMatchObject({ status: 204 })
    const again = await call('deleteClient', { id: client.body.id }, deleting)
    expect([again.status, replayed(again)]).toEqual([204, 'true'])
    const gone = await call('suspendClient', { id: client.body.id }, suspending)
    expect([gone.status, gone.body.code, replayed(gone)]).toEqual([404, 'NotFound', 'true'])
  })

  test('is refused under the key of another request, which another API key may use', async () => {
    const { use } = await subscribed()
    const key = randomUUID()
    await call('consumeQuota', use, key)
    const other = { status: 422, body: { code: 'KeyReused' } }
    expect(await call('consumeQuota', { ...use, amount: 3 }, key)).toMatchObject(other)
    const { text } = await service.keys.newKey('another')
    expect((await call('consumeQuota', use, key, { Authorization: `Bearer ${text}` })).body).toMatchObject({ left: 6 })
  })

  test.each(['a b', 'x'.repeat(256), '\u00e9', 'a, b'])('needs one that is a key: %j', async (key) => {
    expect(await call('createClient', { name: 'Acme' }, key)).toMatchObject({
      status: 400,
      body: { issues: [{ path: ['Idempotency-Key'] }] },
    })
  })
})

describe('an item', () => {
  const path = '/v1/rebac/entities/Location'
  let rebac: ServiceUnderTest
  beforeAll(async () => {
    rebac = await startService()
  })
  const create = (body: object, key: string) => rebac.call('POST', path, body, { 'Idempotency-Key': key })

  test('is created once, and its repeat gives it as it is now', async () => {
    const location = { locationCode: 'LON', name: 'London' }
    const made = await create(location, 'one')
    expect([made.status, replayed(made)]).toEqual([201, null])
    const place = String(made.headers.get('location'))
    await rebac.call('PATCH', `/v1/rebac/entities/${place}`, { name: 'Londinium' })
    const again = await create(location, 'one')
    expect([again.status, again.headers.get('etag'), again.headers.get('location'), replayed(again)]).toEqual([201, '"2"', place, 'true'])
    expect(again.body).toMatchObject({ name: 'Londinium' })
    expect(again.body).not.toHaveProperty('replayed')
    expect(await create(location, 'two')).toMatchObject({ status: 409 })
    expect(await create({ ...location, name: 'Paris' }, 'one')).toMatchObject({ status: 422 })
    await rebac.call('DELETE', `/v1/rebac/entities/${place}`)
    const gone = await create(location, 'one')
    expect([gone.status, replayed(gone)]).toEqual([404, 'true'])
  })

  test('is created once by many at once, which all answer alike', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => create({ locationCode: 'ROM', name: 'Rome' }, 'rome')))
    expect(new Set(all.map(({ status, body }) => `${status} ${body.locationId}`)).size).toBe(1)
    expect(all.filter((each) => replayed(each) === null)).toHaveLength(1)
  })

  test('is created once over a network that loses answers', async () => {
    const faults = faultySender(engineSender(), [
      {
        operation: 'TransactWriteItems',
        when: (input) => JSON.stringify(input).includes('OSLO'),
        fault: { kind: 'lose-answer' },
        times: 2,
      },
    ])
    const lossy = await startService({ sender: faults })
    const both = []
    for (let count = 0; count < 2; count++)
      both.push(await lossy.call('POST', path, { locationCode: 'OSLO', name: 'Oslo' }, { 'Idempotency-Key': 'oslo' }))
    expect(new Set(both.map(({ status, body }) => `${status} ${body.locationId}`)).size).toBe(1)
    expect(both.map(replayed)).toEqual([null, 'true'])
  })

  test.each([
    ['PATCH', `${path}?locationId=01ARZ3NDEKTSV4RRFFQ69G5FAV`, {}],
    ['DELETE', `${path}?locationId=01ARZ3NDEKTSV4RRFFQ69G5FAV`, undefined],
    ['POST', `${path}/move?locationId=01ARZ3NDEKTSV4RRFFQ69G5FAV`, {}],
  ])('takes no key to %s %s', async (method, at, body) => {
    const answer = await rebac.call(method, at, body, { 'Idempotency-Key': 'x' })
    expect(answer).toMatchObject({ status: 400, body: { issues: [{ path: ['Idempotency-Key'] }] } })
  })

  test('leaves a record without its values and its key', async () => {
    const before = (await rebac.scan()).length
    await create({ locationCode: 'BER', name: 'Berlin' }, 'berlin')
    const added = await rebac.scan()
    expect(added.length).toBeGreaterThan(before)
    const record = added.find((item) => JSON.stringify(item).includes('FREEHOLD_CALLS#') && JSON.stringify(item).includes('Location'))
    expect(JSON.stringify(record)).not.toContain('Berlin')
    expect(JSON.stringify(record)).not.toContain('"berlin"')
  })
})
