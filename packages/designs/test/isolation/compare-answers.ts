import { parallelMap } from '@freehold/table/runtime'
import type { AccountDecider } from '../../src/account-management/decide.ts'
import { covers, type Grants, heldAt } from './grants.ts'

const strong = { consistency: 'strong' } as const
const everyone = { ...strong, limit: 1000 } as const

/** A place as a question names it, as far as it goes or by its own id alone. */
export function placeAsked(place: string, chain: readonly string[], isBare: boolean): Readonly<Record<string, string>> {
  const named = (text: string) => text.split(' ')
  return Object.fromEntries((isBare ? [place] : chain).map(named))
}

const sorted = (texts: Iterable<string>) => [...new Set(texts)].sort()

/** The answers of a question and those of the items, where the two differ. */
function unlike(asked: string, told: Iterable<string>, said: Iterable<string>): string[] {
  const [found, expected] = [sorted(told).join(', '), sorted(said).join(', ')]
  return found === expected ? [] : [`${asked} is answered ${found || 'nothing'}, and the items say ${expected || 'nothing'}`]
}

export const patternsHeld = (grants: Grants, user: string, place: string): ReadonlySet<string> =>
  new Set(heldAt(grants, user, place).map(({ pattern }) => pattern))

const may = (grants: Grants, user: string, place: string, permission: string) =>
  heldAt(grants, user, place).some(({ pattern }) => covers(pattern, permission))

/** Scopes at which a user was given what covers a permission, and it counts now. */
function grantingScopes(grants: Grants, user: string, permission: string): readonly string[] {
  return [...grants.places.keys()].filter((place) => may({ ...grants, places: new Map([[place, [place]]]) }, user, place, permission))
}

/**
 * Whether the decisions say of all users at all places of a client what its items say, all of it at this moment: `what` for each user and place,
 * `who` for each place, `where` for each user, with and without all that is beneath. Gives what they say otherwise.
 */
export async function disagreements(decider: AccountDecider, grants: Grants, permission: string): Promise<readonly string[]> {
  const users = [...grants.standing]
  const places = [...grants.places]
  const ofUsersAtPlaces = await parallelMap(
    users.flatMap((user) => places.map(([place, chain]) => ({ user, place, chain }))),
    async ({ user, place, chain }, index) => {
      const { items } = await decider.what({ user, ...placeAsked(place, chain, index % 2 === 0) }, everyone)
      const told = items.map(({ permission: { module, action, resource } }) => `${module}:${action}:${resource}`)
      return unlike(`what ${user} at ${place}`, told, patternsHeld(grants, user, place))
    },
  )
  const ofPlaces = await parallelMap(places, async ([place, chain], index) => {
    const { items } = await decider.who({ ...placeAsked(place, chain, index % 2 === 1), permission }, everyone)
    const said = users.filter((user) => may(grants, user, place, permission))
    return unlike(
      `who ${permission} at ${place}`,
      items.map(({ user_id }) => user_id),
      said,
    )
  })
  const ofUsers = await parallelMap(users, async (user) => {
    const scopes = grantingScopes(grants, user, permission)
    const own = await decider.where({ user, permission }, everyone)
    const all = await decider.where({ user, permission }, { ...everyone, expand: true })
    const beneath = places.flatMap(([place, chain]) => (chain.some((each) => scopes.includes(each)) ? [place] : []))
    const texts = ({ items }: typeof own) => items.map(({ scope_type, scope_id }) => `${scope_type} ${scope_id}`)
    return [
      ...unlike(`where ${user} ${permission}`, texts(own), scopes),
      ...unlike(`everywhere ${user} ${permission}`, texts(all), beneath),
    ]
  })
  return [...ofUsersAtPlaces, ...ofPlaces, ...ofUsers].flat()
}
