import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type AccountWork, accountWork, changesOf } from '../../../test/account-flows.ts'
import { dyingSender } from '../../../test/dying-sender.ts'
import { holding } from '../../../test/flow-decider.ts'
import { flowsOf } from './flows.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const lease_ms = 5000
let work: AccountWork
let ours: string
let theirs: string
let project: string
let ada: string
beforeAll(async () => {
  work = await accountWork({ now: clock })
  ours = (await work.table.Client.create({ name: 'Ours' })).id
  theirs = (await work.table.Client.create({ name: 'Theirs' })).id
  project = (await work.table.Project.create({ client_id: ours, name: 'p' })).id
  ada = await user()
  await work.table.Permission.create({ module: 'keys', action: 'destroy', resource: 'vault', is_dangerous: true })
})
afterAll(() => work.table.close())

const consistent = { consistent: true }
let count = 0
async function user(client_id: string | null = ours): Promise<string> {
  const user_type = client_id === null ? 'internal' : 'client_admin'
  return (await work.table.User.create({ client_id, email: `user${++count}@example.org`, user_type })).id
}
const role = async (more: object = {}) => (await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, ...more })).id
const system = async () => (await work.flows.createRole({ system: true, name: `Role ${++count}` })).id
const atClient = () => ({ scope_type: 'client', scope_id: ours }) as const
const atProject = () => ({ scope_type: 'project', scope_id: project }) as const
type Scope = ReturnType<typeof atClient> | ReturnType<typeof atProject>
const assign = (user_id: string, role_id: string, scope: Scope, bounds: object = {}, role_owner = ours) =>
  work.table.UserRoleAssignment.create({ user_id, role_id, role_owner, ...scope, ...bounds })
const held = (user_id: string, role_id: string, scope: Scope) =>
  work.table.UserRoleAssignment.get({ user_id, role_id, ...scope }, consistent)
const holders = async (role_id: string) => (await work.table.holdersOfRole({ role_id }, { consistent: true, limit: 1000 })).items
const reload = (id: string) => work.table.Role.get({ client_id: ours, id }, consistent)
const remove = (id: string, more: object = {}) => work.flows.deleteRole({ client_id: ours, id, ...more })

describe('a role in use', () => {
  test('is not deleted: neither with a holder nor with a role beneath it, and nothing is recorded', async () => {
    const id = await role()
    await assign(ada, id, atClient())
    await expect(remove(id)).rejects.toMatchObject({ code: 'InUse' })
    const parent = await role()
    await role({ parent_role_id: parent })
    await expect(remove(parent)).rejects.toMatchObject({ code: 'InUse' })
    expect(await reload(id)).toMatchObject({ version: 1 })
    expect((await work.audit(ours)).filter(({ action }) => action === 'deleteRole')).toEqual([])
  })

  test('goes with its assignments and the roles beneath it where asked to cascade', async () => {
    const id = await role()
    const child = await role({ parent_role_id: id })
    await assign(ada, id, atProject())
    await assign(ada, child, atProject())
    await remove(id, { in_use: 'cascade' })
    expect([await reload(id), await reload(child)]).toEqual([undefined, undefined])
    expect([await held(ada, id, atProject()), await held(ada, child, atProject())]).toEqual([undefined, undefined])
  })

  test('that is taken into use between the look and the write stays, and the audit says that the deletion failed', async () => {
    const id = await role()
    const { sender } = work.table.runtime
    let hasBegun = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: clock,
      sender: {
        send: async (operation, input, options) => {
          if (operation === 'TransactWriteItems' && !hasBegun && JSON.stringify(input).includes('deleteRole')) {
            hasBegun = true
            await assign(ada, id, atProject())
          }
          return sender.send(operation, input, options)
        },
        close: () => {},
      },
    })
    await expect(late.flows.deleteRole({ client_id: ours, id })).rejects.toMatchObject({ code: 'InUse' })
    expect(await reload(id)).not.toHaveProperty('deleting')
    const entries = (await work.audit(ours)).filter(({ entity_id, action }) => entity_id === id && action === 'deleteRole')
    expect(entries.map(({ status }) => status)).toEqual(['success', 'failure'])
  })
})

