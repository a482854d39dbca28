import { describe, expect, test } from 'vitest'
import { removeLiterally, setLiterally, writeLiterally } from '../../test/literal-items.ts'
import { ownTableOf } from '../../test/own-table.ts'
import { caseItems, caseQuestion, platformCases } from '../../test/platform-cases.ts'
import { decidePlatform } from './decide.ts'
import { platform } from './design.ts'
import { flagOf } from './snapshot/menu-flags.ts'

const { now, organisation, cases } = platformCases(new URL('./cases/access.cases.yaml', import.meta.url))

const refusalCodes = ['UserInactive', 'AccountSuspended', 'ForeignUser', 'NoMembership']
/** Reasons that do not hang on the place that is asked about. */
const ofUser = ['UnknownUser', 'UserInactive', 'AccountSuspended']

describe.each(cases)('$name', (one) => {
  const { remove = [], set = [], about = {}, answer, differs = [] } = one
  const allowed = answer === 'allowed'
  const asked = caseQuestion(one)

  test.each(['bounded', 'strong'] as const)(`is answered alike by all questions, %s: ${allowed}`, async (consistency) => {
    const table = await ownTableOf(platform, { now: () => new Date(now) })
    await writeLiterally(table.runtime, caseItems(organisation, one))
    for (const [PK, SK] of remove) await removeLiterally(table.runtime, PK, SK)
    for (const [PK, SK, name, value] of set) await setLiterally(table.runtime, { PK, SK }, name, value)
    const decider = decidePlatform(table.runtime)
    const { user, menu, action, ...place } = asked
    const can = await decider.can(asked, { consistency })
    const why = await decider.why(asked, { consistency })
    const what = await decider.what({ user, ...place }, { consistency })
    const who = await decider.who({ ...place, menu, action }, { consistency })
    const where = await decider.where({ user, menu, action }, { consistency, expand: true })
    const here = await decider.access({ user, ...place }, { consistency })
    const everywhere = await decider.access({ user }, { consistency })
    expect(can).toEqual(allowed ? { allowed } : { allowed, reason: expect.objectContaining(answer) })
    expect({ ...why, chains: [], missing: [] }).toEqual({ ...can, chains: [], missing: [] })
    expect({ chains: why.chains.length > 0, missing: why.missing.length > 0 }).toEqual({ chains: allowed, missing: !allowed })
    const [who_, at] = [about.user ?? 'ada', about.place ?? asked.workstream ?? asked.account]
    const permission = { menu: menu.trim(), action }
    const lists = {
      what: what.items.some((item) => item.menuKey === menu.trim() && item[flagOf[action]]),
      who: who.items.some(({ userId }) => userId === who_),
      where: where.items.some(({ accountId, workstreamId = accountId }) => workstreamId === at),
      here: here.can(permission),
      everywhere: everywhere.can(permission, place),
    }
    for (const [question, is] of Object.entries(lists))
      if (!differs.includes(question)) expect({ [question]: is }).toEqual({ [question]: allowed })
    if (allowed) return
    // Damage is told by every answer that it might have changed; what is not there or refuses, by the lists of a user at a place.
    if (answer.kind === 'fault') {
      const told = { what, who, where }
      for (const [question, { malformed = [] }] of Object.entries(told))
        if (!differs.includes(question)) expect({ [question]: malformed.length > 0 }).toEqual({ [question]: true })
      expect([here.reason?.code, everywhere.reason?.code]).toEqual(['MalformedItem', 'MalformedItem'])
    } else if (answer.kind === 'unknown' || refusalCodes.includes(answer.code)) {
      expect([what.reason, here.reason]).toEqual([can.reason, can.reason])
      if (ofUser.includes(answer.code)) expect([where.reason, everywhere.reason]).toEqual([can.reason, can.reason])
    }
  })
})
