import type { Asking } from '@freehold/designs'
import { type AccountDecider, decideAccountManagement } from '@freehold/designs/account-management'
import { type Cost, meter, type Runtime } from '@freehold/table'
import { type ClientOfSize, permissions } from './client-of-size.js'

/** What one asking cost, and how much it was answered with: a verdict, or so many items. */
export interface Asked {
  readonly cost: Cost
  readonly answer: boolean | number
}

/** A question as it is asked of each client. */
export interface Line {
  readonly question: string
  readonly about: string
  /** Must cost the same at any size. False where there is less to answer in a small client. */
  readonly isBound: boolean
  /** The answer that each must give; absent where it hangs on the size. */
  readonly answer?: boolean | number
  /** One asking for each user that it is asked about. */
  readonly asks: (of: ClientOfSize) => readonly ((decider: AccountDecider, how: Asking) => Promise<boolean | number>)[]
}

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

const ofUsers: readonly Line[] = kinds.flatMap(({ kind, about: who, permission }): Line[] => [
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

const denied: Line = {
  ...{ question: 'can', about: 'a plain user, denied', isBound: true, answer: false },
  asks: (of) => about('plain', permissions.lead, of).map((question) => async (decider, how) => (await decider.can(question, how)).allowed),
}

const everyone = (limit: number, isBound: boolean): Line => ({
  ...{ question: 'who', about: `all users, a page of ${limit}`, isBound },
  asks: ({ client }) => [
    async (decider, how) => (await decider.who({ client, permission: permissions.everyone }, { ...how, limit })).items.length,
  ],
})

/** All leads of a building and the administrators, by small pages. */
const walk: Line = {
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

export const lines: readonly Line[] = [
  denied,
  ...order.flatMap((question) => ofUsers.filter((line) => line.question === question)),
  everyone(fewLimit, true),
  everyone(pageLimit, false),
  walk,
]

export const states = ['warm', 'cold', 'strong'] as const
export type State = (typeof states)[number]

/** Out of reach, so that nothing grows cold while it is asked. */
const maxStalenessMs = 3_600_000

/** Asks a question in each state: with definitions in memory, with a memory that is empty, and past the memory. */
export async function ask(runtime: Runtime, line: Line, of: ClientOfSize): Promise<Readonly<Record<State, readonly Asked[]>>> {
  const asked: Record<State, Asked[]> = { warm: [], cold: [], strong: [] }
  for (const work of line.asks(of)) {
    const decider = decideAccountManagement(runtime, { maxStalenessMs })
    const metered = async (consistency: 'bounded' | 'strong'): Promise<Asked> => {
      const { result, cost } = await meter(() => work(decider, { consistency }))
      if (line.answer !== undefined && result !== line.answer)
        throw new Error(`${line.question} of ${line.about} answered ${result}, not ${line.answer}, with ${of.size.users} users.`)
      return { cost, answer: result }
    }
    asked.cold.push(await metered('bounded'))
    asked.warm.push(await metered('bounded'))
    asked.strong.push(await metered('strong'))
  }
  return asked
}
