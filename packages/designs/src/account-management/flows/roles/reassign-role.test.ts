import { describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../../../test/engine/sender-after.ts'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { dyingSender } from '../../../../test/dying-sender.ts'

let now = Date.parse('2026-03-01T12:00:00.000Z')
const clock = () => new Date(now++)
const lease_ms = 5000

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
/** The last that the audit tells of an item. */
const lastOf = async (id: string) => (await work.audit(ours)).findLast(({ entity_id }) => entity_id === id)
const as = (user_id: string) => checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
/** A user who deletes roles for ever, and holds the rest as long as is said. */
const ownOfRoles = (action: string) => ({ module: 'account-management', action, resource: 'role' })
async function deleter(permissions: object[], bounds: object = {}, actions = ['delete', 'assign', 'revoke']): Promise<string> {
  const id = await user()
  await assign(id, await role({ permissions: actions.map(ownOfRoles) }), atClient())
  if (permissions.length > 0) await assign(id, await role({ permissions, confirm_dangerous: true }), atClient(), bounds)
  return id
}
const remove = (id: string, more: object = {}) => work.flows.deleteRole({ client_id: ours, id, ...more })

const work = await accountWork({ now: clock })
const ours = (await work.table.Client.create({ name: 'Ours' })).id
const theirs = (await work.table.Client.create({ name: 'Theirs' })).id
const project = (await work.table.Project.create({ client_id: ours, name: 'p' })).id
const ada = await user()
await work.table.Permission.create({ module: 'keys', action: 'destroy', resource: 'vault', is_dangerous: true })

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
    expect(changesOf(entries[0])).toMatchObject({
      role_id: { after: to },
      scope_id: { after: ours },
      expires_at: { after: bounds.expires_at },
    })
    const closing = (await work.audit(ours)).find(({ action, entity_id }) => action === 'deleteRole' && entity_id === old)
    expect(changesOf(closing)).toMatchObject({ role_id: { before: from }, expires_at: { before: bounds.expires_at } })
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
    const vault = (action: string) => [{ module: 'keys', action, resource: 'vault' }]
    const [from, to] = [await role(), await role({ permissions: vault('*'), confirm_dangerous: true })]
    await assign(ada, from, atClient())
    const [eve, zoe] = [await deleter(vault('destroy')), await deleter(vault('*'))]
    const asked = { id: from, reassign_to: to, confirm_dangerous: true }
    await expect(as(eve).deleteRole(asked)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NotHeld' } })
    await expect(remove(from, { reassign_to: to })).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await held(ada, from, atClient())).toBeDefined()
    await as(zoe).deleteRole(asked)
    const entry = (await work.audit(ours)).findLast(({ entity_type }) => entity_type === 'UserRoleAssignment')
    expect(entry).toMatchObject({ user_id: zoe, severity: 'warning' })
  })

  test.each([
    ['revoke', ['delete', 'assign']],
    ['assign', ['delete', 'revoke']],
  ])('is for those who may %s roles, too', async (missing, actions) => {
    const [from, to] = [await role(), await role()]
    await assign(ada, from, atClient())
    const eve = as(await deleter([], {}, actions))
    await expect(eve.deleteRole({ id: from, reassign_to: to })).rejects.toMatchObject({
      code: 'Denied',
      message: expect.stringContaining(`account-management:${missing}:role`),
    })
    expect([await held(ada, from, atClient()), await held(ada, to, atClient())]).toEqual([expect.anything(), undefined])
    const zoe = as(await deleter([], {}, ['delete', 'assign', 'revoke']))
    await zoe.deleteRole({ id: from, reassign_to: to })
    expect(await held(ada, to, atClient())).toBeDefined()
  })

  test.each(['revoke', 'assign'])('ends where who asked for it may not %s roles any more', async (action) => {
    const [from, to] = [await role(), await role()]
    await assign(ada, from, atClient())
    const eve = await deleter(
      [],
      {},
      ['delete', 'assign', 'revoke'].filter((each) => each !== action),
    )
    const other = await role({ permissions: [ownOfRoles(action)] })
    await assign(eve, other, atClient())
    await as(eve).deleteRole({ id: from, reassign_to: to, wait: false })
    await work.flows.revokeRole({ user_id: eve, role_id: other, ...atClient() })
    await work.table.jobs.resume()
    expect([await held(ada, from, atClient()), await held(ada, to, atClient())]).toEqual([expect.anything(), undefined])
    expect(await lastOf(from)).toMatchObject({ user_id: eve, status: 'failure', metadata: { reason: 'NoGrant' } })
  })

  test('grants for no longer than its caller holds what it grants', async () => {
    const open = [{ module: 'doors', action: 'open', resource: 'gate' }]
    const [from, to] = [await role(), await role({ permissions: open })]
    const until = '2026-06-01T00:00:00.000Z'
    const eve = await deleter(open, { expires_at: until })
    const bob = await user()
    await assign(ada, from, atClient(), { expires_at: until })
    await assign(bob, from, atProject())
    const asked = { id: from, reassign_to: to }
    const refused = { code: 'Denied', details: { reason: 'NotHeldSoLong', latest: until } }
    await expect(as(eve).deleteRole(asked)).rejects.toMatchObject(refused)
    expect(await held(ada, from, atClient())).toBeDefined()
    await work.flows.extendAssignment({ user_id: bob, role_id: from, ...atProject(), expires_at: until })
    const cy = await user()
    for (const id of [from, to]) await assign(cy, id, atClient(), { expires_at: id === from ? until : undefined })
    await as(eve).deleteRole(asked)
    expect(await held(bob, to, atProject())).toMatchObject({ expires_at: until })
    // Its other roles are left as they are.
    expect(await held(cy, to, atClient())).not.toHaveProperty('expires_at')
  })

  test('does not join two times of which its caller holds only one', async () => {
    const open = [{ module: 'doors', action: 'open', resource: 'gate' }]
    const [from, to] = [await role(), await role({ permissions: open })]
    const until = '2026-06-01T00:00:00.000Z'
    const eve = await deleter(open, { expires_at: until })
    await assign(ada, from, atClient(), { expires_at: until })
    await assign(ada, to, atClient(), { start_at: '2026-08-01T00:00:00.000Z' })
    await expect(as(eve).deleteRole({ id: from, reassign_to: to })).rejects.toMatchObject({ code: 'InUse' })
    expect(await held(ada, to, atClient())).toMatchObject({ start_at: '2026-08-01T00:00:00.000Z' })
    expect(await lastOf(from)).toMatchObject({ metadata: { reason: 'NotHeldSoLong' } })
  })

  test.each([
    ['lost what it held', async (id: string, role_id: string) => work.flows.revokeRole({ user_id: id, role_id, ...atClient() }), 'NotHeld'],
    ['was disabled', async (id: string) => work.flows.disableUser({ id }), 'UserNotActive'],
  ])('grants and deletes nothing once the user who asked for it %s', async (_what, lose, reason) => {
    const open = [{ module: 'doors', action: 'open', resource: 'gate' }]
    const [from, to] = [await role(), await role({ permissions: open })]
    await assign(ada, from, atClient())
    const eve = await deleter([])
    await assign(eve, to, atClient())
    await as(eve).deleteRole({ id: from, reassign_to: to, wait: false })
    await lose(eve, to)
    expect(await work.table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
    expect(await work.table.jobs.list()).toEqual([])
    expect([await held(ada, from, atClient()), await held(ada, to, atClient())]).toEqual([expect.anything(), undefined])
    expect(await reload(from)).not.toHaveProperty('deleting')
    expect(await lastOf(from)).toMatchObject({ user_id: eve, status: 'failure', metadata: { reason } })
  })

  test('grants nothing once the other role, or one above it, grants something else; renamed it does', async () => {
    const open = [{ module: 'doors', action: 'open', resource: 'gate' }]
    const above = await role()
    const [from, to] = [await role(), await role({ permissions: open, parent_role_id: above })]
    await assign(ada, from, atClient())
    await remove(from, { reassign_to: to, wait: false })
    await work.flows.changeRolePermissions({ client_id: ours, id: above, add: [{ module: 'safe', action: 'open', resource: 'x' }] })
    await work.table.jobs.resume()
    expect([await held(ada, from, atClient()), await held(ada, to, atClient())]).toEqual([expect.anything(), undefined])
    expect(await lastOf(from)).toMatchObject({ status: 'failure', metadata: { reason: 'VersionConflict' } })
    await remove(from, { reassign_to: to, wait: false })
    await work.flows.updateRole({ client_id: ours, id: to, name: `Role ${++count}` })
    await work.table.jobs.resume()
    expect(await held(ada, to, atClient())).toBeDefined()
    expect(await reload(from)).toBeUndefined()
  })

  test('passes over the holders of another owner’s role of the same id, and ends for one that nothing can move', async () => {
    const [viewer, admin] = [await system(), await role()]
    await assign(ada, viewer, atClient(), {}, 'SYSTEM')
    await work.table.Role.create({ client_id: ours, id: viewer, name: `Shadow ${++count}` })
    await work.flows.createRole({ system: true, name: `Role ${++count}`, parent_role_id: viewer })
    await remove(viewer, { reassign_to: admin })
    expect(await held(ada, viewer, atClient())).toMatchObject({ role_owner: 'SYSTEM' })
    expect(await held(ada, admin, atClient())).toBeUndefined()
    expect(await reload(viewer)).toBeUndefined()
    const from = await role()
    await assign(ada, from, atClient())
    await work.table.Role.create({ client_id: ours, id: viewer, name: `Shadow ${++count}` })
    await expect(remove(from, { reassign_to: viewer })).rejects.toMatchObject({ code: 'InUse' })
    expect(await held(ada, viewer, atClient())).toMatchObject({ role_owner: 'SYSTEM' })
  })

  test('takes away what is left of assignments that are gone, of either role', async () => {
    const [from, to] = [await role(), await role()]
    const [bob, cy] = [await user(), await user()]
    for (const id of [ada, bob, cy]) await assign(id, from, atClient())
    await assign(cy, to, atClient())
    const { sender, table } = work.table.runtime
    const lose = async (user_id: string, role_id: string) => {
      const Key = { PK: { S: `USER#${user_id}` }, SK: { S: `ROLE#client#${ours}#${role_id}` } }
      await sender.send('DeleteItem', { TableName: table, Key })
    }
    await lose(bob, from)
    await lose(cy, to)
    await remove(from, { reassign_to: to })
    expect(await holders(from)).toEqual([])
    expect(await reload(from)).toBeUndefined()
    const found = [await held(ada, to, atClient()), await held(bob, to, atClient()), await held(cy, to, atClient())]
    expect(found).toEqual([expect.anything(), undefined, expect.anything()])
    const atScope = await work.table.assignmentsAtScope(atClient(), { consistent: true, limit: 1000 })
    expect(atScope.items.filter(({ role_id }) => role_id === from)).toEqual([])
  })

  test('is refused while roles are beneath the role, which no reassignment moves', async () => {
    const [from, to] = [await role(), await role()]
    await role({ parent_role_id: from })
    await expect(remove(from, { reassign_to: to })).rejects.toMatchObject({ code: 'InUse' })
    expect(await work.table.jobs.list()).toEqual([])
  })

  test('leaves who is given the role meanwhile, or anew, with what was given, and the role with them', async () => {
    const [from, to] = [await role(), await role()]
    const [bob, cy] = [await user(), await user()]
    await assign(ada, from, atProject())
    await assign(cy, from, atClient(), { expires_at: '2026-02-01T00:00:00.000Z' })
    await remove(from, { reassign_to: to, wait: false })
    await work.flows.assignRole({ user_id: bob, role_id: from, ...atProject() })
    await work.flows.assignRole({ user_id: cy, role_id: from, ...atClient() })
    expect(await work.table.jobs.resume()).toMatchObject({ done: 1, failed: [] })
    expect(await held(ada, to, atProject())).toBeDefined()
    expect([await held(bob, from, atProject()), await held(cy, from, atClient())].filter(Boolean)).toHaveLength(2)
    expect([await held(bob, to, atProject()), await held(cy, to, atClient())]).toEqual([undefined, undefined])
    expect(await reload(from)).not.toHaveProperty('deleting')
    expect(await lastOf(from)).toMatchObject({ status: 'failure', metadata: { reason: 'InUse' } })
    await remove(from, { reassign_to: to })
    expect(await reload(from)).toBeUndefined()
  })

  test.each([
    ['its reads', (operation: string) => operation === 'Query'],
    ['its writes', (operation: string) => operation === 'TransactWriteItems'],
  ])('whose job storage refuses %s says that, and not that the role is in use', async (_, isRefused) => {
    const [from, to] = [await role(), await role()]
    await assign(ada, from, atProject())
    const { table } = work.table.runtime
    let hasJob = false
    const refusing = senderAfter((operation, input) => {
      if (hasJob && isRefused(operation)) throw Object.assign(new Error('no such form'), { name: 'ValidationException' })
      hasJob ||= JSON.stringify(input).includes('"S":"JOB#')
    })
    const doomed = await accountWork({ table, now: clock, sender: refusing })
    await expect(doomed.flows.deleteRole({ client_id: ours, id: from, reassign_to: to })).rejects.toMatchObject({
      code: 'Pending',
      message: expect.stringContaining('DynamoDB refused the request'),
      details: { pending: [{ reason: { code: 'Unavailable' } }] },
    })
    expect(await held(ada, from, atProject())).toBeDefined()
    now += lease_ms
    expect(await work.table.jobs.resume()).toMatchObject({ done: 1, held: [], failed: [] })
    expect([await held(ada, to, atProject()), await reload(from)]).toEqual([expect.anything(), undefined])
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
      // One closes the old assignment, one tells of the new.
      expect(entries).toHaveLength(hasBegun ? 6 : 0)
    }
  })
})
