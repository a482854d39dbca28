import { type Cost, meter } from '@freehold/table'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
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
import type { Consistency } from '../decision/decision.ts'
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

/** Spec rule 19; one more for each further 1,000 items of one collection. */
const allowed: Record<Question, { warm: number; cold: number }> = {
  can: { warm: 1, cold: 3 },
  why: { warm: 1, cold: 3 },
  what: { warm: 1, cold: 3 },
  who: { warm: 2, cold: 4 },
  where: { warm: 2, cold: 4 },
}

describe.each([1, 10, 200, 2000])('a user in %i groups', (groups) => {
  let table: Awaited<ReturnType<typeof ownTable>>
  const further = Math.ceil(groups / 1000) - 1

  beforeAll(async () => {
    table = await ownTable()
    await writeLiterally(table.runtime, organisation(groups))
  }, 60_000)
  afterAll(() => table.close())

  const cost = async (question: Question, decider: RebacDecider, asked: Asked, consistency: Consistency): Promise<Cost> => {
    const { result, cost: spent } = await meter<unknown>(() => questions[question](decider, asked, consistency))
    if (question === 'can' || question === 'why') expect(result).toMatchObject({ allowed: true })
    else expect(result).toMatchObject({ items: [{}] })
    return spent
  }

  describe.each(Object.keys(questions) as Question[])('%s', (question) => {
    test.each([
      ['ids', byIds],
      ['names', byNames],
    ])('by %s: cold, warm and strong stay within their round trips', async (by, asked) => {
      // The bound is out of reach, so that nothing that is warm grows cold while it is asked.
      const decider = decideRebac(table.runtime, { maxStaleness_ms: 600_000 })
      const cold = await cost(question, decider, asked, 'bounded')
      const warm = await cost(question, decider, asked, 'bounded')
      const again = await cost(question, decider, asked, 'strong')
      const strong = await cost(question, decideRebac(table.runtime), asked, 'strong')
      console.log(
        groups,
        question,
        by,
        { cold: cold.roundTrips, warm: warm.roundTrips, strong: strong.roundTrips, again: again.roundTrips },
        cold.requests,
        warm.requests,
      )
      const { warm: whenWarm, cold: whenCold } = allowed[question]
      expect(cold.roundTrips).toBeLessThanOrEqual(whenCold + further)
      expect(warm.roundTrips).toBeLessThanOrEqual(whenWarm + further)
      expect(strong.roundTrips).toBeLessThanOrEqual(whenCold + further)
      expect(again.roundTrips).toBeLessThanOrEqual(strong.roundTrips)
    })
  })
})