describe('a deletion with reassignment', () => {
  test('gives every holder the other role at the same scope for the same time, and records each', async () => {
    const [from, to] = [await role(), await role()]
    const bob = await user()
    const bounds = { start_at: '2026-01-01T00:00:00.000Z', expires_at: '2027-01-01T00:00:00.000Z', created_by: ada }
    const { id: old } = await assign(ada, from, atClient(), bounds)
    await assign(bob, from, atProject())
    await remove(from, { reassign_to: to })
    expect(await reload(from)).toBeUndefined()
    expect(await holders(from)).toEqual([])
    const fresh = await held(ada, to, atClient())
    expect(fresh).toMatchObject({ ...bounds, role_owner: ours, client_id: ours })
    expect(fresh?.id).not.toBe(old)
    expect(await held(bob, to, atProject())).toBeDefined()
    expect(await work.table.jobs.list()).toEqual([])
    const entries = (await work.audit(ours)).filter(({ entity_id }) => entity_id === fresh?.id || entity_id === from).slice(1)
    expect(entries.map(({ action, entity_type }) => [action, entity_type])).toEqual([
      ['deleteRole', 'UserRoleAssignment'],
      ['deleteRole', 'Role'],
    ])
    expect(changesOf(entries[0])).toMatchObject({ role_id: { before: from, after: to } })
    expect(entries[0]).toMatchObject({ related_entities: { user: ada, role: from, to_role: to } })
  })

  test('makes one assignment of two, as long as both were together; what is over is not brought back', async () => {
    const [from, to] = [await role(), await role()]
    const [bob, cy] = [await user(), await user()]
    const [early, late, over] = ['2026-01-01T00:00:00.000Z', '2027-01-01T00:00:00.000Z', '2026-02-01T00:00:00.000Z']
    await assign(ada, from, atClient(), { start_at: early, expires_at: late })
    await assign(ada, to, atClient(), { start_at: over })
    await assign(bob, from, atClient(), { expires_at: over })
    await assign(cy, from, atClient(), { expires_at: late })
    await assign(cy, to, atClient(), { expires_at: over })
    await remove(from, { reassign_to: to })
    expect(await held(ada, to, atClient())).toMatchObject({ start_at: early })
    expect(await held(ada, to, atClient())).not.toHaveProperty('expires_at')
    expect(await held(bob, to, atClient())).toBeUndefined()
    expect(await held(cy, to, atClient())).toMatchObject({ expires_at: late })
    expect(await reload(from)).toBeUndefined()
  })

  test('goes to a role of the same client, or of the system', async () => {
    const [from, to] = [await role(), await system()]
    const foreign = (await work.flows.createRole({ client_id: theirs, name: 'Foreign' })).id
    await assign(ada, from, atClient())
    await expect(remove(from, { reassign_to: foreign })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(remove(from, { reassign_to: from })).rejects.toMatchObject({ code: 'InvalidInput' })
    await expect(remove(from, { reassign_to: to, in_use: 'cascade' })).rejects.toMatchObject({ code: 'InvalidInput' })
    await remove(from, { reassign_to: to })
    expect(await held(ada, to, atClient())).toMatchObject({ role_owner: 'SYSTEM' })
    const next = await role()
    const ofSystem = { system: true, id: to, reassign_to: next }
    await expect(work.flows.deleteRole(ofSystem)).rejects.toMatchObject({ code: 'NotFound' })
  })

  test('grants no more than its caller holds, and what is dangerous with a confirmation only', async () => {
    const [from, to] = [
      await role(),
      await role({ permissions: [{ module: 'keys', action: '*', resource: 'vault' }], confirm_dangerous: true }),
    ]
    await assign(ada, from, atClient())
    const flowsHolding = (action: string) =>
      flowsOf(work.table, { actor: { kind: 'user', user_id: ada } }, { decider: holding([{ module: 'keys', action, resource: 'vault' }]) })
    const asked = { id: from, reassign_to: to, confirm_dangerous: true }
    await expect(flowsHolding('destroy').deleteRole(asked)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NotHeld' } })
    await expect(remove(from, { reassign_to: to })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await held(ada, from, atClient())).toBeDefined()
    await flowsHolding('*').deleteRole(asked)
    const entry = (await work.audit(ours)).findLast(({ entity_type }) => entity_type === 'UserRoleAssignment')
    expect(entry).toMatchObject({ user_id: ada, severity: 'warning' })
  })

  test('is refused while roles are beneath the role, which no reassignment moves', async () => {
    const [from, to] = [await role(), await role()]
    await role({ parent_role_id: from })
    await expect(remove(from, { reassign_to: to })).rejects.toMatchObject({ code: 'InUse' })
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('moves also who is given the role meanwhile', async () => {
    const [from, to] = [await role(), await role()]
    const bob = await user()
    await assign(ada, from, atProject())
    const { sender } = work.table.runtime
    let hasBegun = false
    const late = await accountWork({
      table: work.table.runtime.table,
      now: clock,
      sender: {
        send: async (operation, input, options) => {
          // The holders are read: who is added now is not among them.
          if (operation === 'TransactWriteItems' && !hasBegun && JSON.stringify(input).includes('to_role')) {
            hasBegun = true
            await assign(bob, from, atProject())
          }
          return sender.send(operation, input, options)
        },
        close: () => {},
      },
    })
    await late.flows.deleteRole({ client_id: ours, id: from, reassign_to: to })
    expect(hasBegun).toBe(true)
    expect(await reload(from)).toBeUndefined()
    for (const id of [ada, bob]) expect(await held(id, to, atProject())).toBeDefined()
  })

  test('of a process that ends after any of its writes is ended by the next, and nobody has both roles or none', async () => {
    let isDead = true
    for (let writes = 0; isDead; writes++) {
      expect(writes).toBeLessThan(40)
      const [from, to] = [await role(), await role()]
      const all = await Promise.all(Array.from({ length: 3 }, () => user()))
      for (const id of all) await assign(id, from, atProject())
      const dying = dyingSender(work.table.runtime.sender, writes)
      const doomed = await accountWork({ table: work.table.runtime.table, now: clock, sender: dying.sender, patience_ms: 0 })
      await doomed.flows.deleteRole({ client_id: ours, id: from, reassign_to: to }).catch(() => {})
      isDead = dying.isDead()
      for (const id of all) expect([await held(id, from, atProject()), await held(id, to, atProject())].filter(Boolean)).toHaveLength(1)
      now += lease_ms
      expect(await work.table.jobs.resume()).toMatchObject({ held: [], failed: [] })
      expect(await work.table.jobs.list()).toEqual([])
      const hasBegun = (await reload(from)) === undefined
      expect(hasBegun || writes === 0).toBe(true)
      for (const id of all) expect(await held(id, hasBegun ? to : from, atProject())).toBeDefined()
      const entries = (await work.audit(ours)).filter(
        ({ related_entities: related }) => (related as { role?: string } | undefined)?.role === from,
      )
      expect(entries).toHaveLength(hasBegun ? 3 : 0)
    }
  })
})
