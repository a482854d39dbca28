import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { assignment, crowd, idOf, role, user } from '../../test/account-items.ts'
import { acme, ada, adaAtHarbour, camera, granting, harbour, pier } from '../../test/account-organisation.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

// Who may do something by one of hundreds of roles: pages stay complete, in order and distinct, and what one of them reads stays bounded.

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1)
const roleId = (number: number) => idOf('role', 1000 + number)
const userId = (number: number) => idOf('user', 1000 + number)
const rolesOf = (count: number) => numbers(count).flatMap((number) => granting(role(acme, roleId(number), `role ${number}`), camera))
const usersOf = (count: number) => crowd(numbers(count).flatMap((number) => user(acme, userId(number), `user${number}@example.org`)))

async function prepared(...items: readonly (readonly Stored[])[]) {
  const table = await ownTableOf(accountManagement)
  await restoreItems(table.runtime, [...adaAtHarbour, ...items.flat()])
  return { table, decider: decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 }) }
}

/** Every page, with what it cost with definitions that are in memory. */
async function pages({ decider }: Awaited<ReturnType<typeof prepared>>, limit: number) {
  const asked = { client: acme, project: harbour, building: pier, permission: camera }
  await decider.who(asked, { limit: 1 })
  const read: { readonly ids: readonly string[]; readonly roundTrips: number; readonly requests: number; readonly readUnits: number }[] = []
  for (let cursor: string | undefined; read.length < 1000; ) {
    const { result, cost } = await meter(() => decider.who(asked, { limit, cursor }))
    read.push({ ids: result.items.map(({ user_id }) => user_id), ...cost })
    cursor = result.cursor
    if (cursor === undefined) break
  }
  return { read, ids: read.flatMap((page) => page.ids) }
}

const held = (userNumber: number, roleNumber: number) => crowd(assignment(acme, userId(userNumber), roleId(roleNumber), 'building', pier))

describe('300 granting roles with 20 holders each at one building', () => {
  test.each([
    ['each its own', (of: number, number: number) => of * 20 + number, 6000],
    ['the same ones', (_: number, number: number) => number, 20],
  ] as const)('%s: all are listed, by few requests', async (_, numberOf, count) => {
    const own = await prepared(
      rolesOf(300),
      usersOf(count),
      numbers(300).flatMap((of) => numbers(20).flatMap((number) => held(numberOf(of - 1, number), of))),
    )
    const { read, ids } = await pages(own, 1000)
    expect(ids).toEqual([ada, ...numbers(count).map(userId)])
    for (const page of read.slice(0, -1)) expect(page.ids).toHaveLength(1000)
    for (const { roundTrips, requests, readUnits } of read) {
      // Six pages of assignments at the building, one more where it matters that no more follows, and the users: two, and one for each further thousand.
      expect([7, 8]).toContain(roundTrips)
      // Besides, one page at each scope above, the place, and a batch for each hundred users and assignments. For each role and scope it were 900.
      expect(requests).toBeLessThanOrEqual(7 + 2 + 1 + Math.ceil((1001 + 6000) / 100))
      expect(readUnits).toBeLessThan(8000)
    }
  })
})

test('25 granting roles with the same 450 holders each: what is too much to be read together is read role by role', async () => {
  const own = await prepared(
    rolesOf(25),
    usersOf(450),
    numbers(25).flatMap((of) => numbers(450).flatMap((number) => held(number, of))),
  )
  const { read, ids } = await pages(own, 1000)
  expect(ids).toEqual([ada, ...numbers(450).map(userId)])
  // One page together, two of 434 holders at most of each of the roles left, and users in two steps of 10,000 items at most.
  for (const { roundTrips, requests } of read) {
    expect(roundTrips).toBe(5)
    expect(requests).toBeLessThanOrEqual(1 + 3 + 2 * 24 + Math.ceil((450 * 26) / 100) + 2)
  }
})

test('nobody is listed before those who come first are known, however unlike the roles are', async () => {
  // Of the first role not all are read at once; of the others, whose holders come after them all, all are.
  const own = await prepared(
    rolesOf(12),
    usersOf(2830),
    numbers(2830).flatMap((number) => held(number, number <= 2500 ? 1 : 2 + (number % 11))),
  )
  const { read, ids } = await pages(own, 1000)
  expect(ids).toEqual([ada, ...numbers(2830).map(userId)])
  expect(read.map((page) => page.ids.length)).toEqual([1000, 1000, 831])
})

test('few granting roles are read side by side, however many hold them', async () => {
  const own = await prepared(
    rolesOf(2),
    usersOf(1200),
    numbers(1200).flatMap((number) => held(number, 1 + (number % 2))),
  )
  const { read, ids } = await pages(own, 1000)
  expect(ids).toEqual([ada, ...numbers(1200).map(userId)])
  expect(read.map(({ roundTrips }) => roundTrips)).toEqual([2, 2])
})
