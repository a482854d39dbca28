import { describe, expect, test } from 'vitest'
import { accountWork, changesOf, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { decideAccountManagement } from '../../decide.ts'

const read = { module: 'docs', action: 'read', resource: 'report' }
const write = { module: 'docs', action: 'write', resource: 'report' }
const launch = { module: 'rockets', action: 'launch', resource: 'rocket' }

let now = new Date('2026-03-01T12:00:00.000Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()

let users = 0
async function newUser(client_id: string | undefined): Promise<string> {
  const email = `user${++users}@example.org`
  const user_type = client_id === undefined ? 'internal' : 'external_customer'
  return (await work.table.User.create({ client_id, email, user_type })).id
}

/** Whether the design's own decisions allow it, read anew. */
async function may(user: string, permission: object, at: object = { client, project, building }): Promise<boolean> {
  const decider = decideAccountManagement(work.table.runtime)
  return (await decider.can({ user, ...at, permission } as never, { consistency: 'strong' })).allowed
}

const atProject = (user_id: string, role_id = reader) => ({ user_id, role_id, scope_type: 'project', scope_id: project }) as const

const work = await accountWork({ now: () => now })
const { table, flows } = work
const client = (await table.Client.create({ name: 'Ours' })).id
const project = (await table.Project.create({ client_id: client, name: 'Harbour' })).id
const building = (await table.Building.create({ project_id: project, name: 'Pier' })).id
const reader = (await flows.createRole({ client_id: client, name: 'reader', permissions: [read] })).id
const theirs = (await table.Client.create({ name: 'Theirs' })).id
const theirRole = (await flows.createRole({ client_id: theirs, name: 'reader', permissions: [read] })).id
const eve = await newUser(theirs)

describe('a role', () => {
  test('is given at a scope, for all beneath it, and is taken; each is recorded', async () => {
    const { flows, audit } = work
    const ada = await newUser(client)
    const made = await flows.assignRole(atProject(ada))
    expect(made).toMatchObject({ role_owner: client, client_id: client })
    expect([await may(ada, read), await may(ada, write), await may(ada, read, { client })]).toEqual([true, false, false])
    await flows.revokeRole(atProject(ada))
    expect(await may(ada, read)).toBe(false)
    await expect(flows.revokeRole(atProject(ada))).rejects.toMatchObject({ code: 'NotFound' })
    const entries = (await audit(client)).filter(({ entity_id }) => entity_id === made.id)
    // The clock stands still, so that they are in no order.
    expect(entries.map(({ action, related_entities }) => [action, related_entities]).sort()).toEqual([
      ['assignRole', { user: ada, role: reader }],
      ['revokeRole', { user: ada, role: reader }],
    ])
  })

  test('lasts from its start to just before its end; given again meanwhile it is there, afterwards it begins anew', async () => {
    const { flows, audit } = work
    const ada = await newUser(client)
    const before = now
    const { id } = await flows.assignRole({ ...atProject(ada), start_at: inHours(1), expires_at: inHours(2) })
    const seen: boolean[] = []
    for (const hours of [0, 1, 2]) {
      now = new Date(before.getTime() + hours * 3_600_000)
      seen.push(await may(ada, read))
      if (hours < 2) await expect(flows.assignRole(atProject(ada))).rejects.toMatchObject({ code: 'AlreadyExists' })
    }
    expect(seen).toEqual([false, true, false])
    const renewed = await flows.assignRole(atProject(ada))
    expect(renewed.id).toBe(id)
    expect([renewed.start_at, renewed.expires_at]).toEqual([undefined, undefined])
    expect(await may(ada, read)).toBe(true)
    const entries = (await audit(client)).filter(({ entity_id }) => entity_id === id)
    expect(changesOf(entries.find((entry) => entry.timestamp === now.toISOString()))).toMatchObject({
      expires_at: { before: new Date(before.getTime() + 7_200_000).toISOString() },
    })
    now = before
  })

  test('ends later, earlier or never, as it is extended', async () => {
    const { flows } = work
    const ada = await newUser(client)
    await flows.assignRole({ ...atProject(ada), expires_at: inHours(1) })
    expect(await flows.extendAssignment({ ...atProject(ada), expires_at: inHours(5) })).toMatchObject({ expires_at: inHours(5) })
    expect((await flows.extendAssignment(atProject(ada))).expires_at).toBeUndefined()
    await expect(flows.extendAssignment({ ...atProject(ada), expires_at: inHours(1), version: 1 })).rejects.toMatchObject({
      code: 'VersionConflict',
    })
    await expect(flows.extendAssignment({ ...atProject(ada), expires_at: inHours(-1) })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test.each([
    ['an end that is past', { expires_at: -1 }],
    ['an end before its start', { start_at: 3, expires_at: 2 }],
    ['an end at its start', { start_at: 2, expires_at: 2 }],
  ])('is not given with %s', async (_what, hours) => {
    const bounds = Object.fromEntries(Object.entries(hours).map(([name, each]) => [name, inHours(each)]))
    const ada = await newUser(client)
    await expect(work.flows.assignRole({ ...atProject(ada), ...bounds })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('given by many at once is given once', async () => {
    const ada = await newUser(client)
    const all = await Promise.allSettled(Array.from({ length: 8 }, () => work.flows.assignRole(atProject(ada))))
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect((await work.table.rolesOfUser({ user_id: ada }, { consistent: true })).items).toHaveLength(1)
  })
})

describe('user, scope and role', () => {
  test('are of one client', async () => {
    const ada = await newUser(client)
    const notFound = { code: 'NotFound' }
    await expect(work.flows.assignRole(atProject(eve))).rejects.toMatchObject(notFound)
    await expect(work.flows.assignRole(atProject(ada, theirRole))).rejects.toMatchObject(notFound)
    const there = { scope_type: 'client', scope_id: theirs } as const
    await expect(work.flows.assignRole({ user_id: ada, role_id: theirRole, ...there })).rejects.toMatchObject(notFound)
  })

  test('but for system roles and internal users', async () => {
    const { flows } = work
    const system = (await flows.createRole({ system: true, name: 'support', permissions: [write] })).id
    const ada = await newUser(client)
    expect(await flows.assignRole(atProject(ada, system))).toMatchObject({ role_owner: 'SYSTEM' })
    const internal = await newUser(undefined)
    await flows.assignRole(atProject(internal, system))
    expect([await may(ada, write), await may(internal, write)]).toEqual([true, true])
  })
})

describe('a role whose id another owner’s role has, too', () => {
  /** A system role, and a role of the client with its id that grants nothing. */
  async function shadowed() {
    const { table, flows } = work
    const { id } = await flows.createRole({ system: true, name: `System ${++users}`, permissions: [launch] })
    const shadow = () => table.Role.create({ client_id: client, id, name: `Shadow ${users}` })
    const assigning = { module: 'account-management', action: 'assign', resource: 'role' }
    const manager = (await flows.createRole({ client_id: client, name: `manager ${users}`, permissions: [assigning] })).id
    const mia = await newUser(client)
    await flows.assignRole(atProject(mia, manager))
    return { id, shadow, mia, hers: checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: mia } }) }
  }

  test('does not begin it anew', async () => {
    const { id, shadow, mia, hers } = await shadowed()
    const before = now
    await work.flows.assignRole({ ...atProject(mia, id), expires_at: inHours(1), confirm_dangerous: true })
    now = new Date(inHours(2))
    await shadow()
    await expect(hers.assignRole(atProject(mia, id))).rejects.toMatchObject({ code: 'AlreadyExists' })
    await expect(work.flows.assignRole(atProject(mia, id))).rejects.toMatchObject({ code: 'AlreadyExists' })
    expect(await may(mia, launch)).toBe(false)
    await work.flows.revokeRole(atProject(mia, id))
    expect(await hers.assignRole(atProject(mia, id))).toMatchObject({ role_owner: client })
    expect(await may(mia, launch)).toBe(false)
    now = before
  })

  test('does not extend it', async () => {
    const { id, shadow, mia, hers } = await shadowed()
    await work.flows.assignRole({ ...atProject(mia, id), expires_at: inHours(1), confirm_dangerous: true })
    await shadow()
    const denied = { code: 'Denied', details: { reason: 'NotHeldSoLong', latest: inHours(1) } }
    await expect(hers.extendAssignment(atProject(mia, id))).rejects.toMatchObject(denied)
    expect(await work.flows.extendAssignment({ ...atProject(mia, id), confirm_dangerous: true })).toMatchObject({ role_owner: 'SYSTEM' })
  })
})

describe('a user who gives roles', () => {
  test('gives none for longer than it has itself what they grant', async () => {
    const { flows, table } = work
    const all = { module: '*', action: '*', resource: '*' }
    const admin = (await flows.createRole({ client_id: client, name: 'admin for an hour', permissions: [all] })).id
    const [mia, ada] = [await newUser(client), await newUser(client)]
    const before = now
    const [end, later] = [inHours(1), inHours(2)]
    await flows.assignRole({ ...atProject(mia, admin), expires_at: end })
    const hers = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: mia } })
    const denied = { code: 'Denied', message: expect.stringContaining(end), details: { reason: 'NotHeldSoLong', latest: end } }
    await expect(hers.extendAssignment(atProject(mia, admin))).rejects.toMatchObject(denied)
    await expect(hers.extendAssignment({ ...atProject(mia, admin), expires_at: later })).rejects.toMatchObject(denied)
    await expect(hers.assignRole(atProject(mia))).rejects.toMatchObject(denied)
    await expect(hers.assignRole({ ...atProject(ada), expires_at: later })).rejects.toMatchObject(denied)
    await hers.assignRole({ ...atProject(ada), expires_at: end })
    await expect(hers.extendAssignment(atProject(ada))).rejects.toMatchObject(denied)
    // Of what grants the same, the later end counts, and of what is granted, the earlier.
    await flows.assignRole({ ...atProject(mia), expires_at: later })
    await hers.extendAssignment({ ...atProject(ada), expires_at: later })
    const both = (await flows.createRole({ client_id: client, name: 'both', permissions: [read, write] })).id
    await expect(hers.assignRole({ ...atProject(ada, both), expires_at: later })).rejects.toMatchObject(denied)
    await flows.extendAssignment(atProject(mia))
    await hers.extendAssignment(atProject(ada))
    await hers.assignRole({ ...atProject(ada, both), expires_at: end })
    now = new Date(end)
    await flows.extendAssignment({ ...atProject(mia, admin), expires_at: later })
    await expect(hers.assignRole(atProject(ada, both))).rejects.toMatchObject({ details: { reason: 'NotHeldSoLong', latest: later } })
    now = before
  })

  test('gives no more than it has itself at that scope', async () => {
    const { flows, table } = work
    const assigning = { module: 'account-management', action: 'assign', resource: 'role' }
    const manager = (await flows.createRole({ client_id: client, name: 'manager', permissions: [assigning, read] })).id
    const writer = (await flows.createRole({ client_id: client, name: 'writer', permissions: [write] })).id
    const [mia, ada] = [await newUser(client), await newUser(client)]
    await flows.assignRole(atProject(mia, manager))
    const hers = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: mia } })
    await hers.assignRole(atProject(ada))
    await expect(hers.assignRole(atProject(ada, writer))).rejects.toMatchObject({ code: 'Denied', details: { reason: 'NotHeld' } })
    const atClient = { user_id: ada, role_id: reader, scope_type: 'client', scope_id: client } as const
    await expect(hers.assignRole(atClient)).rejects.toMatchObject({ code: 'Denied' })
    await expect(hers.assignRole({ ...atClient, scope_id: theirs })).rejects.toMatchObject({ code: 'NotFound' })
    expect([await may(ada, read), await may(ada, write)]).toEqual([true, false])
  })

  test('confirms what is dangerous, which is a warning in the audit', async () => {
    const { flows, audit } = work
    await flows.createPermission({ ...launch, is_dangerous: true })
    const pilot = (
      await flows.createRole({ client_id: client, name: 'pilot', permissions: [{ ...launch, resource: '*' }], confirm_dangerous: true })
    ).id
    const ada = await newUser(client)
    await expect(flows.assignRole(atProject(ada, pilot))).rejects.toMatchObject({ code: 'InvalidInput' })
    const { id } = await flows.assignRole({ ...atProject(ada, pilot), confirm_dangerous: true })
    expect((await audit(client)).find(({ entity_id }) => entity_id === id)?.severity).toBe('warning')
  })
})

