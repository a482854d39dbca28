import { expect, test } from 'vitest'
import { signInFixtures } from '../calls/sign-in-calls.ts'
import type { Entry, Outcome } from '../record.ts'
import { checkGuesses, checkSignIns } from './check-sign-ins.ts'
import { made, refused, unsure } from './made-calls.ts'

// Histories of people, written by hand: each rule finds what breaks it, and nothing else.

const [ada, first, other] = ['ada', 'first', 'other']
const saying = (said?: string): Outcome => ({ is: 'ok', items: {}, pending: [], ...(said === undefined ? {} : { said }) })
const call = (name: string, at_ms: number, outcome: Outcome, input: object = {}): Entry => ({
  ...made('update', [at_ms, at_ms + 10], outcome),
  ...{ name: `account-management ${name}`, design: 'account-management', touches: [], input: { user: ada, ...input } },
})
const enter = (at_ms: number, session = 's', password = first) => call('signIn', at_ms, saying(session), { password })
const ask = (at_ms: number, said: 'in' | 'out') => call('isIn', at_ms, saying(said), { session: 's' })
const set = (at_ms: number, password: string, outcome = saying()) => call('setPassword', at_ms, outcome, { password })
const leave = (at_ms: number, outcome = saying('ended')) => call('signOut', at_ms, outcome, { session: 's' })
const disable = (at_ms: number, outcome = saying()) => call('disableUser', at_ms, outcome)
const enable = (at_ms: number) => call('enableUser', at_ms, saying())

test.each<[string, readonly Entry[], RegExp | undefined]>([
  ['a session that is used', [enter(0), ask(20, 'in')], undefined],
  ['a session that ended by itself', [enter(0), ask(20, 'out')], /nobody has ended it/],
  ['a wrong password', [enter(0, 's', signInFixtures.wrong)], /by a wrong password/],
  ['a session after signing out', [enter(0), leave(20), ask(40, 'in')], /goes on after .*signOut/],
  ['a session that signing out has not ended', [enter(0), leave(20, saying('in'))], /goes on after its sign-out/],
  ['a session beside signing out', [enter(0), leave(20), ask(25, 'in')], undefined],
  ['a session after signing out that is uncertain', [enter(0), leave(20, unsure), ask(40, 'in'), ask(60, 'out')], undefined],
  ['a session that ended after a refusal to sign out', [enter(0), leave(20, refused('Busy')), ask(40, 'out')], /nobody has ended it/],
  ['a session from before a password', [enter(0), set(20, first), ask(40, 'in')], /goes on after .*setPassword/],
  ['a session from beside a password', [enter(0), set(5, first), ask(40, 'in')], undefined],
  ['a session by a password that was replaced beside it', [enter(0), set(5, other), ask(40, 'in')], /goes on after .*setPassword/],
  ['a session by a password that came back', [enter(0), set(5, other), set(20, first), ask(40, 'in')], /goes on after/],
  ['a sign-in by a password that was replaced', [set(0, other), enter(20)], /is let in after .*setPassword/],
  ['a sign-in by a password that is replaced beside it', [set(0, other), enter(5)], undefined],
  ['a sign-in by a password that came back', [set(0, other), set(20, first), enter(40)], undefined],
  ['a sign-in by a password that may have come back', [set(0, other), set(20, first, unsure), enter(40)], undefined],
  ['a sign-in of somebody disabled', [disable(0), enter(20)], /is let in after .*disableUser/],
  ['a sign-in of somebody enabled', [disable(0), enable(20), enter(40)], undefined],
  [
    'a session from before somebody was disabled and enabled',
    [enter(0), disable(20), enable(40), ask(60, 'in')],
    /goes on after .*disable/,
  ],
  ['a session that a change may have ended', [enter(0), disable(20, unsure), ask(60, 'out')], undefined],
])('%s', (_, entries, finding) => {
  const messages = checkSignIns(entries).map(({ message }) => message)
  if (finding === undefined) expect(messages).toEqual([])
  else expect(messages).toEqual([expect.stringMatching(finding)])
})

test.each([
  [5, 5, 0],
  [5, 4, 1],
  [8, 8, 0],
  [9, 9, 1],
])('of %s guesses within three seconds %s were counted: %s finding', (judged, counted, findings) => {
  const guesses = Array.from({ length: judged }, (_, index) =>
    call('signIn', index === judged - 1 ? 2_990 : index, saying('wrong'), { user: signInFixtures.guessed }),
  )
  const after = new Map([['count', { Type: 'GuessCount', of: signInFixtures.count, guesses: counted }]])
  expect(checkGuesses(guesses, [{ design: {}, before: new Map(), after } as never])).toHaveLength(findings)
})
