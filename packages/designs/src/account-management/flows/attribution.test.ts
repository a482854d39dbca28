import { randomUUID } from 'node:crypto'
import type { Caller } from '@freehold/frame/flow'
import { FreeholdError } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { describe, expect, test } from 'vitest'
import { engineSender } from '../../../../../test/engine/endpoint.ts'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { offeredAccountFlows } from './flows.ts'

let ada: string
let isBroken = false
let now_ms = Date.parse('2026-03-01T12:00:00.000Z')
const sender = engineSender()
const send: Sender['send'] = (operation, ...rest) => {
  if (isBroken && !/Get|Query/.test(operation)) throw new FreeholdError('Unavailable', 'The table takes no writes.')
  return sender.send(operation, ...rest)
}
const work = await accountWork({ now: () => new Date(now_ms++), sender: { send, close: () => sender.close() } })
const ours = (await work.flows.createClient({ name: 'Ours' })).id
const theirs = (await work.flows.createClient({ name: 'Theirs' })).id

let count = 0
const newUser = async (client_id?: string) =>
  (
    await work.table.User.create({
      client_id,
      email: `user${++count}@ours.example`,
      user_type: client_id === undefined ? 'internal' : 'client_admin',
    })
  ).id
const as = (user_id: string, from: Omit<Caller, 'actor'> = {}) =>
  checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id }, ...from })
const denialsOf = async (user_id: string, client_id?: string) =>
  (await work.audit(client_id)).filter((entry) => entry.status === 'failure' && entry.user_id === user_id)
const refused = { code: 'Denied' }

describe('a denied call is recorded with its reason and the ids that it named', () => {
  test('in the tenant of the user', async () => {
    ada = await newUser(ours)
    await expect(as(ada).updateClient({ id: ours, name: 'Mine' })).rejects.toMatchObject(refused)
    expect(await denialsOf(ada, ours)).toMatchObject([
      { action: 'updateClient', related_entities: { id: ours }, metadata: { reason: 'NoAssignment' } },
    ])
    expect(JSON.stringify(await work.audit(ours))).not.toContain('Mine')
  })

  test('of an internal user, and of nobody, among the entries of no tenant', async () => {
    const [internal, nobody] = [await newUser(), randomUUID()]
    await expect(as(internal).createProject({ client_id: theirs, name: 'p' })).rejects.toMatchObject(refused)
    expect(await denialsOf(internal)).toMatchObject([{ action: 'createProject', related_entities: { client_id: theirs } }])
    await expect(as(nobody).createProject({ client_id: theirs, name: 'p' })).rejects.toMatchObject(refused)
    expect(await denialsOf(nobody)).toMatchObject([{ action: 'createProject', metadata: { reason: 'UnknownUser' } }])
  })

  test('of a user who is not active in its tenant', async () => {
    const user_id = await newUser(ours)
    await work.flows.disableUser({ id: user_id })
    await expect(as(user_id).createProject({ name: 'p' })).rejects.toMatchObject(refused)
    expect(await denialsOf(user_id, ours)).toMatchObject([{ metadata: { reason: 'UserNotActive' } }])
  })

  test('ten times a minute for each actor; the others are counted', async () => {
    const [one, other, third] = [await newUser(ours), await newUser(ours), await newUser(ours)]
    const call = async (user_id: string, times = 1) => {
      for (let each = 0; each < times; each++)
        await expect(as(user_id).updateClient({ id: ours, name: 'x' })).rejects.toMatchObject(refused)
    }
    const counted = (denied: number) => expect.objectContaining({ metadata: { reason: 'FurtherDenials', denied } })
    await call(one, 25)
    await call(other)
    await call(third, 12)
    expect([await denialsOf(one, ours), await denialsOf(other, ours)].map(({ length }) => length)).toEqual([10, 1])
    now_ms += 60_000
    await call(one)
    expect(await denialsOf(one, ours)).toHaveLength(12)
    expect(await denialsOf(one, ours)).toContainEqual(counted(15))
    expect(await denialsOf(third, ours)).toHaveLength(10)
    await offeredAccountFlows.recordCounts(work.table)
    expect(await denialsOf(third, ours)).toContainEqual(counted(2))
    await offeredAccountFlows.recordCounts(work.table)
    expect(await denialsOf(third, ours)).toHaveLength(11)
  })

  test('and what its client says of itself is kept as far as it can be', async () => {
    const user_id = await newUser(ours)
    const from = { user_agent: '\u0000', session_id: '\ud800' }
    await expect(as(user_id, from).createProject({ name: 'p' })).rejects.toMatchObject(refused)
    expect(await denialsOf(user_id, ours)).toMatchObject([{ metadata: { session: '\ufffd' } }])
  })

  test('and stays denied where the table cannot record it', async () => {
    const user_id = await newUser(ours)
    isBroken = true
    const denied = as(user_id).createProject({ name: 'p' })
    await expect(denied.finally(() => (isBroken = false))).rejects.toMatchObject(refused)
    expect(await denialsOf(user_id, ours)).toEqual([])
  })
})

