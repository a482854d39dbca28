import type { Consistency } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import type { Stored } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { beforeAll, describe, expect, test } from 'vitest'
import { assignment, building, client, crowd, idOf, link, permission, project, role, user } from '../../test/account-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

const acme = idOf('client', 1)
const harbour = idOf('project', 1)
const pier = idOf('building', 1)
const ada = idOf('user', 1)
const [reader, linked, child] = [idOf('role', 1), idOf('role', 2), idOf('role', 3)]
const camera = idOf('permission', 1)
const asked = { module: 'devices', action: 'read', resource: 'camera' }

const grants = (item: Stored) => (item.Type === 'Role' && item.id === reader ? { ...item, permissions: [asked] } : item)
const links = (item: Stored) => (item.Type === 'Role' && item.id === linked ? { ...item, permission_form: 'linked' } : item)

/** Acme with one building, and a role of each kind: `child` has its permission from `linked`, which has it from the catalogue. */
const organisation: readonly Stored[] = [
  ...client(acme),
  ...project(acme, harbour),
  ...building(acme, harbour, pier),
  ...user(acme, ada, 'ada@example.org'),
  ...permission(camera, 'devices', 'read', 'camera'),
  ...[...role(acme, reader, 'reader'), ...role(acme, linked, 'linked'), ...role(acme, child, 'child', { parent: linked })]
    .map(grants)
    .map(links),
  ...link(acme, linked, camera),
]

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 10)

/** Buildings beside the pier, each with an assignment of ada. */
const elsewhere = (count: number) =>
  crowd(
    numbers(count).flatMap((number) => [
      ...building(acme, harbour, idOf('building', number)),
      ...assignment(acme, ada, reader, 'building', idOf('building', number)),
    ]),
  )
const others = (count: number) =>
  crowd(
    numbers(count).flatMap((number) => [
      ...user(acme, idOf('user', number), `user${number}@example.org`),
      ...assignment(acme, idOf('user', number), reader, 'building', pier),
    ]),
  )

const byIds = { user: ada, client: acme, project: harbour, building: pier }
const bare = { user: ada, building: pier }
const byNames = { user: 'ada@example.org', client: acme, project: harbour, building: pier }
type Place = { user: string; client?: string; project?: string; building: string }

const questions = {
  can: (decider: AccountDecider, place: Place, consistency: Consistency) => decider.can({ ...place, permission: asked }, { consistency }),
  why: (decider: AccountDecider, place: Place, consistency: Consistency) => decider.why({ ...place, permission: asked }, { consistency }),
  what: (decider: AccountDecider, place: Place, consistency: Consistency) => decider.what(place, { consistency }),
  who: (decider: AccountDecider, { user: _, ...place }: Place, consistency: Consistency) =>
    decider.who({ ...place, permission: asked }, { consistency }),
  where: (decider: AccountDecider, { user }: Place, consistency: Consistency) =>
    decider.where({ user, permission: asked }, { consistency }),
}
type Question = keyof typeof questions

async function trips(question: Question, decider: AccountDecider, place: Place, consistency: Consistency) {
  const { result, cost } = await meter<{ allowed?: boolean; items?: readonly unknown[] }>(() =>
    questions[question](decider, place, consistency),
  )
  expect(result.allowed === true || (result.items ?? []).length > 0).toBe(true)
  return cost
}

/** Cold, warm and strong, of a decider of its own. The bound is out of reach, so that nothing grows cold while it is asked. */
async function tripsOf(table: Table, question: Question, place: Place) {
  const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
  const cold = (await trips(question, decider, place, 'bounded')).roundTrips
  const warm = (await trips(question, decider, place, 'bounded')).roundTrips
  const strong = (await trips(question, decideAccountManagement(table.runtime), place, 'strong')).roundTrips
  return { cold, warm, strong }
}
type Table = Awaited<ReturnType<typeof ownTableOf<typeof accountManagement>>>

