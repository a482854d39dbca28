import type { Consistency } from '@freehold/frame/decision'
import { type ConnectOptions, connect, isFreeholdError } from '@freehold/table'
import { restoreItems } from '@freehold/table/testing'
import { describe, expect, test } from 'vitest'
import { type AccessAnswer, accessAnswers, snapshotAnswer } from '../../test/access-answers.ts'
import { accountWork } from '../../test/account-flows.ts'
import { assignment, idOf, user } from '../../test/account-items.ts'
import { acme, ada, camera, pier, reader } from '../../test/account-organisation.ts'
import { engineSender } from '../../test/own-table.ts'
import { itemsWith, type Revocation, revocations } from '../../test/revocations.ts'
import { type AccountDecider, decideAccountManagement } from './decide.ts'
import { accountManagement } from './design.ts'
import type { AccountTable } from './flows/account-host.ts'

// Access is taken away while many ask for it, by several connections with memories of their own, and while others write beside it.

/** How late a bounded decision may be to see a definition; and how long a snapshot holds. */
const bound_ms = 5_000
/** So far the clock, which is injected, goes on with each question. */
const tick_ms = 60
const connections = 3
/** How each decider of a connection is asked, side by side: what strong questions read, bounded ones of the same decider then have in memory. */
const decidersOfConnection: readonly (readonly Consistency[])[] = [['strong', 'strong', 'bounded'], ['bounded']]
const bob = idOf('user', 2)

/** One decision, by the clock and in the order in which things happened. */
interface Decision {
  readonly consistency: Consistency
  /** `kept`: asked of a snapshot that was taken before. */
  readonly question: AccessAnswer | 'kept'
  readonly isAllowed: boolean
  /** Milliseconds by the clock. */
  readonly beganAt_ms: number
  /** Whether it ended before the revocation was begun, was under way meanwhile, or began after it was acknowledged. */
  readonly when: 'before' | 'meanwhile' | 'after'
}

/** How late this decision may still allow, in milliseconds after the revocation was acknowledged; 0: not at all. */
function lateness_ms({ consistency, question }: Pick<Decision, 'consistency' | 'question'>, { isDefinition }: Revocation): number {
  return (consistency === 'bounded' && isDefinition ? bound_ms : 0) + (question === 'kept' ? bound_ms : 0)
}

/** The revocation, as far as the askers know it. */
interface State {
  clock_ms: number
  isBegun: boolean
  /** When it was acknowledged, by the clock. */
  acknowledgedAt_ms: number | undefined
  /** Everyone stops: all has been asked, or something failed. */
  isEnded: boolean
}

interface Asker {
  readonly decider: AccountDecider
  readonly consistency: Consistency
  readonly questions: readonly AccessAnswer[]
}

type Snapshot = Awaited<ReturnType<typeof snapshotAnswer>>

/**
 * Asks one question after the other, and with each the snapshot that was taken last, until each was asked once when nothing may be allowed any
 * more. Calls `isWarm` once each was asked.
 */
async function ask(asker: Asker, revocation: Revocation, state: State, isWarm: () => void) {
  const { decider, consistency, questions } = asker
  const more = revocation.question ?? {}
  const decisions: Decision[] = []
  const decide = async (question: Decision['question'], answer: () => boolean | Promise<boolean>) => {
    const [beganAt_ms, isAfter] = [state.clock_ms, state.acknowledgedAt_ms !== undefined]
    const isAllowed = await answer()
    decisions.push({ consistency, question, isAllowed, beganAt_ms, when: isAfter ? 'after' : state.isBegun ? 'meanwhile' : 'before' })
  }
  let kept: Snapshot = await snapshotAnswer(decider, more, consistency)
  for (let asked = 0, over = 0; over < questions.length && !state.isEnded; asked++) {
    if (asked === questions.length) isWarm()
    const question = questions[asked % questions.length] ?? 'can'
    const { acknowledgedAt_ms = Number.POSITIVE_INFINITY } = state
    if (state.clock_ms >= acknowledgedAt_ms + lateness_ms({ consistency, question }, revocation)) over++
    state.clock_ms += tick_ms
    await decide(question, () => accessAnswers[question](decider, more, consistency))
    await decide('kept', kept)
    if (asked % questions.length === 0 && state.acknowledgedAt_ms === undefined) kept = await snapshotAnswer(decider, more, consistency)
  }
  return { decisions, decide, kept }
}

/**
 * Writes beside the revocation, to the same items and to others of the same places, until told to end. Gives the number of writes. Between two of
 * them it asks, since nobody who writes without a pause lets others write.
 */
async function writeBeside(table: AccountTable, decider: AccountDecider, role_id: string, isEnded: () => boolean): Promise<number> {
  const ofBob = { user_id: bob, role_id: reader, scope_type: 'building' as const, scope_id: pier }
  const writes = [
    (round: number) => table.User.update({ id: ada }, { title: `Countess ${round}` }),
    (round: number) => table.Role.update({ client_id: acme, id: role_id }, { description: `Round ${round}` }),
    (round: number) => table.Client.update({ id: acme }, { address: `${round} Harbour Road` }),
    () => table.UserRoleAssignment.remove(ofBob),
    () => table.UserRoleAssignment.create({ ...ofBob, role_owner: acme }),
  ]
  let count = 0
  for (let round = 0; !isEnded(); round++) {
    await decider.who({ building: pier, permission: camera }, { consistency: 'strong' })
    try {
      await writes[round % writes.length]?.(round)
      count++
    } catch (error) {
      // The item that it writes to may be the one that is taken away.
      const codes = ['NotFound', 'BeingDeleted', 'MissingEnd', 'InUse', 'AlreadyExists'] as const
      if (!codes.some((code) => isFreeholdError(error, code))) throw error
    }
  }
  return count
}

