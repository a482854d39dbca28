import type { AccountDecider } from '../../src/account-management/decide.ts'
import { patternsHeld } from './compare-answers.ts'
import { covers, type Grants } from './grants.ts'

/** The questions that are asked again and again while a building moves: of one user, at the building. */
export interface Raced {
  readonly user: string
  readonly building: string
  readonly client: string
  readonly permission: string
}

/** Each way to ask about the building gives a text: what the user has there, or whether it may. */
const ways = {
  what: async (decider, { user, building }) => {
    const { items } = await decider.what({ user, building }, { consistency: 'strong', limit: 1000 })
    return items
      .map(({ permission: { module, action, resource } }) => `${module}:${action}:${resource}`)
      .sort()
      .join(', ')
  },
  can: async (decider, { user, building, permission }) =>
    String((await decider.can({ user, building, permission }, { consistency: 'strong' })).allowed),
  'can in its client': async (decider, { user, building, client, permission }) =>
    String((await decider.can({ user, client, building, permission }, { consistency: 'strong' })).allowed),
  who: async (decider, { user, building, permission }) => {
    const { items } = await decider.who({ building, permission }, { consistency: 'strong', limit: 1000 })
    return String(items.some(({ user_id }) => user_id === user))
  },
  everywhere: async (decider, { user, building, permission }) => {
    const { items } = await decider.where({ user, permission }, { consistency: 'strong', limit: 1000, expand: true })
    return String(items.some(({ building_id }) => building_id === building))
  },
} as const satisfies Record<string, (decider: AccountDecider, raced: Raced) => Promise<string>>
type Way = keyof typeof ways
const names = Object.keys(ways) as readonly Way[]

export interface Heard {
  readonly way: Way
  readonly answer: string
}

/** Asks in every way until the work is done, at least once each. */
export async function askedMeanwhile(decider: AccountDecider, raced: Raced, work: Promise<unknown>): Promise<readonly Heard[]> {
  let isDone = false
  const end = () => {
    isDone = true
  }
  const watched = work.then(end, end)
  const heard = await Promise.all(
    names.map(async (way) => {
      const answers: Heard[] = []
      do answers.push({ way, answer: await ways[way](decider, raced) })
      while (!isDone)
      return answers
    }),
  )
  await watched
  return heard.flat()
}

function saidBy(grants: Grants, { user, building, permission }: Raced, way: Way): string {
  const held = [...patternsHeld(grants, user, placeOf(building))]
  return way === 'what' ? held.sort().join(', ') : String(held.some((pattern) => covers(pattern, permission)))
}
const placeOf = (building: string) => `building ${building}`

/**
 * Answers that were right neither before nor afterwards. A list of places goes from one to the next: what moves to where it has been is not on it, as
 * with every list, so that it may lack the building and never has it too much.
 */
export function wrongAnswers(heard: readonly Heard[], raced: Raced, before: Grants, after: Grants): readonly string[] {
  return heard.flatMap(({ way, answer }) => {
    const right = [before, after].map((grants) => saidBy(grants, raced, way))
    if (way === 'everywhere') right.push('false')
    return right.includes(answer)
      ? []
      : [`${way} is answered ${answer || 'nothing'} while the building moves, and is ${right.join(' or ')}`]
  })
}

export const isChanged = (raced: Raced, before: Grants, after: Grants): boolean =>
  names.some((way) => saidBy(before, raced, way) !== saidBy(after, raced, way))