describe('one who may assign, and holds little', () => {
  const may = (action: string) => ({ module: 'account-management', action, resource: 'role' })
  async function manager(name: string, actions = ['assign', 'revoke']) {
    const { id } = await work.flows.createRole({ client_id: client, name, permissions: [...actions.map(may), read] })
    const mia = await newUser(client)
    await work.flows.assignRole(atProject(mia, id))
    return checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: mia } })
  }

  test('ends earlier what it could revoke, though it could not give it; and nothing needs confirming', async () => {
    const { flows, table, audit } = work
    const hers = await manager('shortener')
    const ignite = { ...launch, action: 'ignite' }
    await flows.createPermission({ ...ignite, is_dangerous: true })
    const { id: role } = await flows.createRole({ client_id: client, name: 'igniter', permissions: [ignite], confirm_dangerous: true })
    const ada = await newUser(client)
    const { id } = await flows.assignRole({ ...atProject(ada, role), expires_at: inHours(9), confirm_dangerous: true })
    expect(await hers.extendAssignment({ ...atProject(ada, role), expires_at: inHours(5) })).toMatchObject({ expires_at: inHours(5) })
    const entries = (await audit(client)).filter(({ entity_id, action }) => entity_id === id && action === 'extendAssignment')
    expect(entries.map((entry) => [entry.severity, changesOf(entry)])).toEqual([
      ['info', { expires_at: { before: inHours(9), after: inHours(5) } }],
    ])
    const notHeld = { code: 'Denied', details: { reason: 'NotHeld' } }
    await expect(hers.extendAssignment({ ...atProject(ada, role), expires_at: inHours(6) })).rejects.toMatchObject(notHeld)
    await expect(hers.extendAssignment(atProject(ada, role))).rejects.toMatchObject(notHeld)
    await expect(flows.extendAssignment(atProject(ada, role))).rejects.toMatchObject({ code: 'InvalidInput' })
    const same = await flows.extendAssignment({ ...atProject(ada, role), expires_at: inHours(5) })
    expect(same).toEqual(await table.UserRoleAssignment.get(atProject(ada, role), { consistent: true }))
    expect(same.version).toBe(2)
  })

  test('ends none earlier, whosever it is, that it could not revoke', async () => {
    const { flows, table } = work
    const hers = await manager('giver', ['assign'])
    const denied = {
      code: 'Denied',
      message: expect.stringContaining('extendAssignment needs account-management:revoke:role at this project'),
    }
    for (const user_id of [await newUser(client), await newUser(undefined)]) {
      await flows.assignRole(atProject(user_id))
      await expect(hers.extendAssignment({ ...atProject(user_id), expires_at: inHours(5) })).rejects.toMatchObject(denied)
      await flows.extendAssignment({ ...atProject(user_id), expires_at: inHours(9) })
      await expect(hers.extendAssignment({ ...atProject(user_id), expires_at: inHours(5) })).rejects.toMatchObject(denied)
      expect(await table.UserRoleAssignment.get(atProject(user_id), { consistent: true })).toMatchObject({ expires_at: inHours(9) })
    }
  })

  test('of an internal user takes a role or lets it end earlier; only operators give one or let it last longer', async () => {
    const { flows, table } = work
    const hers = await manager('receptionist')
    const internal = await newUser(undefined)
    await expect(hers.assignRole(atProject(internal))).rejects.toMatchObject({ code: 'NotFound' })
    await flows.assignRole({ ...atProject(internal), expires_at: inHours(5) })
    const operatorsOnly = { code: 'Denied', details: { reason: 'OperatorsOnly' } }
    for (const until of [{ expires_at: inHours(6) }, {}])
      await expect(hers.extendAssignment({ ...atProject(internal), ...until })).rejects.toMatchObject(operatorsOnly)
    expect(await hers.extendAssignment({ ...atProject(internal), expires_at: inHours(4) })).toMatchObject({ expires_at: inHours(4) })
    expect(await flows.extendAssignment({ ...atProject(internal), expires_at: inHours(6) })).toMatchObject({ expires_at: inHours(6) })
    await hers.revokeRole(atProject(internal))
    expect((await table.rolesOfUser({ user_id: internal }, { consistent: true })).items).toEqual([])
  })
})
