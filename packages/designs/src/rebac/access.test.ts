import { describe, expect, test } from 'vitest'
import { type AccessCase, accessCases, Ids, organisationItems } from '../../test/access-cases.ts'
import { removeLiterally, setLiterally, writeLiterally } from '../../test/literal-items.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

const { organisation, cases } = accessCases(new URL('./cases/access.cases.yaml', import.meta.url))

/** The case's table, and its question with the ids that the lists must name. */
async function prepared({ add = {}, remove = [], set = [], question = {}, about = {} }: AccessCase) {
  const all = [organisation, add]
  const ids = new Ids(all)
  const table = await ownTable()
  await writeLiterally(
    table.runtime,
    all.flatMap((each) => organisationItems(each, ids, all)),
  )
  for (const [PK, SK] of remove) await removeLiterally(table.runtime, ids.in(PK), ids.in(SK))
  for (const [PK, SK, name, value] of set) {
    await setLiterally(table.runtime, { PK: ids.in(PK), SK: ids.in(SK) }, name, typeof value === 'string' ? ids.in(value) : value)
  }
  const { user = '$ada', location = '$ber', page = 'plan' } = question
  return {
    table,
    asked: { user: ids.in(user), location: ids.in(location), page },
    about: { user: ids.of(about.user ?? 'ada'), location: ids.of(about.location ?? 'ber'), page: page.trim() },
  }
}

describe.each(cases)('$name', (one) => {
  const allowed = one.answer === 'allowed'

  test.each(['bounded', 'strong'] as const)(`is answered alike by all five questions, %s: ${allowed}`, async (consistency) => {
    const { table, asked, about } = await prepared(one)
    const { user, location, page } = asked
    const decider = decideRebac(table.runtime)
    const can = await decider.can(asked, { consistency })
    const why = await decider.why(asked, { consistency })
    const what = await decider.what({ user, location }, { consistency })
    const who = await decider.who({ location, page }, { consistency })
    const where = await decider.where({ user, page }, { consistency })
    const lists = {
      what: what.items.some((item) => item.page === about.page),
      who: who.items.some(({ userId }) => userId === about.user),
      where: where.items.some(({ locationId }) => locationId === about.location),
    }
    expect(can).toEqual(one.answer === 'allowed' ? { allowed } : { allowed, reason: expect.objectContaining(one.answer) })
    expect({ ...why, chains: [], missing: [] }).toEqual({ ...can, chains: [], missing: [] })
    expect(why.chains.length > 0).toBe(allowed)
    expect(why.missing.length > 0).toBe(!allowed)
    for (const [question, is] of Object.entries(lists)) {
      if (!one.differs?.some((name) => name === question)) expect({ [question]: is }).toEqual({ [question]: allowed })
    }
  })
})
