import { signInFixtures } from '../calls/sign-in-calls.ts'
import { type Entry, isOk, isRefused } from '../record.ts'
import type { TableRecord } from '../run-round.ts'
import { type Finding, latestOf } from './finding.ts'

const rule = 'sign-ins'

/** What a call of `sign-in-calls.ts` is about. */
interface About {
  readonly user: string
  readonly password?: string
  readonly session?: string
}
// Those calls alone have these names, and such an input.
const about = ({ input }: Entry) => input as About
const said = ({ outcome }: Entry) => (outcome.is === 'ok' ? outcome.said : undefined)
/** Until when it may have its effect. */
const latest = (entry: Entry) => (isOk(entry) ? entry.end_ms : latestOf(entry))

/**
 * Nobody is let in by a password that is none, or who is out: by a password that was replaced, once disabled, after signing out, or in a session from before
 * a change that signs out. And nobody is put out without a cause.
 */
export function checkSignIns(all: readonly Entry[]): Finding[] {
  const entries = all.filter(({ design }) => design === 'account-management')
  const named = (name: string) => entries.filter((entry) => entry.name === `account-management ${name}` && !isRefused(entry))
  const [sets, disables, enables, signOuts] = ['setPassword', 'disableUser', 'enableUser', 'signOut'].map(named) as [
    Entry[],
    Entry[],
    Entry[],
    Entry[],
  ]
  const signIns = named('signIn').filter(isOk)
  const found: Finding[] = []
  const find = (message: string, ...shown: readonly Entry[]) => found.push({ rule, message, entries: shown })

  /** A change that was acknowledged before an instant, and that nothing may have undone until the end of a call. */
  const lasting = (changes: readonly Entry[], undone: (by: Entry) => boolean, before_ms: number, until_ms: number) =>
    changes.find(
      (change) =>
        isOk(change) &&
        change.end_ms < before_ms &&
        ![...sets, ...enables].some((by) => undone(by) && latest(by) >= change.start_ms && by.start_ms <= until_ms),
    )
  /** Why a user with a password is out throughout a call, if that is certain. */
  const outOf = ({ user, password }: About, { start_ms, end_ms }: Entry): Entry | undefined =>
    lasting(
      sets.filter((each) => about(each).user === user && about(each).password !== password),
      (by) => about(by).user === user && about(by).password === password,
      start_ms,
      end_ms,
    ) ??
    lasting(
      disables.filter((each) => about(each).user === user),
      (by) => about(by).user === user && about(by).password === undefined,
      start_ms,
      end_ms,
    )

  const begun = new Map<string, Entry>()
  for (const entry of signIns) {
    const { user, password } = about(entry)
    const session = said(entry) ?? ''
    if (['no', 'wrong', 'wait', 'gone'].includes(session)) continue
    begun.set(session, entry)
    if (password === signInFixtures.wrong) find(`${user} is let in by a wrong password`, entry)
    const out = outOf({ user, ...(password === undefined ? {} : { password }) }, entry)
    if (out !== undefined) find(`${user} is let in after ${out.name}`, out, entry)
  }
  for (const out of signOuts.filter((each) => said(each) === 'in')) find(`A session of ${about(out).user} goes on after its sign-out`, out)
  for (const question of named('isIn').filter(isOk)) {
    const { user, session = '' } = about(question)
    const begin = begun.get(session)
    if (begin === undefined) continue
    const enders = [...sets, ...disables, ...signOuts].filter((each) =>
      each.name.endsWith(' signOut') ? about(each).session === session : about(each).user === user,
    )
    if (said(question) === 'in') {
      const ended = enders.find(
        (each) =>
          isOk(each) &&
          each.end_ms < question.start_ms &&
          (each.name.endsWith(' signOut') ? said(each) === 'ended' : each.start_ms > begin.end_ms),
      )
      const out = ended ?? outOf(about(begin), question)
      if (out !== undefined) find(`A session of ${user} goes on after ${out.name}`, begin, out, question)
    } else if (!enders.some((each) => latest(each) >= begin.start_ms && each.start_ms <= question.end_ms))
      find(`A session of ${user} ended, and nobody has ended it`, begin, question)
  }
  return found
}

const free = 5

/** Each guess that was judged was counted, and no more are judged than the delays between them let through. */
export function checkGuesses(all: readonly Entry[], tables: readonly TableRecord[]): Finding[] {
  const judged = all.filter((entry) => about(entry)?.user === signInFixtures.guessed && said(entry) === 'wrong')
  if (judged.length === 0) return []
  const took_s = (Math.max(...judged.map(({ end_ms }) => end_ms)) - Math.min(...judged.map(({ start_ms }) => start_ms))) / 1000
  // The delays are a second, two, four, and so on.
  const most = free + Math.floor(Math.log2(took_s + 1)) + 1
  const counts = tables.flatMap(({ after }) =>
    [...after.values()].filter(({ Type, of }) => Type === 'GuessCount' && of === signInFixtures.count),
  )
  const counted = Number(counts[0]?.guesses ?? 0)
  const message = `Of ${judged.length} guesses in ${took_s.toFixed(1)} s ${counted} were counted, and ${most} may be judged`
  return judged.length > most || counted < judged.length ? [{ rule, message, entries: judged }] : []
}
