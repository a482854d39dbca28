import type { Consistency } from '@freehold/frame/decision'
import { connect } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { allAnswers, expectedAnswers, snapshotAnswer } from '../../test/access-answers.ts'
import { accountWork } from '../../test/account-flows.ts'
import { heldSender } from '../../test/held-sender.ts'
import { itemsWith, type Revocation, revocations } from '../../test/revocations.ts'
import { decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'

async function prepared({ role, question = {} }: Revocation) {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z') }
  const { table, flows } = await accountWork({ now: () => new Date(clock.ms) })
  await restoreItems(table.runtime, itemsWith(role))
  const decider = decideAccountManagement(table.runtime)
  return {
    clock,
    table,
    flows,
    answers: (consistency: Consistency) => allAnswers(decider, question, consistency),
    snapshot: (consistency: Consistency) => snapshotAnswer(decider, question, consistency),
  }
}

describe.each(revocations)('after $what was taken away', (revocation) => {
  const { isDefinition, unchanged, revoke } = revocation
  const allowed = expectedAnswers(true)
  const denied = expectedAnswers(false, unchanged)

  test('the next strong decision denies, at the same instant and with everything in memory', async () => {
    const { table, flows, answers } = await prepared(revocation)
    expect(await answers('bounded')).toEqual(allowed)
    await revoke({ table, flows })
    expect(await answers('strong')).toEqual(denied)
  })

  test(`a bounded decision denies ${isDefinition ? 'once the bound is over' : 'at once'}`, async () => {
    const { clock, table, flows, answers } = await prepared(revocation)
    expect(await answers('bounded')).toEqual(allowed)
    await revoke({ table, flows })
    if (isDefinition) {
      clock.ms += 4_999
      expect(await answers('bounded')).toEqual(allowed)
      clock.ms += 1
    }
    expect(await answers('bounded')).toEqual(denied)
  })

  test(`a snapshot denies once it is over${isDefinition ? ', also one that was taken within the bound' : ''}`, async () => {
    const { clock, table, flows, snapshot } = await prepared(revocation)
    const before = [await snapshot('strong'), await snapshot('bounded')]
    await revoke({ table, flows })
    clock.ms += 4_999
    const late = await snapshot('bounded')
    expect([...before, late].map((says) => says())).toEqual([true, true, isDefinition])
    clock.ms += 1
    expect([...before, late].map((says) => says())).toEqual([false, false, isDefinition])
    clock.ms += 4_999
    expect(late()).toBe(false)
  })
})

/** Roles, what is above them, their links, and the catalogue: not assignments, whose sort keys begin alike. */
const isOfDefinition = (places: string) => /"S":"(ROLE#[0-9a-f]{8}-|ROLE_PARENTS#|SYSTEM")/.test(places)

describe.each(revocations.filter(({ isDefinition }) => isDefinition))(
  'while $what is read, and taken away before the answer arrives',
  (one) => {
    async function underWay() {
      const { clock, table, flows } = await prepared(one)
      const { sender, ...network } = heldSender()
      const lagging = connect(accountManagement, { table: table.runtime.table, sender, now: table.runtime.now })
      const decider = decideAccountManagement(lagging.runtime)
      network.hold(isOfDefinition)
      const asked = allAnswers(decider, {}, 'bounded')
      await network.held()
      network.pass()
      await one.revoke({ table, flows })
      const end = () => {
        network.release()
      }
      return { clock, decider, asked, network, end }
    }
    const denied = expectedAnswers(false)

    test('a strong decision that begins after it does not wait for that answer, nor believe it', async () => {
      const { decider, asked, network, end } = await underWay()
      expect(await allAnswers(decider, {}, 'strong')).toEqual(denied)
      network.release()
      await asked
      expect(await allAnswers(decider, {}, 'strong')).toEqual(denied)
      end()
    })

    test('the bound is counted from when it was asked for', async () => {
      const { clock, decider, asked, network, end } = await underWay()
      clock.ms += 5_000
      network.release()
      await asked
      expect(await allAnswers(decider, {}, 'bounded')).toEqual(denied)
      end()
    })
  },
)