describe.each([
  ['embedded', reader, { can: 2, where: 3 }],
  ['linked', linked, { can: 3, where: 4 }],
  ['from the role above, which is linked', child, { can: 3, where: 4 }],
] as const)('with a role that is %s', (_, roleId, cold) => {
  let table: Table
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    await restoreItems(table.runtime, [...organisation, ...assignment(acme, ada, roleId, 'building', pier)])
  })

  test.each(['can', 'why', 'what'] as const)('%s takes one warm and at most three cold or strong', async (question) => {
    expect(await tripsOf(table, question, byIds)).toEqual({ cold: cold.can, warm: 1, strong: cold.can })
  })

  test.each(['can', 'why', 'what'] as const)('%s by an e-mail address takes three the first time', async (question) => {
    const { cold: first, warm, strong } = await tripsOf(table, question, byNames)
    expect(warm).toBe(1)
    expect([first <= 3, strong <= 3]).toEqual([true, true])
  })

  test.each(['can', 'why', 'what'] as const)('%s by a bare building takes one more the first time', async (question) => {
    expect(await tripsOf(table, question, bare)).toEqual({ cold: cold.can + 1, warm: 1, strong: cold.can + 1 })
  })

  test('who takes two warm and four cold or strong, one more by a bare building', async () => {
    expect(await tripsOf(table, 'who', byIds)).toEqual({ cold: 4, warm: 2, strong: 4 })
    expect(await tripsOf(table, 'who', bare)).toEqual({ cold: 5, warm: 2, strong: 5 })
  })

  test('`where` takes two warm and at most four cold or strong', async () => {
    expect(await tripsOf(table, 'where', byIds)).toEqual({ cold: cold.where, warm: 2, strong: cold.where })
  })
})

describe.each([1, 100, 5000])('a user with %i assignments', (count) => {
  let table: Table
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    await restoreItems(table.runtime, [...organisation, ...assignment(acme, ada, reader, 'project', harbour), ...elsewhere(count - 1)])
  })

  test.each(['can', 'why', 'what'] as const)('costs %s the same as with one', async (question) => {
    expect(await tripsOf(table, question, byIds)).toEqual({ cold: 2, warm: 1, strong: 2 })
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    await trips(question, decider, byIds, 'bounded')
    const { readUnits } = await trips(question, decider, byIds, 'bounded')
    // Four nodes, and three ranges of which one holds an item.
    expect(readUnits).toBeLessThanOrEqual(8)
  })

  test('costs where one more for each further thousand', async () => {
    const further = Math.ceil(count / 1000) - 1
    const { cold, warm, strong } = await tripsOf(table, 'where', byIds)
    expect([cold <= 4 + further, warm <= 2 + further, strong <= 4 + further]).toEqual([true, true, true])
  })

  test('has all of its places listed, each once, by pages', async () => {
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const found: string[] = []
    for (let cursor: string | undefined, pages = 0; pages < 100; pages++) {
      const page = await decider.where({ user: ada, permission: asked }, { limit: 1000, cursor })
      found.push(...page.items.map(({ scope_id }) => scope_id))
      cursor = page.cursor
      if (cursor === undefined) break
    }
    expect(found).toHaveLength(count)
    expect(new Set(found).size).toBe(count)
  })
})

describe.each([1, 100, 10_000])('a scope with %i users', (count) => {
  let table: Table
  beforeAll(async () => {
    table = await ownTableOf(accountManagement)
    await restoreItems(table.runtime, [...organisation, ...assignment(acme, ada, reader, 'building', pier), ...others(count - 1)])
  })

  test('costs who the same for a page as with one', async () => {
    expect(await tripsOf(table, 'who', byIds)).toEqual({ cold: 4, warm: 2, strong: 4 })
  })

  test('has all of its users listed in order, each once, by pages', async () => {
    const decider = decideAccountManagement(table.runtime, { maxStalenessMs: 600_000 })
    const { user: _, ...place } = byIds
    const found: string[] = []
    for (let cursor: string | undefined, pages = 0; pages < 100; pages++) {
      const page = await decider.who({ ...place, permission: asked }, { limit: 999, cursor })
      found.push(...page.items.map(({ user_id }) => user_id))
      cursor = page.cursor
      if (cursor === undefined) break
    }
    expect(found).toEqual([ada, ...numbers(count - 1).map((number) => idOf('user', number))].sort())
  })
})
