import type { AccountDecider } from '@freehold/designs/account-management'
import type { Line } from './asked.js'
import { type ClientOfSize, permissions } from './client-of-size.js'

type AccountLine = Line<AccountDecider, ClientOfSize>
type Kind = keyof ClientOfSize['users']
const kinds = [
  { kind: 'plain', about: 'a plain user', permission: permissions.everyone },
  { kind: 'admin', about: 'an administrator', permission: permissions.admin },
  { kind: 'building', about: 'a user of a building', permission: permissions.lead },
] as const

const placeOf = ({ client, project, building }: ClientOfSize) => ({ client, project, building })

const pageLimit = 100
/** So few that a page of the smallest client is full, and more follow. */
const fewLimit = 5
const walkLimit = 2

function about(kind: Kind, permission: (typeof permissions)[keyof typeof permissions], of: ClientOfSize) {
  return of.users[kind].map((user) => ({ user, ...placeOf(of), permission }))
}

const ofUsers: readonly AccountLine[] = kinds.flatMap(({ kind, about: who, permission }): AccountLine[] => [
  {
    ...{ question: 'can', about: who, isBound: true, answer: true },
    asks: (of) => about(kind, permission, of).map((question) => async (decider, how) => (await decider.can(question, how)).allowed),
  },
  {
    ...{ question: 'why', about: who, isBound: true, answer: true },
    asks: (of) => about(kind, permission, of).map((question) => async (decider, how) => (await decider.why(question, how)).allowed),
  },
  {
    ...{ question: 'what', about: who, isBound: true },
    asks: (of) =>
      about(kind, permission, of).map(
        ({ permission: _, ...question }) =>
          async (decider, how) =>
            (await decider.what(question, how)).items.length,
      ),
  },
  {
    ...{ question: 'where', about: who, isBound: true, answer: 1 },
    asks: (of) => of.users[kind].map((user) => async (decider, how) => (await decider.where({ user, permission }, how)).items.length),
  },
  {
    ...{ question: 'access', about: who, isBound: true, answer: true },
    asks: (of) =>
      about(kind, permission, of).map(
        ({ permission: asked, ...question }) =>
          async (decider, how) =>
            (await decider.access(question, how)).can(asked),
      ),
  },
  {
    ...{ question: 'access', about: `${who}, everywhere`, isBound: true, answer: true },
    asks: (of) => of.users[kind].map((user) => async (decider, how) => (await decider.access({ user }, how)).can(permission, placeOf(of))),
  },
])

const denied: AccountLine = {
  ...{ question: 'can', about: 'a plain user, denied', isBound: true, answer: false },
  asks: (of) => about('plain', permissions.lead, of).map((question) => async (decider, how) => (await decider.can(question, how)).allowed),
}

const everyone = (limit: number, isBound: boolean): AccountLine => ({
  ...{ question: 'who', about: `all users, a page of ${limit}`, isBound },
  asks: ({ client }) => [
    async (decider, how) => (await decider.who({ client, permission: permissions.everyone }, { ...how, limit })).items.length,
  ],
})

/** All leads of a building and the administrators, by small pages. */
const walk: AccountLine = {
  ...{ question: 'who', about: `few of a building, in pages of ${walkLimit}`, isBound: true, answer: 5 },
  asks: (of) => [
    async (decider, how) => {
      let count = 0
      for (let cursor: string | undefined, isLast = false; !isLast; isLast = cursor === undefined) {
        const page = await decider.who({ ...placeOf(of), permission: permissions.lead }, { ...how, limit: walkLimit, cursor })
        count += page.items.length
        cursor = page.cursor
      }
      return count
    },
  ],
}

const order = ['can', 'why', 'what', 'where', 'access'] as const

export const lines: readonly AccountLine[] = [
  denied,
  ...order.flatMap((question) => ofUsers.filter((line) => line.question === question)),
  everyone(fewLimit, true),
  everyone(pageLimit, false),
  walk,
]
