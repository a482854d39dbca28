import { meter } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { beforeEach, describe, expect, test } from 'vitest'
import { accountWork, checkedAccountFlows } from '../../../../test/account-flows.ts'
import { assignment, idOf } from '../../../../test/account-items.ts'
import type { AccountFlows } from '../flows.ts'

const everything = { module: '*', action: '*', resource: '*' }
const move = { module: 'account-management', action: 'move', resource: 'building' }
const open = { module: 'doors', action: 'open', resource: 'gate' }
const launch = { module: 'rockets', action: 'launch', resource: 'rocket' }

let now = new Date('2026-03-01T12:00:00.000Z')
const inHours = (hours: number) => new Date(now.getTime() + hours * 3_600_000).toISOString()
let client: string
let from: string
let to: string
let building: string
let ada: string
let friend: string
let acting: AccountFlows
const work = await accountWork({ now: () => now })
await work.table.Permission.create({ ...launch, is_dangerous: true })

let count = 0
beforeEach(async () => {
  const { table, flows } = work
  client = (await flows.createClient({ name: 'Ours' })).id
  from = (await flows.createProject({ client_id: client, name: 'From' })).id
  to = (await flows.createProject({ client_id: client, name: 'To' })).id
  building = (await flows.createBuilding({ project_id: from, name: 'Pier' })).id
  ada = await newUser()
  friend = await newUser()
  acting = checkedAccountFlows.of(table, { actor: { kind: 'user', user_id: ada } })
})

const newUser = async () =>
  (await work.table.User.create({ client_id: client, email: `u${++count}@ours.example`, user_type: 'client_admin' })).id

/** Gives a user a role with one permission, at the client or at a project of it. */
async function give(
  user_id: string,
  permission: typeof move,
  project_id?: string,
  bounds: { expires_at?: string; start_at?: string } = {},
) {
  const { id: role_id } = await work.table.Role.create({ client_id: client, name: `Role ${++count}`, permissions: [permission] })
  const scope =
    project_id === undefined
      ? { scope_type: 'client' as const, scope_id: client }
      : { scope_type: 'project' as const, scope_id: project_id }
  await work.table.UserRoleAssignment.create({ user_id, role_id, role_owner: client, ...scope, ...bounds })
}
const projectOf = async () => (await work.table.BuildingPlace.get({ id: building }, { consistent: true }))?.project_id
const notHeld = { code: 'Denied', details: { reason: 'NotHeld' } }

describe('a building that is moved into a project', () => {
  test('does not give its mover what it has at that project alone', async () => {
    await give(ada, move)
    await give(ada, everything, to)
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject(notHeld)
    expect(await projectOf()).toBe(from)
  })

  test('does not give others there what its mover does not hold', async () => {
    await give(ada, move)
    await give(friend, open, to)
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject(notHeld)
    await give(ada, open, from)
    await acting.moveBuilding({ id: building, project_id: to, confirm_dangerous: true })
    expect(await projectOf()).toBe(to)
  })

  test('gives others what they will have there, and not what has ended', async () => {
    await give(ada, move)
    await give(friend, open, to, { expires_at: inHours(1) })
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject(notHeld)
    now = new Date(inHours(1))
    await acting.moveBuilding({ id: building, project_id: to })
    await give(friend, open, from, { start_at: inHours(1) })
    await expect(acting.moveBuilding({ id: building, project_id: from })).rejects.toMatchObject(notHeld)
  })

  test('gives others for no longer than its mover has it', async () => {
    await give(ada, move)
    await give(ada, open, undefined, { expires_at: inHours(1) })
    await give(friend, open, to)
    const tooLong = { code: 'Denied', details: { reason: 'NotHeldSoLong' } }
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject(tooLong)
    const { id: other } = await work.flows.createProject({ client_id: client, name: 'Other' })
    await give(friend, open, other, { expires_at: inHours(1) })
    await acting.moveBuilding({ id: building, project_id: other })
  })

  test.each([
    ['first', {}, { expires_at: inHours(1) }],
    ['last', { expires_at: inHours(1) }, {}],
  ] as const)('gives others for no longer than its mover has it, where the %s has it for ever', async (_, one, other) => {
    await give(ada, move)
    await give(ada, open, undefined, { expires_at: inHours(2) })
    const { id: role } = await work.table.Role.create({ client_id: client, name: `Both ${++count}`, permissions: [open] })
    const holders = [one, other].flatMap((bounds, index) =>
      assignment(client, idOf('user', index), role, 'project', to).map((item) => ({ ...item, ...bounds })),
    )
    await restoreItems(work.table.runtime, holders)
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject({ details: { reason: 'NotHeldSoLong' } })
  })

  test('gives others for no longer than its mover has it, also the last of very many', async () => {
    await give(ada, move)
    await give(ada, open, undefined, { expires_at: inHours(2) })
    const { id: role } = await work.table.Role.create({ client_id: client, name: 'Many', permissions: [open] })
    const holder = (index: number, bounds: object) =>
      assignment(client, idOf('user', index), role, 'project', to).map((item) => ({ ...item, ...bounds }))
    const shortly = Array.from({ length: 120 }, (_, index) => holder(index, { expires_at: inHours(1) })).flat()
    await restoreItems(work.table.runtime, [...shortly, ...holder(120, {})])
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject({ details: { reason: 'NotHeldSoLong' } })
  })

  test('gives others what a system role grants, and all roles above one', async () => {
    await give(ada, move)
    const { id: parent_role_id } = await work.table.Role.create({ name: `Above ${++count}`, permissions: [open] })
    const { id: role_id } = await work.table.Role.create({ name: `Beneath ${++count}`, parent_role_id })
    await work.table.UserRoleAssignment.create({ user_id: friend, role_id, role_owner: 'SYSTEM', scope_type: 'project', scope_id: to })
    await expect(acting.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject(notHeld)
  })

  test('gives what is dangerous only where that is confirmed, and then tells the audit, whoever moves it', async () => {
    await give(ada, everything)
    await give(friend, launch, to)
    for (const flows of [acting, work.flows])
      await expect(flows.moveBuilding({ id: building, project_id: to })).rejects.toMatchObject({ code: 'InvalidInput' })
    await acting.moveBuilding({ id: building, project_id: to, confirm_dangerous: true })
    const moved = (await work.audit(client)).filter(({ action }) => action === 'moveBuilding')
    expect(moved).toMatchObject([{ severity: 'warning', metadata: { dangerous: ['rockets:launch:rocket'] } }])
  })

  test('costs as much where a role has hundreds of holders as where it has one', async () => {
    await give(ada, move)
    await give(ada, open)
    const roles: string[] = []
    for (const name of ['Few', 'Many', 'Last'])
      roles.push((await work.table.Role.create({ client_id: client, name, permissions: [open] })).id)
    const holders = (number: number) =>
      roles.flatMap((role) =>
        Array.from({ length: number }, (_, index) => assignment(client, idOf('user', index), role, 'project', to)).flat(),
      )
    const cost = async () => {
      const { cost: spent } = await meter(() => acting.moveBuilding({ id: building, project_id: to }))
      await work.flows.moveBuilding({ id: building, project_id: from })
      return spent.requests
    }
    await restoreItems(work.table.runtime, holders(1))
    const ofFew = await cost()
    await restoreItems(work.table.runtime, holders(450))
    expect(await cost()).toBeLessThanOrEqual(ofFew + 2 * roles.length)
  })
})
