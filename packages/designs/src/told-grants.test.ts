import type { Sender } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { idOf as accountId, assignment, role } from '../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier, reader } from '../test/account-organisation.ts'
import {
  groupItems,
  groupMembershipItems,
  groupRoleItems,
  idOf,
  permissionItems,
  roleItems,
  writeLiterally,
} from '../test/literal-items.ts'
import { adaInBerlin, berlin, ada as teacher, teachers } from '../test/organisation.ts'
import { engineSender, ownTableOf } from '../test/own-table.ts'
import { decideAccountManagement } from './account-management/decide.ts'
import { accountManagement } from './account-management/design.ts'
import { decideRebac } from './rebac/decide.ts'
import { rebac } from './rebac/design.ts'

/** Answers come back in the order that the scheduler chooses. */
const shuffled = (sender: Sender, scheduler: fc.Scheduler): Sender => ({
  send: (operation, input, options) => scheduler.schedule(sender.send(operation, input, options)),
  close: () => {},
})

type Question<K> = (decider: K) => Promise<unknown>

/** Asks each question with memory that is empty, and answers in many orders: always the same is told. */
async function alwaysTells<K>(decider: (sender: Sender) => K, question: Question<K>, told: unknown): Promise<void> {
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduler) => {
      const answer = question(decider(shuffled(engineSender(), scheduler)))
      expect(await scheduler.waitFor(answer)).toEqual(told)
    }),
    { numRuns: 25 },
  )
}

const roleId = (number: number) => accountId('role', 100 + number)
const end = (day: number) => `2199-01-${String(day).padStart(2, '0')}T00:00:00.000Z`

/** Roles that all grant the same: what tells them apart is where they are, when they end, and their ids. */
const held = [
  { of: 1, scope_type: 'client', scope_id: acme },
  { of: 2, scope_type: 'project', scope_id: harbour },
  { of: 3, scope_type: 'building', scope_id: pier, expires_at: end(1) },
  { of: 4, scope_type: 'building', scope_id: pier, expires_at: end(9) },
  { of: 5, scope_type: 'building', scope_id: pier, expires_at: end(9) },
  { of: 6, scope_type: 'building', scope_id: pier, expires_at: '2020-01-01T00:00:00.000Z' },
] as const

test('who, what and where of account-management tell the grant of the nearest scope, then of the latest end, then by ids', async () => {
  const table = await ownTableOf(accountManagement)
  const roles = held.flatMap(({ of }) => granting(role(acme, roleId(of), `role ${of}`), camera))
  const assignments = held.flatMap(({ of, scope_type, scope_id, ...ends }) =>
    assignment(acme, ada, roleId(of), scope_type, scope_id).map((item) => ({ ...item, ...ends })),
  )
  await restoreItems(table.runtime, [...adaAtHarbour, ...roles, ...assignments])
  const decider = (sender: Sender) => decideAccountManagement({ ...table.runtime, sender })
  const told = (of: number, scope_type: string, scope_id: string) =>
    expect.objectContaining({ grantedBy: expect.objectContaining({ role_id: of === 0 ? reader : roleId(of), scope_type, scope_id }) })
  const at = { client: acme, project: harbour, building: pier }
  const asked = { ...at, permission: camera }
  await alwaysTells(decider, async (each) => (await each.who(asked)).items, [told(4, 'building', pier)])
  await alwaysTells(decider, async (each) => (await each.what({ user: ada, ...at })).items, [told(4, 'building', pier)])
  const where = [told(4, 'building', pier), told(1, 'client', acme), told(0, 'project', harbour)]
  await alwaysTells(decider, async (each) => (await each.where({ user: ada, permission: camera })).items, expect.arrayContaining(where))
  const [first] = (await decider(engineSender()).where({ user: ada, permission: camera }, { expand: true })).items.filter(
    ({ building_id }) => building_id === pier,
  )
  expect(first).toEqual(told(4, 'building', pier))
})

test('who, what and where of rebac tell the grant of the first group and role by their ids', async () => {
  const table = await ownTableOf(rebac)
  const groups = [2, 3, 4].map((number) => idOf('group', number))
  await writeLiterally(table.runtime, [
    ...adaInBerlin,
    ...['author', 'editor'].flatMap((name) => [...roleItems(name), ...permissionItems(name, 'plan')]),
    ...groups.flatMap((group) => [
      ...groupItems(group, berlin),
      ...groupMembershipItems(teacher, group, berlin),
      ...groupRoleItems(group, 'reader'),
      ...groupRoleItems(group, 'author'),
    ]),
    ...groupRoleItems(teachers, 'editor'),
  ])
  const decider = (sender: Sender) => decideRebac({ ...table.runtime, sender })
  const told = [expect.objectContaining({ grantedBy: { groupId: teachers, roleName: 'editor' } })]
  await alwaysTells(decider, async (each) => (await each.who({ location: berlin, page: 'plan' })).items, told)
  await alwaysTells(decider, async (each) => (await each.what({ user: teacher, location: berlin })).items, told)
  await alwaysTells(decider, async (each) => (await each.where({ user: teacher, page: 'plan' })).items, told)
})
