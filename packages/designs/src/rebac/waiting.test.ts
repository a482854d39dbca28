import type { Consistency } from '@freehold/frame/decision'
import { connect, meter } from '@freehold/table'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { deep } from '../../../../test/properties/depth.ts'
import { inRounds } from '../../test/in-rounds.ts'
import {
  groupItems,
  groupMembershipItems,
  groupRoleItems,
  idOf,
  type LiteralItem,
  locationItems,
  membershipItems,
  pageItems,
  permissionItems,
  removeLiterally,
  roleItems,
  userItems,
  writeLiterally,
} from '../../test/literal-items.ts'
import { engineSender, ownTable } from '../../test/own-table.ts'
import { decideRebac, type RebacDecider } from './decide.ts'
import { rebac } from './design.ts'

// A question waits for its own requests, and for those of others where it shares what they read. The meter counts the former only.

const [users, locations, groups] = [
  [1, 2],
  [1, 2],
  [1, 2, 3],
]
const roles = Array.from({ length: 60 }, (_, index) => `role${String(index).padStart(2, '0')}`)
const few = roles.slice(0, 3)
/** Of `many` so many roles allow it that a question reads groups first. */
const pages = { one: few.slice(0, 1), two: few.slice(1), many: roles }

const homeOf = (group: number) => (group === 3 ? 2 : 1)
const addressOf = (user: number) => `u${user}@example.org`
const codeOf = (location: number) => `L${location}`
const catalogue: readonly LiteralItem[] = [
  ...users.flatMap((user) => userItems(idOf('user', user), `User ${user}`)),
  ...locations.flatMap((location) => locationItems(idOf('location', location), codeOf(location))),
  ...groups.flatMap((group) => groupItems(idOf('group', group), idOf('location', homeOf(group)))),
  ...roles.flatMap(roleItems),
  ...Object.entries(pages).flatMap(([page, allowing]) => [...pageItems(page), ...allowing.flatMap((role) => permissionItems(role, page))]),
]

const rounds = inRounds(engineSender())

/** What an address, or a code, stands for. */
const identityItems = (user: number, meant: number) =>
  userItems(idOf('user', meant), `User ${meant}`, { email: addressOf(user) }).filter(({ PK }) => PK.startsWith('EMAIL#'))
const codeItems = (location: number, meant: number) =>
  locationItems(idOf('location', meant), codeOf(location)).filter(({ PK }) => PK.startsWith('LOCATION_CODE#'))

/** Edges that come and go, each with the items that it is. */
const edges: readonly (readonly LiteralItem[])[] = [
  ...users.flatMap((user) => locations.map((location) => membershipItems(idOf('user', user), idOf('location', location)))),
  ...users.flatMap((user) =>
    groups.map((group) => groupMembershipItems(idOf('user', user), idOf('group', group), idOf('location', homeOf(group)))),
  ),
  ...groups.flatMap((group) => few.map((role) => groupRoleItems(idOf('group', group), role))),
]

async function set(items: readonly LiteralItem[], isThere: boolean): Promise<void> {
  if (isThere) return writeLiterally(table.runtime, items)
  for (const { PK, SK } of items) await removeLiterally(table.runtime, PK, SK)
}

/** The answers that each question waits for at most (spec rule 19). */
const most = { can: 3, why: 3, what: 3, who: 4, where: 4 } as const

interface Asked {
  readonly ask: keyof typeof most
  readonly user: number
  readonly location: number
  readonly by: 'ids' | 'names'
  readonly page: string
  readonly consistency: Consistency
  /** It begins in this round. */
  readonly from: number
}

type Step =
  | { readonly do: 'edge'; readonly index: number; readonly isThere: boolean }
  | { readonly do: 'name'; readonly whose: 'user' | 'location'; readonly name: number; readonly meant: number }
  | { readonly do: 'ask'; readonly questions: readonly Asked[] }

const one = fc.constantFrom(...users)
const asked: fc.Arbitrary<Asked> = fc.record({
  ask: fc.constantFrom('can', 'can', 'can', 'why', 'what', 'who', 'where'),
  user: one,
  location: one,
  by: fc.constantFrom('ids', 'names'),
  page: fc.constantFrom(...Object.keys(pages)),
  consistency: fc.constantFrom('strong', 'strong', 'bounded'),
  from: fc.nat({ max: 2 }),
})
const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('edge'), index: fc.nat({ max: edges.length - 1 }), isThere: fc.boolean() }),
  fc.record({ do: fc.constant('name'), whose: fc.constantFrom('user', 'location'), name: one, meant: one }),
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask'), questions: fc.array(asked, { minLength: 1, maxLength: 3 }) }) },
)

