import { designModules } from '@freehold/designs'
import { accountManagement } from '@freehold/designs/account-management'
import { readAccess } from '@freehold/designs/account-management/access'
import { rebac } from '@freehold/designs/rebac'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../test/engine/endpoint.ts'
import { startServiceOf } from '../../test/serving.ts'

const module = designModules.get('account-management') ?? {}
const beside = [...designModules.values()].filter(({ design }) => design.name !== 'account-management')
const camera = { module: 'devices', action: 'read', resource: 'camera' }

const service = await startServiceOf(accountManagement, { module, beside })
const { table } = service
const client = (await table.Client.create({ name: 'Acme' })).id
const { id: user_id } = await table.User.create({ client_id: client, email: 'ada@example.org', user_type: 'client_admin' })
const { id: role_id } = await table.Role.create({ client_id: client, name: 'reader', permissions: [camera] })
await table.UserRoleAssignment.create({ user_id, role_id, role_owner: client, scope_type: 'client', scope_id: client })

const path = '/v1/account-management/access'
const access = (body: object) => service.call('POST', path, body)

describe('POST /v1/{design}/access', () => {
  test('answers a snapshot that a browser reads', async () => {
    const { status, body } = await access({ user: 'ada@example.org', client, lasts_ms: 60_000, consistency: 'strong' })
    expect({ status, grants: body.grants }).toEqual({ status: 200, grants: [{ permissions: [camera], scopes: [{ client_id: client }] }] })
    const issued_ms = Date.parse(String(body.issued_at))
    expect(body.expires_at).toBe(new Date(issued_ms + 60_000).toISOString())
    expect(readAccess(body, { now_ms: () => issued_ms }).can(camera)).toBe(true)
  })

  test('says by what where it is asked to', async () => {
    const { body } = await access({ user: 'ada@example.org', evidence: true })
    expect(body.grants).toMatchObject([{ evidence: { role_owner: client } }])
  })

  test('answers a denial with 200, as one that denies everything', async () => {
    expect(await access({ user: 'nobody@example.org' })).toMatchObject({
      status: 200,
      body: { grants: [], reason: { code: 'UnknownUser' } },
    })
  })

  test.each([
    [{ user: 7 }, 'user'],
    [{ user: 'ada@example.org', permission: 'a:b:c' }, 'permission'],
    [{ user: 'ada@example.org', lasts_ms: 0 }, 'lasts_ms'],
    [{ user: 'ada@example.org', lasts_ms: 86_400_001 }, 'lasts_ms'],
    [{ user: 'ada@example.org', evidence: 'yes' }, 'evidence'],
    [{ user: 'ada@example.org', limit: 5 }, 'limit'],
    [{ questions: [] }, 'questions'],
    // No route accepts a snapshot.
    [{ user: 'ada@example.org', grants: [] }, 'grants'],
  ])('refuses %j by its name', async (body, name) => {
    const { status, body: told } = await access(body)
    expect({ status, code: told.code }).toEqual({ status: 400, code: 'InvalidInput' })
    expect(told.issues).toEqual(expect.arrayContaining([expect.objectContaining({ path: [name] })]))
  })

  test('is a 404 that says so for a design that gives none', async () => {
    for (const [design, sentence] of [
      ['rebac', 'rebac gives no snapshots of access'],
      ['authorization', 'authorization answers no questions'],
    ])
      expect(await service.call('POST', `/v1/${design}/access`, { user: 'ada@example.org' })).toMatchObject({
        status: 404,
        body: { code: 'UnknownName', detail: expect.stringContaining(sentence ?? '') },
      })
  })

  test('is listed with its fields where there is one', async () => {
    const { designs } = (await service.call('GET', '/v1')).body as { designs: readonly { name: string; questions: object }[] }
    const questions = new Map(designs.map((design) => [design.name, design.questions]))
    expect(questions.get('account-management')).toMatchObject({
      access: ['user', 'client', 'project', 'building', 'module_id', 'include_trial'],
    })
    expect(questions.get(rebac.name)).not.toHaveProperty('access')
  })
})

test('is a 503 where it grants nothing as something is malformed, and a 200 where something is left', async () => {
  const { table, call } = await startServiceOf(accountManagement, { module })
  const { id: client_id } = await table.Client.create({ name: 'Acme' })
  const { id: user_id } = await table.User.create({ client_id, email: 'ada@example.org', user_type: 'client_admin' })
  const assigned = async (name: string) => {
    const { id } = await table.Role.create({ client_id, name, permissions: [camera] })
    await table.UserRoleAssignment.create({ user_id, role_id: id, role_owner: client_id, scope_type: 'client', scope_id: client_id })
    return { PK: `CLIENT#${client_id}`, SK: `ROLE#${id}` }
  }
  const key = await assigned('reader')
  await restoreItems(table.runtime, [{ ...key, Type: 'Role', version: 1, created_at: 'once' }])
  const reason = { kind: 'fault', code: 'MalformedItem' }
  const question = { user: 'ada@example.org', client: client_id, consistency: 'strong' }
  const nothing = await call('POST', path, question)
  expect(nothing).toMatchObject({ status: 503, body: { code: 'Unavailable', status: 503, user_id, grants: [], reason } })
  // Nobody takes it for a snapshot.
  expect(() => readAccess(nothing.body)).toThrow(TypeError)
  // The lists say the same.
  expect(await call('POST', '/v1/account-management/what', question)).toMatchObject({ status: 503, body: { items: [], reason } })
  await assigned('watcher')
  expect(await call('POST', path, question)).toMatchObject({ status: 200, body: { grants: [{ permissions: [camera] }], reason } })
  const what = await call('POST', '/v1/account-management/what', question)
  expect(what).toMatchObject({ status: 200, body: { items: [{ permission: camera }], malformed: [{}] } })
  expect(what.body).not.toHaveProperty('reason')
})

test('is a 503 where the table cannot be read: an empty snapshot would say that nothing is allowed', async () => {
  const own = engineSender()
  let isBroken = false
  const broken = await startServiceOf(accountManagement, {
    module,
    patience_ms: 0,
    sender: {
      send: (...request) => (isBroken ? Promise.reject(new Error('the connection broke')) : own.send(...request)),
      close: () => own.close(),
    },
  })
  isBroken = true
  expect(await broken.call('POST', path, { user: 'ada@example.org' })).toMatchObject({ status: 503, body: { code: 'Unavailable' } })
})
