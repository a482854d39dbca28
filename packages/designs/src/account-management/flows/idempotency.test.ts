import { randomUUID } from 'node:crypto'
import type { Actor } from '@freehold/frame/flow'
import { meter } from '@freehold/table'
import type { Sender } from '@freehold/table/runtime'
import { beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../test/engine/sender-after.ts'
import { type AccountWork, accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { dyingSender } from '../../../test/dying-sender.ts'
import { wholeTable } from '../../../test/whole-table.ts'
import { offeredAccountFlows } from './flows.ts'

const day_ms = 86_400_000
const consistent = { consistent: true }
const clerk: Actor = { kind: 'operator', name: 'clerk' }

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
let user_id: string
let id: { scope_type: 'project'; scope_id: string; module_id: string }
let key: string
let count = 0

const work = await accountWork({ now: clock })
const client_id = (await work.flows.createClient({ name: 'Ours' })).id
beforeEach(async () => {
  key = randomUUID()
  user_id = (await work.table.User.create({ client_id, email: `user${++count}@ours.example`, user_type: 'client_admin' })).id
  const project = await work.flows.createProject({ client_id, name: `Project ${count}` })
  id = { scope_type: 'project', scope_id: project.id, module_id: randomUUID() }
  await work.flows.activateSubscription({ ...id, usage_quota: { reports: 10 } })
})

const keyed = (idempotencyKey: string, actor: Actor = clerk, of = work) => offeredAccountFlows.keyed(of.table, { actor }, idempotencyKey)
const use = (amount = 2) => ({ ...id, counter: 'reports', amount })
const left = async () => (await work.table.ServiceSubscription.get(id, consistent))?.usage_quota?.reports
const tokensOf = async () => (await work.table.tokensOfUser({ user_id }, consistent)).items
const records = async () => (await wholeTable(work.table)).filter(({ PK }) => String(PK).startsWith('FREEHOLD_CALLS#'))
const newToken = () => ({ user_id, token_type: 'api' as const })

/** Another process, over a sender of its own. */
const elsewhere = (sender: Sender) => accountWork({ table: work.table.runtime.table, now: clock, sender, patience_ms: 0 })

describe('a call under an idempotency key, sent again,', () => {
  test('uses a quota once, and names the item', async () => {
    expect(await keyed(key).consumeQuota(use())).toEqual({ counter: 'reports', left: 8 })
    const again = { replayed: true, made: [{ entity: 'ServiceSubscription', id }] }
    expect(await keyed(key).consumeQuota(use())).toEqual(again)
    expect(await keyed(key).consumeQuota({ counter: 'reports', amount: 2, ...id })).toEqual(again)
    expect(await left()).toBe(8)
    expect((await work.audit(client_id)).filter(({ action, entity_id }) => action === 'consumeQuota' && entity_id === undefined)).toEqual(
      [],
    )
  })

  test('makes one token, whose text it does not tell again', async () => {
    const first = await keyed(key).createToken(newToken())
    if (first.replayed === true) throw new Error('the first call is no repeat')
    expect(await keyed(key).createToken(newToken())).toEqual({
      replayed: true,
      made: [{ entity: 'AuthToken', id: { user_id, id: first.token.id } }],
      told_once: ['text'],
    })
    expect(await tokensOf()).toHaveLength(1)
    const secret = first.text.slice(-20)
    expect((await records()).filter((record) => JSON.stringify(record).includes(secret))).toEqual([])
  })

  test('gives an item as it is now', async () => {
    const made = await keyed(key).createProject({ client_id, name: `Twice ${count}` })
    await work.flows.updateProject({ id: made.id, description: 'changed since' })
    const again = await keyed(key).createProject({ client_id, name: `Twice ${count}` })
    expect(again).toMatchObject({ id: made.id, description: 'changed since', replayed: true })
    await work.flows.deleteProject({ id: made.id })
    const gone = { code: 'NotFound', details: { replayed: true, id: { id: made.id } } }
    await expect(keyed(key).createProject({ client_id, name: `Twice ${count}` })).rejects.toMatchObject(gone)
  })

  test('gives its own item, not another of the same entity that it wrote with it', async () => {
    const above = await work.flows.createRole({ client_id, name: `Above ${count}` })
    const input = { client_id, name: `Beneath ${count}`, parent_role_id: above.id }
    const made = await keyed(key).createRole(input)
    expect(await keyed(key).createRole(input)).toEqual({ ...made, replayed: true })
  })

  test('removes once: a successor stays', async () => {
    const setting = { scope_type: 'client', scope_id: client_id, key: `theme ${count}` } as const
    await work.flows.setSetting({ ...setting, value: 'dark' })
    expect(await keyed(key).unsetSetting(setting)).toBeUndefined()
    await work.flows.setSetting({ ...setting, value: 'light' })
    expect(await keyed(key).unsetSetting(setting)).toEqual({ replayed: true })
    expect(await work.table.Setting.get(setting, consistent)).toMatchObject({ value: 'light' })
  })

  test('with other input, or to another flow, is refused', async () => {
    await keyed(key).consumeQuota(use())
    await expect(keyed(key).consumeQuota(use(3))).rejects.toMatchObject({ code: 'KeyReused', category: 'invalid' })
    await expect(keyed(key).createToken(newToken())).rejects.toMatchObject({ code: 'KeyReused' })
    expect(await left()).toBe(8)
    expect(await tokensOf()).toEqual([])
  })

  test('by another caller is another call', async () => {
    const both = { key, use: use() }
    const callers: Actor[] = [clerk, { kind: 'operator', name: 'another' }, { kind: 'operator' }]
    for (const actor of callers) expect(await keyed(both.key, actor).consumeQuota(both.use)).toHaveProperty('left')
    const via = offeredAccountFlows.keyed(work.table, { actor: clerk, via: 'a key' }, key)
    expect(await via.consumeQuota(use())).toEqual({ counter: 'reports', left: 2 })
  })

  test('after a day is a new call', async () => {
    await keyed(key).consumeQuota(use())
    now += day_ms - 60_000
    expect(await keyed(key).consumeQuota(use())).toHaveProperty('replayed')
    now += 60_000
    expect(await keyed(key).consumeQuota(use())).toEqual({ counter: 'reports', left: 6 })
    expect(await keyed(key).consumeQuota(use())).toHaveProperty('replayed')
  })

  test('is held to the permission that the first was', async () => {
    const role = await work.flows.createRole({
      client_id,
      name: `Consumer ${count}`,
      permissions: [{ module: 'account-management', action: 'consume', resource: 'subscription' }],
    })
    const at = { user_id, role_id: role.id, scope_type: 'client', scope_id: client_id } as const
    await work.flows.assignRole(at)
    const ada: Actor = { kind: 'user', user_id }
    expect(await keyed(key, ada).consumeQuota(use())).toMatchObject({ left: 8 })
    expect(await keyed(key, ada).consumeQuota(use())).toHaveProperty('replayed')
    await work.flows.revokeRole(at)
    await expect(keyed(key, ada).consumeQuota(use())).rejects.toMatchObject({ code: 'Denied' })
    expect(await left()).toBe(8)
  })

  test('of a user whose scope it removed is permitted in the whole tenant', async () => {
    const role = await work.flows.createRole({
      client_id,
      name: `Remover ${count}`,
      permissions: [{ module: 'account-management', action: 'delete', resource: 'project' }],
    })
    await work.flows.assignRole({ user_id, role_id: role.id, scope_type: 'client', scope_id: client_id })
    const { id: project } = await work.flows.createProject({ client_id, name: `Short ${count}` })
    const ada: Actor = { kind: 'user', user_id }
    expect(await keyed(key, ada).deleteProject({ id: project })).toBeUndefined()
    expect(await keyed(key, ada).deleteProject({ id: project })).toEqual({ replayed: true })
  })

  test.each(['', ' ', 'a b', 'ä', 'x'.repeat(256), 'tab\t'])('needs a key: %j is none', async (bad) => {
    await expect(keyed(bad).consumeQuota(use())).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await left()).toBe(10)
  })

  test('leaves no record where it wrote nothing, or failed', async () => {
    const before = (await records()).length
    await expect(keyed(key).consumeQuota(use(99))).rejects.toMatchObject({ code: 'CheckFailed' })
    await keyed(key).updateProject({ id: id.scope_id, name: `Project ${count}` })
    await keyed(key).listTokens({ user_id })
    expect(await records()).toHaveLength(before)
    expect(await keyed(key).consumeQuota(use())).toEqual({ counter: 'reports', left: 8 })
    const [record] = (await records()).slice(before)
    expect(Number(record?.ttl) * 1000 - now).toBeLessThan(day_ms)
  })

  test('many times at once has one effect, also of the last that is left', async () => {
    await keyed(randomUUID()).consumeQuota(use(8))
    const all = await Promise.all(Array.from({ length: 8 }, () => keyed(key).consumeQuota(use())))
    expect(all.filter((each) => each.replayed !== true)).toEqual([{ counter: 'reports', left: 0 }])
    const made = await Promise.all(Array.from({ length: 8 }, () => keyed(randomUUID()).createToken(newToken())))
    expect(made).toHaveLength(8)
    const same = randomUUID()
    await Promise.all(Array.from({ length: 8 }, () => keyed(same).createToken(newToken())))
    expect(await tokensOf()).toHaveLength(9)
  })

  test('costs one read and one put more', async () => {
    await work.flows.consumeQuota(use())
    const plain = (await meter(() => checkedAccountFlows.of(work.table, { actor: clerk }).consumeQuota(use()))).cost
    const { cost } = await meter(() => keyed(key).consumeQuota(use()))
    expect(cost).toEqual({
      roundTrips: plain.roundTrips + 1,
      requests: plain.requests + 1,
      readUnits: plain.readUnits + 1,
      writeUnits: plain.writeUnits + 2,
    })
    const again = (await meter(() => keyed(key).consumeQuota(use()))).cost
    expect(again).toEqual({ roundTrips: 1, requests: 1, readUnits: 1, writeUnits: 0 })
  })
})

describe('a process that ends', () => {
  test.each([
    ['consumeQuota', async (of: AccountWork) => keyed(key, clerk, of).consumeQuota(use()), [8, 0]],
    ['createToken', async (of: AccountWork) => keyed(key, clerk, of).createToken(newToken()), [10, 1]],
  ])('does not hear of its %s, and another does it no second time', async (_name, call, effect) => {
    const dying = dyingSender(work.table.runtime.sender, 1)
    await expect(call(await elsewhere(dying.sender))).rejects.toThrow()
    expect(dying.isDead()).toBe(true)
    expect(await call(work)).toHaveProperty('replayed')
    expect([await left(), (await tokensOf()).length]).toEqual(effect)
  })

  test('with an engine that forgets its tokens leaves a token that is not made again once it is gone', async () => {
    const { sender } = work.table.runtime
    let made: string | undefined
    // The answer is lost, the token is removed by another, and the restarted engine knows the request no more.
    const forgetful: Sender = {
      send: async (operation, input, options) => {
        if (operation !== 'TransactWriteItems' || made !== undefined) return sender.send(operation, input, options)
        await sender.send(operation, input, options)
        made = (await tokensOf())[0]?.id
        await work.table.AuthToken.remove({ user_id, id: String(made) })
        return sender.send(operation, { ...input, ClientRequestToken: randomUUID() }, options)
      },
      close: () => {},
    }
    const restarted = await accountWork({ table: work.table.runtime.table, now: clock, sender: forgetful })
    await keyed(key, clerk, restarted).createToken(newToken())
    expect(made).toBeDefined()
    expect(await keyed(key).createToken(newToken())).toMatchObject({ replayed: true, made: [{ id: { id: made } }] })
    expect(await tokensOf()).toEqual([])
  })

  test('before it sent anything leaves the whole to the next', async () => {
    const dying = dyingSender(work.table.runtime.sender, 0)
    await expect(keyed(key, clerk, await elsewhere(dying.sender)).consumeQuota(use())).rejects.toThrow()
    expect(await keyed(key).consumeQuota(use())).toEqual({ counter: 'reports', left: 8 })
  })

  test('and whose write arrives late changes nothing any more', async () => {
    let release = () => {}
    let arrived = () => {}
    const hasArrived = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const isReleased = new Promise<void>((resolve) => {
      release = resolve
    })
    const late = senderAfter(async (operation) => {
      if (operation === 'TransactWriteItems') {
        arrived()
        await isReleased
      }
    })
    const first = keyed(key, clerk, await accountWork({ table: work.table.runtime.table, now: clock, sender: late })).consumeQuota(use())
    await hasArrived
    expect(await keyed(key).consumeQuota(use())).toEqual({ counter: 'reports', left: 8 })
    release()
    expect(await first).toHaveProperty('replayed')
    expect(await left()).toBe(8)
  })

  test('anywhere in a flow leaves one effect, whoever repeats it', async () => {
    const there = (await work.flows.createClient({ name: 'There' })).id
    let isDead = true
    for (let writes = 0; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const again = randomUUID()
      const role = await work.flows.createRole({ client_id, name: `Old ${count} ${writes}` })
      const heir = await work.flows.createRole({ client_id, name: `New ${count} ${writes}` })
      await work.flows.assignRole({ user_id, role_id: role.id, scope_type: 'client', scope_id: client_id })
      const mover = (await work.table.User.create({ client_id, email: `mover${count}.${writes}@ours.example`, user_type: 'client_admin' }))
        .id
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await elsewhere(dying.sender)
      const deleting = { id: role.id, client_id, reassign_to: heir.id }
      await keyed(again, clerk, doomed)
        .deleteRole(deleting)
        .catch(() => {})
      await keyed(`move-${again}`, clerk, doomed)
        .moveUser({ id: mover, client_id: there })
        .catch(() => {})
      isDead = dying.isDead()
      now += 60_000
      await work.table.jobs.resume()
      await keyed(again).deleteRole(deleting)
      expect(await keyed(again).deleteRole(deleting)).toEqual({ replayed: true })
      expect(await keyed(`move-${again}`).moveUser({ id: mover, client_id: there })).toMatchObject({ client_id: there })
      expect((await work.table.holdersOfRole({ role_id: heir.id }, consistent)).items).toHaveLength(1)
      const moves = (await work.audit(there)).filter(({ action, entity_id }) => action === 'moveUser' && entity_id === mover)
      expect(moves).toHaveLength(1)
    }
  })

  test('leaves the durable job of its flow, which is done once', async () => {
    const permissions = Array.from({ length: 40 }, (_, index) => ({ module: 'doors', action: `open${count}`, resource: `room${index}` }))
    for (const permission of permissions) await work.table.Permission.create(permission)
    const input = { client_id, name: `Linked ${count}`, permission_form: 'linked' as const, permissions }
    const dying = dyingSender(work.table.runtime.sender, 1)
    await expect(keyed(key, clerk, await elsewhere(dying.sender)).createRole(input)).rejects.toThrow()
    await expect(keyed(key).createRole(input)).rejects.toMatchObject({ code: 'Pending', details: { replayed: true } })
    now += 60_000
    expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
    expect(await keyed(key).createRole(input)).toMatchObject({ name: `Linked ${count}`, replayed: true })
  })

  test('leaves a removal, which a repeat tells as pending until it is done', async () => {
    const { id: project } = await work.flows.createProject({ client_id, name: `Removed ${count}` })
    const dying = dyingSender(work.table.runtime.sender, 1)
    await expect(keyed(key, clerk, await elsewhere(dying.sender)).deleteProject({ id: project })).rejects.toThrow()
    expect(await keyed(key).deleteProject({ id: project })).toMatchObject({ replayed: true, pending: [{ kind: 'remove' }] })
    now += 60_000
    await work.table.jobs.resume()
    expect(await keyed(key).deleteProject({ id: project })).toEqual({ replayed: true })
  })

  test('anywhere in a password’s change leaves the rest to the repeat', async () => {
    const password_hash = `$argon2id$v=19$m=65536,t=3,p=4$${'c2FsdHNhbHRzYWx0'}$${'a'.repeat(43)}`
    await work.flows.createToken(newToken())
    let isDead = true
    let finished = 0
    for (let writes = 0; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const again = randomUUID()
      const dying = dyingSender(work.table.runtime.sender, writes)
      const before = await work.table.User.get({ id: user_id }, consistent)
      const doomed = keyed(again, clerk, await elsewhere(dying.sender))
      await doomed.setPassword({ id: user_id, password_hash }).catch(() => {})
      isDead = dying.isDead()
      now += 60_000
      await work.table.jobs.resume()
      const hasChanged = (await work.table.User.get({ id: user_id }, consistent))?.version !== before?.version
      const repeated = await keyed(again).setPassword({ id: user_id, password_hash })
      // The change was written, and perhaps not all that follows it.
      if (hasChanged && repeated.replayed !== true) finished++
      expect((await tokensOf()).filter(({ revoked }) => !revoked)).toEqual([])
      expect(await keyed(again).setPassword({ id: user_id, password_hash })).toMatchObject({ id: user_id, replayed: true })
    }
    expect(finished).toBeGreaterThan(0)
  })
})
