import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { idOf, locationItems, membershipItems, removeLiterally, setLiterally, userItems, writeLiterally } from '../../test/literal-items.ts'
import { ada, adaInBerlin, berlin } from '../../test/organisation.ts'
import { ownTable } from '../../test/own-table.ts'
import { decideRebac } from './decide.ts'

// A name is looked up side by side with what hung on its id the last time. The guess saves a round trip, and decides nothing.

const eve = idOf('user', 2)
const munich = idOf('location', 2)
const byNames = { user: 'ada@example.org', location: 'BER01', page: 'plan' }
const { user, location, page } = byNames

async function prepared(now?: () => Date) {
  const table = await ownTable(now === undefined ? {} : { now })
  await writeLiterally(table.runtime, [
    ...adaInBerlin,
    ...userItems(eve, 'Eve'),
    ...locationItems(munich, 'MUC01'),
    ...membershipItems(ada, munich),
  ])
  const decider = decideRebac(table.runtime)
  expect(await decider.can(byNames)).toEqual({ allowed: true })
  return { table, decider }
}

describe.each(['bounded', 'strong'] as const)('a name that was looked up before, %s', (consistency) => {
  test('takes no round trip of its own', async () => {
    const { decider } = await prepared()
    const { cost } = await meter(() => decider.can(byNames, { consistency }))
    expect(cost.roundTrips).toBe(consistency === 'strong' ? 2 : 1)
  })

  test('is believed at once when it becomes the name of another user', async () => {
    const { table, decider } = await prepared()
    await setLiterally(table.runtime, { PK: 'EMAIL#ada@example.org', SK: 'META' }, 'userId', eve)
    expect(await decider.can(byNames, { consistency })).toMatchObject({ allowed: false, reason: { code: 'NoMembership' } })
    expect((await decider.what({ user, location }, { consistency })).items).toEqual([])
    expect((await decider.where({ user, page }, { consistency })).items).toEqual([])
  })

  test('is unknown at once when it is gone', async () => {
    const { table, decider } = await prepared()
    await removeLiterally(table.runtime, 'EMAIL#ada@example.org', 'META')
    expect(await decider.can(byNames, { consistency })).toMatchObject({ allowed: false, reason: { code: 'UnknownUser' } })
  })
})

test('a code that became that of another location is a definition: strong at once, bounded after the bound', async () => {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') }
  const { table, decider } = await prepared(() => new Date(clock.ms))
  const strong = decideRebac(table.runtime)
  await strong.can(byNames)
  await setLiterally(table.runtime, { PK: 'LOCATION_CODE#BER01', SK: 'META' }, 'locationId', munich)
  const denied = { allowed: false, reason: { code: 'NoGroup' } }
  expect(await strong.can(byNames, { consistency: 'strong' })).toMatchObject(denied)
  expect(await decider.can(byNames)).toEqual({ allowed: true })
  clock.ms += 5_000
  expect(await decider.can(byNames)).toMatchObject(denied)
  expect((await decider.who({ location, page })).items).toEqual([])
  expect((await decider.who({ location: berlin, page })).items).toHaveLength(1)
})
