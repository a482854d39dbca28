import { randomUUID } from 'node:crypto'
import { type Caller, operator, type Permitted } from '@freehold/frame/flow'
import { meter } from '@freehold/table'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../test/account-flows.ts'
import { lyingIn } from '../../../test/conformance/table-changes.ts'
import { type AccountFlows, offeredAccountFlows } from './flows.ts'

// A user acts, held to its own permissions by the design's own decisions.

let ours: string
let project: string
let ada: string
let acting: AccountFlows
const work = await accountWork()
const theirs = (await work.flows.createClient({ name: 'Theirs' })).id

let count = 0
beforeEach(async () => {
  ours = (await work.flows.createClient({ name: 'Ours' })).id
  project = (await work.flows.createProject({ client_id: ours, name: 'Harbour' })).id
  ada = (await work.table.User.create({ client_id: ours, email: `ada${++count}@ours.example`, user_type: 'client_admin' })).id
  acting = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id: ada } })
})

const own = (action: string, resource: string) => ({ module: 'account-management', action, resource })
const denied = { code: 'Denied' }
type Bounds = { readonly expires_at?: string; readonly start_at?: string }

/** Gives the user a role with these permissions at the client, or at a project of it. */
async function give(permissions: ReturnType<typeof own>[], project_id?: string, bounds: Bounds = {}, user_id = ada): Promise<string> {
  const { id: role_id } = await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, permissions })
  const scope =
    project_id === undefined ? { scope_type: 'client' as const, scope_id: ours } : { scope_type: 'project' as const, scope_id: project_id }
  await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: ours, ...scope, ...bounds })
  return role_id
}

