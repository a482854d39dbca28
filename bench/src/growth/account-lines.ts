import type { PlatformDecider } from '@freehold/designs/platform'
import type { AccountOfSize } from './account-of-size.js'
import type { Line } from './asked.js'

type PlatformLine = Line<PlatformDecider, AccountOfSize>

const kinds = [
  { kind: 'plain', about: 'a plain user', menu: 'portal', action: 'view' },
  { kind: 'admin', about: 'an administrator', menu: 'billing', action: 'delete' },
] as const

const placeOf = ({ account, workstreams }: AccountOfSize) => ({ account, workstream: workstreams.all })
const addressOf = (user: string) => `${user}@example.org`

const ofUsers: readonly PlatformLine[] = kinds.flatMap(({ kind, about, menu, action }): PlatformLine[] => [
  {
    ...{ question: 'can', about, isBound: true, answer: true },
    asks: (of) =>
      of.users[kind].map((user) => async (decider, how) => (await decider.can({ user, ...placeOf(of), menu, action }, how)).allowed),
  },
  {
    ...{ question: 'can', about: `${about}, by address`, isBound: true, answer: true },
    asks: (of) =>
      of.users[kind].map(
        (user) => async (decider, how) => (await decider.can({ user: addressOf(user), ...placeOf(of), menu, action }, how)).allowed,
      ),
  },
  {
    ...{ question: 'why', about, isBound: true, answer: true },
    asks: (of) =>
      of.users[kind].map((user) => async (decider, how) => (await decider.why({ user, ...placeOf(of), menu, action }, how)).allowed),
  },
  {
    ...{ question: 'what', about, isBound: true, answer: kind === 'plain' ? 2 : 8 },
    asks: (of) => of.users[kind].map((user) => async (decider, how) => (await decider.what({ user, ...placeOf(of) }, how)).items.length),
  },
  {
    ...{ question: 'where', about, isBound: true, answer: 1 },
    asks: (of) => of.users[kind].map((user) => async (decider, how) => (await decider.where({ user, menu, action }, how)).items.length),
  },
  {
    ...{ question: 'access', about: `${about}, everywhere`, isBound: true, answer: true },
    asks: (of) =>
      of.users[kind].map((user) => async (decider, how) => (await decider.access({ user }, how)).can({ menu, action }, placeOf(of))),
  },
])

const denied: PlatformLine = {
  ...{ question: 'can', about: 'a plain user, denied', isBound: true, answer: false },
  asks: (of) =>
    of.users.plain.map(
      (user) => async (decider, how) => (await decider.can({ user, ...placeOf(of), menu: 'billing', action: 'edit' }, how)).allowed,
    ),
}

const who = (
  about: string,
  limit: number,
  more: { isBound: boolean; answer?: number },
  placeAt: (of: AccountOfSize) => object,
): PlatformLine => ({
  ...{ question: 'who', about, ...more },
  asks: (of) => [
    async (decider, how) =>
      (await decider.who({ account: of.account, ...placeAt(of), menu: 'portal', action: 'view' }, { ...how, limit })).items.length,
  ],
})

const order = ['can', 'why', 'what', 'where', 'access'] as const

export const platformLines: readonly PlatformLine[] = [
  denied,
  ...order.flatMap((question) => ofUsers.filter((line) => line.question === question)),
  who('all users, a page of 5', 5, { isBound: true, answer: 5 }, () => ({})),
  who('all users, a page of 100', 100, { isBound: false }, () => ({})),
  who('of a workstream of few, a page of 4', 4, { isBound: true, answer: 4 }, ({ workstreams }) => ({ workstream: workstreams.few })),
]