describe('an entry tells', () => {
  const by = async (caller: Caller) => {
    const { id } = await checkedAccountFlows.of(work.table, caller).createClient({ name: 'New' })
    const [entry] = await work.audit(id)
    return entry
  }
  const operator = { kind: 'operator', name: 'key 1' } as const

  test('the session of its caller, and other text than a UUID as far as it can be kept', async () => {
    const session_id = randomUUID()
    expect(await by({ actor: operator, session_id: session_id.toUpperCase() })).toMatchObject({ session_id })
    const foreign = await by({ actor: operator, session_id: 's-1\ud800' })
    expect(foreign).toMatchObject({ metadata: { operator: 'key 1', session: 's-1\ufffd' } })
    expect(foreign).not.toHaveProperty('session_id')
    expect((await by({ actor: operator, session_id: '' }))?.metadata).not.toHaveProperty('session')
  })

  test('an operator of any name, and no text that cannot be stored', async () => {
    const marks = `a${'\u0301'.repeat(40)}`
    const entry = await by({ actor: { kind: 'operator', name: 'key 1' }, user_agent: marks, ip_address: ' \t', session_id: 's\n1' })
    expect(entry).toMatchObject({ metadata: { operator: 'key 1', session: 's 1' } })
    expect(entry).not.toHaveProperty('user_agent')
    expect(entry).not.toHaveProperty('ip_address')
    const flows = checkedAccountFlows.of(work.table, { actor: { kind: 'operator', name: marks } })
    expect(await flows.createRole({ client_id: ours, name: `Role ${++count}` })).toMatchObject({ created_by: 'operator' })
  })

  test('who passed the call of a user on, also in a durable job', async () => {
    const user_id = await newUser(ours)
    const { id: role_id } = await work.flows.createRole({
      client_id: ours,
      name: 'Settler',
      permissions: [{ module: 'account-management', action: '*', resource: '*' }],
    })
    await work.flows.assignRole({ user_id, role_id, scope_type: 'client', scope_id: ours })
    const her = as(user_id, { via: 'key 1', session_id: 's 1' })
    await her.createProject({ name: 'p' })
    const bob = await newUser(ours)
    await work.flows.assignRole({ user_id: bob, role_id, scope_type: 'client', scope_id: ours })
    await her.revokeAllRoles({ user_id: bob, wait: false })
    await work.table.jobs.resume()
    const told = (await work.audit(ours)).filter((entry) => entry.user_id === user_id && entry.status === 'success')
    expect(told).toMatchObject(
      ['createProject', 'revokeAllRoles'].map((action) => ({ action, metadata: { via: 'key 1', session: 's 1' } })),
    )
  })

  test('and an item names the operator who made it, as it names a user', async () => {
    const flows = checkedAccountFlows.of(work.table, { actor: operator })
    const { created_by } = await flows.createRole({ client_id: ours, name: `Role ${++count}` })
    expect(created_by).toBe('operator key 1')
    expect(await work.flows.createRole({ client_id: ours, name: `Role ${++count}` })).toMatchObject({ created_by: 'operator' })
  })
})