function answer(decider: RebacDecider, { ask, by, page, consistency, ...about }: Asked): Promise<unknown> {
  const isByIds = by === 'ids'
  const user = isByIds ? idOf('user', about.user) : addressOf(about.user)
  const location = isByIds ? idOf('location', about.location) : codeOf(about.location)
  const how = { consistency }
  if (ask === 'what') return decider.what({ user, location }, how)
  if (ask === 'who') return decider.who({ location, page }, how)
  return ask === 'where' ? decider.where({ user, page }, how) : decider[ask]({ user, location, page }, how)
}

/** A decider that remembers nothing yet, and the rounds that questions to it take. */
function asking() {
  const decider = decideRebac(slow.runtime, { maxStalenessMs: 600_000 })
  return (questions: readonly Asked[]) =>
    meter(() => rounds.count(questions.map((each) => ({ from: each.from, work: () => answer(decider, each) }))))
}

const whole: readonly boolean[] = edges.map(() => true)
async function begin(isThere: readonly boolean[]): Promise<void> {
  for (const [index, items] of edges.entries()) await set(items, isThere[index] === true)
  for (const each of users) await writeLiterally(table.runtime, [...identityItems(each, each), ...codeItems(each, each)])
}

const table = await ownTable()
await writeLiterally(table.runtime, catalogue)
/** The same table, which answers in rounds. */
const slow = connect(rebac, { table: table.runtime.table, sender: rounds.sender })

test('of two questions by new names, the second does not wait for groups that the first is reading before it reads roles', async () => {
  await begin(whole)
  const first: Asked = { ask: 'can', user: 1, location: 1, by: 'names', page: 'one', consistency: 'strong', from: 0 }
  expect((await asking()([first, { ...first, page: 'two' }])).result).toEqual([3, 3])
})

test('a question goes on with what it has read while another reads it anew', async () => {
  await begin(whole)
  const first: Asked = { ask: 'who', user: 1, location: 2, by: 'names', page: 'two', consistency: 'strong', from: 0 }
  expect((await asking()([first, { ...first, ask: 'can', by: 'ids', from: 1 }])).result[0]).toBe(4)
})

test.each(['user', 'location'] as const)('a name that has another %s now costs no fourth round trip', async (whose) => {
  for (const question of ['can', 'why', 'what'] as const) {
    await begin(whole)
    const ask = asking()
    const asked: Asked = {
      ask: question,
      user: 1,
      location: 1,
      by: 'names',
      page: 'many',
      consistency: 'strong',
      from: 0,
    }
    await ask([asked])
    await writeLiterally(table.runtime, whose === 'user' ? identityItems(1, 2) : codeItems(1, 2))
    expect([question, (await ask([asked])).result]).toEqual([question, [3]])
  }
})

test('no question waits for more answers than it may, while items change, names are remembered, and others ask', async () => {
  const run = async (isThere: readonly boolean[], all: readonly Step[]) => {
    const ask = asking()
    await begin(isThere)
    for (const step of all) {
      if (step.do === 'edge') await set(edges[step.index] ?? [], step.isThere)
      else if (step.do === 'name') {
        const { whose, name, meant } = step
        await writeLiterally(table.runtime, whose === 'user' ? identityItems(name, meant) : codeItems(name, meant))
      } else {
        const { result, cost } = await ask(step.questions)
        const tooMany = step.questions.filter((each, index) => (result[index] ?? 0) > most[each.ask])
        expect(tooMany).toEqual([])
        // A question alone waits for its own requests, which the meter counts.
        if (result.length === 1) expect(cost.roundTrips).toBe(result[0])
      }
    }
  }
  const start = fc.array(fc.boolean(), { minLength: edges.length, maxLength: edges.length })
  const world = fc.asyncProperty(start, fc.array(steps, { minLength: 3, maxLength: 12 }), run)
  await fc.assert(world, { numRuns: deep(6) })
})
