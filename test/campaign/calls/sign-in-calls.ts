import { createHash } from 'node:crypto'
import { type AccountFlows, type AccountTable, accountManagementModule, offeredAccountFlows } from '@freehold/designs/account-management'
import { type PasswordHashing, plainDataKeys, type SignIn, signInOf, type Throttle } from '@freehold/frame/credentials'
import { operator } from '@freehold/frame/flow'
import { type serviceDesign, throttleOn } from '@freehold/service'
import type { Table } from '@freehold/table'
import { randomOf, uuidOf } from '../random.ts'
import { type Choice, type Lane, type Plan, planOf } from './plan.ts'

const fixed = randomOf(8)
/** Contended by all lanes: so few, and so few passwords, that a lane often knows the one that another has set. */
const people = [uuidOf(fixed), uuidOf(fixed), uuidOf(fixed), uuidOf(fixed)] as const
const passwords = ['the first of both passwords', 'the second of both passwords'] as const
const guessed = uuidOf(fixed)
const addressOf = (id: string) => `${id}@signs-in.example`
const wrong = 'a password of nobody'

/** A hash at once: what it costs is no matter here. */
const hashOf = (password: string) =>
  `$argon2id$v=19$m=19456,t=2,p=1$c2FsdHNhbHRzYWx0$${createHash('sha256').update(password).digest('base64').replace('=', '')}`
const hashing: PasswordHashing = {
  hash: async (password) => hashOf(password),
  verify: async (password, stored) => hashOf(password) === stored,
  isOutdated: () => false,
}
/** The same in all processes. */
const keys = plainDataKeys(JSON.stringify({ keys: [{ id: 'campaign', key: Buffer.alloc(32, 7).toString('base64') }] }))

/** People who are there before the load begins, and stay. */
export async function preparePeople(flows: AccountFlows, client_id: string): Promise<void> {
  for (const id of [...people, guessed]) {
    await flows.inviteUser({ id, client_id, email: addressOf(id), user_type: 'client_admin' })
    await flows.acceptInvitation({ id, password_hash: hashOf(passwords[0]) })
  }
}

/** A sign-in reads, counts its guess, begins a session, and takes the guess back. */
const steps = 16
/** A change that signs out revokes before and after. */
const signingOutSteps = 32

/** People sign in and out, while others change their passwords and disable them. What is said is compared in `check-sign-ins.ts`. */
export function signInCalls(table: AccountTable, counts: Table<typeof serviceDesign>, { random, marker }: Lane): readonly Choice[] {
  const one = random.one
  const throttle = throttleOn(counts)
  const signInBy = (slowing: Throttle): SignIn =>
    signInOf({
      ...{ store: accountManagementModule.credentials(table as never), keys, throttle: slowing, hashing },
      ...{ now: () => table.runtime.now(), product: 'Campaign', sendLink: () => undefined },
    })
  const slowed = signInBy(throttle)
  // Counted, and never slowed: a person who was disabled for a while would wait for the rest of a round, and have no sessions.
  const signIn = signInBy({
    ...throttle,
    take: async (guessed) => {
      await throttle.take(guessed)
      return 0
    },
  })
  /** The sessions that this lane has begun. */
  const begun: { readonly text: string; readonly user: string; readonly session: string }[] = []
  /** Those of them that it has not signed out of. */
  const staying: typeof begun = []
  const call = (name: string, input: object, run: Plan['run'], more: Parameters<typeof planOf>[5] = {}) =>
    planOf('account-management', name, [], input, run, { steps, ...more })
  const from = () => ({ ip_address: `192.0.2.${random.below(250)}` })

  const enter = (user: string, password: string, asking = from()) =>
    call('signIn', { user, password }, async () => {
      const by = user === guessed ? slowed : signIn
      const done = await by.password({ address: addressOf(user), password }, asking)
      if (!('session' in done)) return { said: 'no' in done ? done.no : 'half' }
      const current = await signIn.session(done.session)
      // Ended at once by somebody else: nothing is known of it.
      if (current === undefined) return { said: 'gone' }
      const session = { text: done.session, user, session: current.name.id }
      begun.push(session)
      staying.push(session)
      return { said: current.name.id }
    })

  const changed = (name: 'setPassword' | 'disableUser' | 'enableUser', user: string, password?: string) => {
    const flows = offeredAccountFlows.of(table as never, { actor: operator, user_agent: marker() })
    const run = async () => {
      if (name === 'setPassword') return { result: await flows.setPassword({ id: user, password_hash: hashOf(password ?? '') }) }
      return { result: await flows[name]({ id: user }) }
    }
    return call(name, { user, password }, run, { steps: signingOutSteps, waits: true })
  }

  const within = (what: 'isIn' | 'signOut') => {
    // Older ones are mostly out by now, by somebody's change.
    const current = what === 'isIn' ? begun.slice(-4) : staying.splice(-1)
    if (current.length === 0) return undefined
    const { text, user, session } = one(current)
    return call(what, { user, session }, async () => {
      const found = await signIn.session(text)
      if (what === 'isIn') return { said: found === undefined ? 'out' : 'in' }
      if (found === undefined) return { said: 'out' }
      await signIn.end(found.name, from())
      return { said: (await signIn.session(text)) === undefined ? 'ended' : 'in' }
    })
  }

  return [
    { weight: 14, plan: () => enter(one(people), one(passwords)) },
    { weight: 2, plan: () => enter(one(people), wrong) },
    { weight: 4, plan: () => enter(guessed, wrong) },
    { weight: 20, plan: () => within('isIn') },
    { weight: 10, plan: () => within('signOut') },
    { weight: 3, plan: () => changed('setPassword', one(people), one(passwords)) },
    { weight: 2, plan: () => changed('disableUser', one(people)) },
    { weight: 5, plan: () => changed('enableUser', one(people)) },
  ]
}

/** Of the one about whom only wrong guesses are made, also the name of their count. */
export const signInFixtures = {
  ...{ guessed, wrong },
  count: `account-${createHash('sha256').update(addressOf(guessed)).digest('base64url')}`,
} as const