async function underLoad(revocation: Revocation) {
  const state: State = { clock_ms: Date.parse('2026-03-01T00:00:00.000Z'), isBegun: false, acknowledgedAt_ms: undefined, isEnded: false }
  // The clock runs ahead of what happens, so that patience by it is no patience.
  const options: ConnectOptions = { now: () => new Date(state.clock_ms), sleep: async () => {}, patience_ms: 86_400_000 }
  const { table, flows } = await accountWork(options)
  const beside = [...user(acme, bob, 'bob@example.org'), ...assignment(acme, bob, reader, 'building', pier)]
  await restoreItems(table.runtime, [...itemsWith(revocation.role), ...beside])
  const tables = Array.from({ length: connections }, () =>
    connect(accountManagement, { ...options, table: table.runtime.table, sender: engineSender() }),
  )
  // The answers that stay as they are say nothing here.
  const names = (Object.keys(accessAnswers) as AccessAnswer[]).filter((name) => !revocation.unchanged?.includes(name))
  const askers = tables.flatMap(({ runtime }) =>
    decidersOfConnection.flatMap((consistencies, index): Asker[] => {
      const decider = decideAccountManagement(runtime, { maxStalenessMs: bound_ms })
      // Each begins with another question.
      const questions = [...names.slice(index), ...names.slice(0, index)]
      return consistencies.map((consistency) => ({ decider, consistency, questions }))
    }),
  )
  let warm = 0
  let begin = () => {}
  const allWarm = new Promise<void>((resolve) => {
    begin = resolve
  })
  const revoke = async () => {
    await allWarm
    state.isBegun = true
    await revocation.revoke({ table, flows })
    state.acknowledgedAt_ms = state.clock_ms
  }
  const writing = Promise.all(
    tables.map((each) => writeBeside(each, decideAccountManagement(each.runtime), revocation.role, () => state.isEnded)),
  )
  const asking = Promise.all([
    Promise.all(askers.map((asker) => ask(asker, revocation, state, () => ++warm === askers.length && begin()))),
    revoke(),
  ])
  const [asked] = await asking.finally(() => {
    state.isEnded = true
  })
  // When every bound is over, what was kept is over with it.
  state.clock_ms = Math.max(state.clock_ms, (state.acknowledgedAt_ms ?? 0) + 2 * bound_ms)
  for (const { decide, kept } of asked) await decide('kept', kept)
  const decisions = asked.flatMap(({ decisions: own }) => own)
  const writes = (await writing).reduce((sum, count) => sum + count, 0)
  return { decisions, writes, acknowledgedAt_ms: state.acknowledgedAt_ms ?? Number.NaN }
}

describe.each(revocations)('while $what is taken away', (revocation) => {
  test('no decision allows that begins after it was acknowledged, or later than the bound where it is a definition', async ({
    annotate,
  }) => {
    const { decisions, writes, acknowledgedAt_ms } = await underLoad(revocation)
    const of = (when: Decision['when'], consistency: Consistency) =>
      decisions.filter((each) => each.when === when && each.consistency === consistency)
    // A snapshot is over after a while, whatever it says.
    const isOfSnapshot = ({ question }: Decision) => /kept|snapshot/.test(question)
    expect(decisions.filter((each) => each.when === 'before' && !isOfSnapshot(each) && !each.isAllowed)).toEqual([])
    const late = decisions
      .filter(({ when, isAllowed }) => when === 'after' && isAllowed)
      .map((decision) => ({ ...decision, late_ms: decision.beganAt_ms - acknowledgedAt_ms, max_ms: lateness_ms(decision, revocation) }))
    expect(late.filter(({ late_ms, max_ms }) => late_ms >= max_ms)).toEqual([])
    for (const consistency of ['strong', 'bounded'] as const) {
      expect(of('before', consistency).length).toBeGreaterThan(connections)
      expect(of('after', consistency).length).toBeGreaterThan(connections)
    }
    expect(writes).toBeGreaterThan(0)
    const counted = (['before', 'meanwhile', 'after'] as const).map(
      (when) => `${of(when, 'strong').length} strong and ${of(when, 'bounded').length} bounded ${when}`,
    )
    const told = (['fresh', 'kept'] as const).map((which) => {
      const ms = late.filter(({ question }) => (question === 'kept') === (which === 'kept')).map(({ late_ms }) => late_ms)
      return ms.length === 0 ? `none ${which} late` : `${ms.length} ${which} late, by ${Math.max(...ms)} ms at most`
    })
    await annotate([revocation.what, ...counted, ...told, `${writes} writes beside`].join('; '))
  })
})
