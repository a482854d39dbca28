import type { Consistency } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
import { type LiteralItem, writeLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import * as as from '../../test/platform-items.ts'
import { decidePlatform, type PlatformDecider } from './decide.ts'
import { platform } from './design.ts'

const flags = { canView: true, accountId: 'acme' }

/** One user in so many groups, each with a role of its own that may view the dashboard. */
function organisation(count: number): LiteralItem[] {
  const numbers = Array.from({ length: count }, (_, index) => String(index).padStart(4, '0'))
  return [
    as.account('acme'),
    as.workstream('acme', 'research'),
    ...as.user('acme', 'ada', 'ada@example.org'),
    ...as.inWorkstream('acme', 'ada', 'research'),
    ...numbers.flatMap((number) => [
      as.group(`g${number}`, 'acme'),
      as.accountGroup(`g${number}`, 'acme'),
      as.role(`r${number}`, 'acme'),
      ...as.member(`g${number}`, 'ada', 'acme'),
      ...as.groupRole(`g${number}`, `r${number}`, 'acme'),
      ...as.permission(`r${number}`, 'dashboard', flags),
    ]),
  ]
}

type Asked = { readonly user: string; readonly account: string; readonly workstream: string }
const byId: Asked = { user: 'ada', account: 'acme', workstream: 'research' }
const byAddress: Asked = { ...byId, user: 'ada@example.org' }
const inMenu = { menu: 'dashboard', action: 'view' } as const

const questions = {
  can: (decider: PlatformDecider, asked: Asked, consistency: Consistency) => decider.can({ ...asked, ...inMenu }, { consistency }),
  why: (decider: PlatformDecider, asked: Asked, consistency: Consistency) => decider.why({ ...asked, ...inMenu }, { consistency }),
  what: (decider: PlatformDecider, asked: Asked, consistency: Consistency) => decider.what(asked, { consistency }),
  who: (decider: PlatformDecider, { user: _, ...place }: Asked, consistency: Consistency) =>
    decider.who({ ...place, ...inMenu }, { consistency }),
  where: (decider: PlatformDecider, { user }: Asked, consistency: Consistency) =>
    decider.where({ user, ...inMenu }, { consistency, expand: true }),
  access: (decider: PlatformDecider, asked: Asked, consistency: Consistency) => decider.access(asked, { consistency }),
  everywhere: (decider: PlatformDecider, { user }: Asked, consistency: Consistency) => decider.access({ user }, { consistency }),
}
type Question = keyof typeof questions
type Trips = readonly [byId: number, byAddress: number]

/**
 * Round trips, with one more for each further 1,000 items of one collection. Spec rule 19 allows `can`, `why` and `what` one warm and three cold
 * or strong, a page of `who` or `where` two and four. An address is looked up for the first time where it is cold.
 */
const expected: Record<Question, { readonly warm: number; readonly cold: Trips }> = {
  can: { warm: 1, cold: [3, 3] },
  why: { warm: 1, cold: [3, 3] },
  what: { warm: 1, cold: [3, 3] },
  who: { warm: 2, cold: [4, 4] },
  where: { warm: 2, cold: [3, 4] },
  access: { warm: 1, cold: [3, 3] },
  everywhere: { warm: 2, cold: [3, 4] },
}

/** Who has more than 1,000 groups is asked about with these alone, since each reads every one of them. */
const ofMany: readonly Question[] = ['can', 'what']

describe.each([1, 20, 200, 1200])('a user with %i groups and roles', (count) => {
  let table: Awaited<ReturnType<typeof ownTableOf<typeof platform>>>
  beforeAll(async () => {
    table = await ownTableOf(platform)
    await writeLiterally(table.runtime, organisation(count))
  })

  const trips = async (question: Question, decider: PlatformDecider, asked: Asked, consistency: Consistency): Promise<number> => {
    const { result, cost } = await meter<unknown>(() => questions[question](decider, asked, consistency))
    if (question === 'can' || question === 'why') expect(result).toMatchObject({ allowed: true })
    else if (question === 'access' || question === 'everywhere') expect(result).toMatchObject({ grants: [{ menuKey: 'dashboard' }] })
    else expect(result).toMatchObject({ items: expect.arrayContaining([expect.anything()]) })
    return cost.roundTrips
  }

  describe.each(count > 1000 ? ofMany : (Object.keys(questions) as Question[]))('%s', (question) => {
    test.each([
      { by: 'id', asked: byId, column: 0 },
      { by: 'e-mail address', asked: byAddress, column: 1 },
    ] as const)('by $by: cold, warm and strong take the round trips that they may', async ({ asked, column }) => {
      // The bound is out of reach, so that nothing that is warm grows cold while it is asked.
      const decider = decidePlatform(table.runtime, { maxStalenessMs: 600_000 })
      const cold = await trips(question, decider, asked, 'bounded')
      const warm = await trips(question, decider, asked, 'bounded')
      const strong = await trips(question, decidePlatform(table.runtime), asked, 'strong')
      const most = expected[question]
      const coldMost = most.cold[column]
      if (count <= 200) expect({ cold, warm, strong }).toEqual({ cold: coldMost, warm: most.warm, strong: coldMost })
      // Each of three collections has a further thousand: the user's groups, the groups of the account, the roles of the menu.
      else expect([cold <= coldMost + 2, warm <= most.warm + 1, strong <= coldMost + 2]).toEqual([true, true, true])
    })
  })
})

describe('a workstream', () => {
  test('of few members lists those who may by its own members, however many are in the granting groups', async () => {
    const table = await ownTableOf(platform)
    const others = Array.from({ length: 2500 }, (_, index) => `u${String(index).padStart(4, '0')}`)
    await writeLiterally(table.runtime, [
      ...organisation(1),
      ...as.user('acme', 'zoe', 'zoe@example.org'),
      ...as.inWorkstream('acme', 'zoe', 'research'),
      ...as.member('g0000', 'zoe', 'acme'),
      ...others.flatMap((id) => [...as.user('acme', id, `${id}@example.org`), ...as.member('g0000', id, 'acme')]),
    ])
    const decider = decidePlatform(table.runtime, { maxStalenessMs: 600_000 })
    const ask = () => meter(() => decider.who({ account: 'acme', workstream: 'research', ...inMenu }, { limit: 10 }))
    const { result, cost } = await ask()
    expect(result.items.map(({ userId }) => userId)).toEqual(['ada', 'zoe'])
    expect(result.cursor).toBeUndefined()
    expect([cost.roundTrips, (await ask()).cost.roundTrips]).toEqual([4, 2])
  })

  test('of many members lists those who may by the members of the granting groups', async () => {
    const table = await ownTableOf(platform)
    const others = Array.from({ length: 1001 }, (_, index) => `u${String(index).padStart(4, '0')}`)
    await writeLiterally(table.runtime, [...organisation(1), ...others.flatMap((id) => as.inWorkstream('acme', id, 'research'))])
    const decider = decidePlatform(table.runtime, { maxStalenessMs: 600_000 })
    const { result, cost } = await meter(() => decider.who({ account: 'acme', workstream: 'research', ...inMenu }))
    expect(result.items.map(({ userId }) => userId)).toEqual(['ada'])
    expect(cost.roundTrips).toBe(4)
  })
})

test('an e-mail address that was never looked up takes four in an account of more than 250 groups', async () => {
  const table = await ownTableOf(platform)
  await writeLiterally(table.runtime, [
    ...organisation(1),
    ...Array.from({ length: 300 }, (_, index) => [as.group(`x${index}`, 'acme'), as.accountGroup(`x${index}`, 'acme')]).flat(),
  ])
  const can = (asked: Asked) => meter(() => decidePlatform(table.runtime).can({ ...asked, ...inMenu }))
  const byIds = await can(byId)
  const byNames = await can(byAddress)
  expect([byIds.cost.roundTrips, byNames.cost.roundTrips]).toEqual([3, 4])
  // It reads the groups of the user alone.
  expect(byNames.cost.requests).toBe(byIds.cost.requests + 2)
})

test('an e-mail address that another user has now takes three where it is strong: the groups do not wait for the user', async () => {
  const table = await ownTableOf(platform)
  const decider = decidePlatform(table.runtime)
  const can = () => meter(() => questions.can(decider, byAddress, 'strong'))
  await writeLiterally(table.runtime, organisation(1))
  await writeLiterally(table.runtime, as.user('acme', 'bob', byAddress.user))
  expect((await can()).result).toMatchObject({ allowed: false })
  await writeLiterally(table.runtime, as.user('acme', 'ada', byAddress.user))
  const [moved, again] = [await can(), await can()]
  expect([moved.result, moved.cost.roundTrips, again.cost.roundTrips]).toEqual([{ allowed: true }, 3, 3])
})