describe('a user', () => {
  test('does what a role at the client allows, and nothing else', async () => {
    await expect(acting.createProject({ name: 'p' })).rejects.toMatchObject(denied)
    await give([own('create', 'project'), own('*', 'building')])
    const { id } = await acting.createProject({ name: 'p' })
    await expect(acting.updateProject({ id, name: 'q' })).rejects.toMatchObject(denied)
    const { id: building } = await acting.createBuilding({ project_id: id, name: 'b' })
    await acting.moveBuilding({ id: building, project_id: project })
    await acting.deleteBuilding({ id: building })
    await expect(acting.exportClient({ id: ours })).rejects.toMatchObject(denied)
  })

  test('is told which calls it may make, without one of them, by as many requests for many as for a few', async () => {
    await give([own('create', 'project'), own('update', 'building')], project)
    const building = (await work.flows.createBuilding({ project_id: project, name: 'Pier' })).id
    const foreign = (await work.flows.createProject({ client_id: theirs, name: 'Far' })).id
    const asked = [
      ['updateBuilding', { id: building }, true],
      ['deleteBuilding', { id: building }, 'NoGrant'],
      ['createProject', { name: 'p' }, 'NoAssignment'],
      ['createBuilding', {}, 'lacks project_id'],
      ['createBuilding', { project_id: project }, 'NoGrant'],
      ['updateProject', { id: foreign }, 'NotFound'],
      ['updateProject', { id: randomUUID() }, 'NotFound'],
      ['updateProject', { id: 'x' }, 'InvalidInput'],
      ['updateProject', { id: project, nme: 'x' }, 'InvalidInput'],
      ['suspendClient', { id: ours }, 'OperatorsOnly'],
      ['updateSettings', {}, 'UnknownName'],
      ['listSessions', { user_id: ada }, true],
      ['assignRole', { user_id: ada }, 'lacks scope_type'],
      ['unlinkIdentity', { provider: 'acme', version: 1 }, 'lacks subject'],
    ] as const
    const calls = asked.map(([flow, input]) => ({ flow, input }))
    const user = { actor: { kind: 'user', user_id: ada } } as const
    const before = await lyingIn(work.table)
    const ask = (all: typeof calls, caller: Caller = user) => offeredAccountFlows.permitted(work.table, all, caller)
    const words = ({ allowed, reason, lacks }: Permitted) => (allowed ? true : lacks === undefined ? reason?.code : `lacks ${lacks}`)
    expect((await ask(calls)).map(words)).toEqual(asked.map(([, , answer]) => answer))
    expect(await lyingIn(work.table)).toEqual(before)
    const tripsFor = async (all: typeof calls) => (await meter(() => ask(all))).cost.roundTrips
    const few = await tripsFor(calls.slice(0, 1))
    expect(await tripsFor(Array.from({ length: 8 }, () => calls.slice(0, 12)).flat())).toBeLessThanOrEqual(few + 1)
    const operatorsOwn = await ask(calls.filter(({ flow }) => flow !== 'updateSettings').slice(0, 6), { actor: operator })
    expect(operatorsOwn.every(({ allowed }) => allowed)).toBe(true)
    await expect(ask(calls, { actor: { kind: 'user', user_id: randomUUID() } })).rejects.toMatchObject(denied)
    const { id: bob } = await work.table.User.create({ client_id: ours, email: `bob${++count}@ours.example`, user_type: 'client_admin' })
    const mayNothing = await ask(calls.slice(0, 6), { actor: { kind: 'user', user_id: bob } })
    expect(mayNothing.every(({ allowed }) => !allowed)).toBe(true)
  })

  test('takes a role from those who have it, in deleting the role, only where it may revoke roles, too', async () => {
    await give([own('delete', 'role')])
    const { id: bob } = await work.table.User.create({ client_id: ours, email: `bob${++count}@ours.example`, user_type: 'client_admin' })
    const role_id = await give([own('read', 'zone')], undefined, {}, bob)
    const refused = { code: 'Denied', message: expect.stringContaining('account-management:revoke:role') }
    await expect(acting.deleteRole({ id: role_id, in_use: 'cascade' })).rejects.toMatchObject(refused)
    const there = { user_id: bob, role_id, scope_type: 'client', scope_id: ours } as const
    expect(await work.table.UserRoleAssignment.get(there, { consistent: true })).toBeDefined()
    await give([own('revoke', 'role')])
    await acting.deleteRole({ id: role_id, in_use: 'cascade' })
    expect(await work.table.UserRoleAssignment.get(there, { consistent: true })).toBeUndefined()
  })

  test.each([
    { kind: 'User', user_id: 'x' },
    { kind: 'admin' },
    { kind: 'operator', name: 7 },
    { kind: 'user' },
    { user_id: 'x' },
    undefined,
    null,
    'operator',
  ])('or an operator calls, and nobody else: not %j', async (actor) => {
    // As a program without types has it, or one that trusts what it parsed.
    const flows = checkedAccountFlows.of(work.table, { actor: actor as never })
    await expect(flows.suspendClient({ id: theirs })).rejects.toMatchObject({ code: 'Denied', details: { reason: 'UnknownActor' } })
    expect(await work.table.Client.get({ id: theirs }, { consistent: true })).toMatchObject({ status: 'active' })
  })

  test('does what a role at a project allows there, and not elsewhere', async () => {
    const { id: other } = await work.flows.createProject({ client_id: ours, name: 'Other' })
    await give([own('update', 'project'), own('create', 'building'), own('move', 'building')], project)
    await acting.updateProject({ id: project, region: 'north' })
    const { id } = await acting.createBuilding({ project_id: project, name: 'b' })
    await expect(acting.updateProject({ id: other, region: 'north' })).rejects.toMatchObject(denied)
    await expect(acting.createBuilding({ project_id: other, name: 'b' })).rejects.toMatchObject(denied)
    await expect(acting.moveBuilding({ id, project_id: other })).rejects.toMatchObject(denied)
  })

  test('does nothing before its role begins, after it ends, and while its client is suspended', async () => {
    await give([own('create', 'project')], undefined, { expires_at: '2020-01-01T00:00:00.000Z' })
    await give([own('create', 'project')], undefined, { start_at: '2190-01-01T00:00:00.000Z' })
    await expect(acting.createProject({ name: 'p' })).rejects.toMatchObject(denied)
    await give([own('create', 'project')])
    await acting.createProject({ name: 'p' })
    await work.flows.suspendClient({ id: ours })
    await expect(acting.createProject({ name: 'q' })).rejects.toMatchObject(denied)
    await work.flows.reactivateClient({ id: ours })
    await acting.createProject({ name: 'q' })
    await work.flows.disableUser({ id: ada })
    await expect(acting.createProject({ name: 'r' })).rejects.toMatchObject(denied)
  })

  test('who has everything at its client has nothing at another', async () => {
    await give([{ module: '*', action: '*', resource: '*' }])
    const { id } = await work.flows.createProject({ client_id: theirs, name: 'p' })
    await expect(acting.createProject({ client_id: theirs, name: 'p' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(acting.updateProject({ id, name: 'q' })).rejects.toMatchObject({ code: 'NotFound' })
    await expect(acting.suspendClient({ id: ours })).rejects.toMatchObject(denied)
  })

  test('grants what it holds at the client, and no more', async () => {
    await give([own('create', 'role'), own('update', 'role'), { module: 'doors', action: '*', resource: 'gate' }])
    await give([{ module: 'lights', action: 'on', resource: 'hall' }], project)
    const grant = (module: string, action: string, resource: string) =>
      acting.createRole({ name: `Role ${++count}`, permissions: [{ module, action, resource }] })
    const { id } = await grant('doors', 'open', 'gate')
    await grant('doors', '*', 'gate')
    const refused = { code: 'Denied', details: { reason: 'NotHeld' } }
    await expect(grant('doors', 'open', '*')).rejects.toMatchObject(refused)
    await expect(grant('lights', 'on', 'hall')).rejects.toMatchObject(refused)
    const strong = (await work.flows.createRole({ client_id: ours, name: `Role ${++count}`, permissions: [own('delete', 'user')] })).id
    await expect(acting.setParentRole({ id, parent_role_id: strong })).rejects.toMatchObject(refused)
    await expect(acting.changeRolePermissions({ id, add: [own('delete', 'user')] })).rejects.toMatchObject(refused)
    await acting.changeRolePermissions({ id, add: [own('update', 'role')] })
  })

  test('of no client acts where a system role was given to it', async () => {
    const { id: role_id } = await work.flows.createRole({
      system: true,
      name: `Support ${++count}`,
      permissions: [own('update', 'project')],
    })
    const { id: user_id } = await work.table.User.create({ email: `root${++count}@example.org`, user_type: 'internal' })
    const support = checkedAccountFlows.of(work.table, { actor: { kind: 'user', user_id } })
    await expect(support.updateProject({ id: project, region: 'x' })).rejects.toMatchObject(denied)
    await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: 'SYSTEM', scope_type: 'client', scope_id: ours })
    expect(await support.updateProject({ id: project, region: 'x' })).toMatchObject({ region: 'x' })
    const { id } = await work.flows.createProject({ client_id: theirs, name: 'p' })
    await expect(support.updateProject({ id, region: 'x' })).rejects.toMatchObject(denied)
  })
})
