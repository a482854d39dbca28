import type { Consistency } from '@freehold/frame/decision'
import { meter } from '@freehold/table'
import { beforeAll, describe, expect, test } from 'vitest'
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
  roleItems,
  userItems,
  writeLiterally,
} from '../../test/literal-items.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac, type RebacDecider } from './decide.ts'

const ada = idOf('user', 1)
const berlin = idOf('location', 1)
const byIds = { user: ada, location: berlin }
const byNames = { user: 'ada@example.org', location: 'ber01' }

/** One user in so many groups of one location, each with one of three roles, of which two allow the page. */
function organisation(groups: number): LiteralItem[] {
  const groupIds = Array.from({ length: groups }, (_, index) => idOf('group', index))
  const roles = ['reader', 'writer', 'guest']
  return [
    ...userItems(ada, 'Ada', { email: 'ada@example.org' }),
    ...locationItems(berlin, 'BER01'),
    ...membershipItems(ada, berlin),
    ...roles.flatMap(roleItems),
    ...pageItems('plan'),
    ...permissionItems('reader', 'plan'),
    ...permissionItems('writer', 'plan'),
    ...permissionItems('guest', 'plan', 'DENY'),
    ...groupIds.flatMap((groupId, index) => [
      ...groupItems(groupId, berlin),
      ...groupRoleItems(groupId, roles[index % 3] ?? ''),
      ...groupMembershipItems(ada, groupId, berlin),
    ]),
  ]
}

type Asked = typeof byIds
const questions = {
  can: (decider: RebacDecider, asked: Asked, consistency: Consistency) => decider.can({ ...asked, page: 'plan' }, { consistency }),
  why: (decider: RebacDecider, asked: Asked, consistency: Consistency) => decider.why({ ...asked, page: 'plan' }, { consistency }),
  what: (decider: RebacDecider, asked: Asked, consistency: Consistency) => decider.what(asked, { consistency }),
  who: (decider: RebacDecider, { location }: Asked, consistency: Consistency) => decider.who({ location, page: 'plan' }, { consistency }),
  where: (decider: RebacDecider, { user }: Asked, consistency: Consistency) => decider.where({ user, page: 'plan' }, { consistency }),
}
type Question = keyof typeof questions

type Trips = readonly [byIds: number, byNames: number]

/**
 * Round trips, with one more for each further 1,000 items of one collection. Spec rule 19 allows `can`, `why` and `what` one warm and three cold
 * or strong, a page of `who` or `where` two and four. Names are looked up for the first time where it is cold.
 */
const expected: Record<Question, { readonly warm: Trips; readonly cold: Trips }> = {
  can: { warm: [1, 1], cold: [2, 3] },
  why: { warm: [1, 1], cold: [2, 3] },
  what: { warm: [1, 1], cold: [3, 3] },
  who: { warm: [2, 2], cold: [4, 4] },
  where: { warm: [1, 1], cold: [2, 3] },
}

describe.each([1, 10, 200, 2000])('a user in %i groups', (groups) => {
  let table: Awaited<ReturnType<typeof ownTable>>
  const further = Math.ceil(groups / 1000) - 1

  beforeAll(async () => {
    table = await ownTable()
    await writeLiterally(table.runtime, organisation(groups))
  })

  const trips = async (question: Question, decider: RebacDecider, asked: Asked, consistency: Consistency): Promise<number> => {
    const { result, cost } = await meter<unknown>(() => questions[question](decider, asked, consistency))
    if (question === 'can' || question === 'why') expect(result).toMatchObject({ allowed: true })
    else expect(result).toMatchObject({ items: [{}] })
    return cost.roundTrips
  }

  describe.each(Object.keys(questions) as Question[])('%s', (question) => {
    test.each([
      { by: 'ids', asked: byIds, column: 0 },
      { by: 'names', asked: byNames, column: 1 },
    ] as const)('by $by: cold, warm and strong take the round trips that they may', async ({ asked, column }) => {
      // The bound is out of reach, so that nothing that is warm grows cold while it is asked.
      const decider = decideRebac(table.runtime, { maxStalenessMs: 600_000 })
      const cold = await trips(question, decider, asked, 'bounded')
      const warm = await trips(question, decider, asked, 'bounded')
      const strong = await trips(question, decideRebac(table.runtime), asked, 'strong')
      const most = expected[question]
      const [warmMost, coldMost] = [most.warm[column] + further, most.cold[column] + further]
      if (further === 0) expect({ cold, warm, strong }).toEqual({ cold: coldMost, warm: warmMost, strong: coldMost })
      // Reads in parallel with the further thousand take no trips of their own.
      expect([cold <= coldMost, warm <= warmMost, strong <= coldMost]).toEqual([true, true, true])
    })
  })
})

test('by an address and a code, a warm decision takes the two requests that it takes by ids', async () => {
  const table = await ownTable()
  await writeLiterally(table.runtime, organisation(1))
  const decider = decideRebac(table.runtime, { maxStalenessMs: 600_000 })
  const requests: number[] = []
  for (const asked of [byNames, byNames, byIds]) requests.push((await meter(() => questions.can(decider, asked, 'bounded'))).cost.requests)
  expect(requests.slice(1)).toEqual([2, 2])
})
