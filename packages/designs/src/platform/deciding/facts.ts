import {
  type LoadResult,
  type Lookup,
  loadLookup,
  loadNamed,
  loadRange,
  loadRecord,
  type Name,
  nameLookup,
  placeOf,
  type Records,
  type Sources,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { Account, User, UserEmail, UserGroup, UserWorkstream, Workstream } from '../design.ts'
import type { PlaceAsked } from './question.ts'

// Read by every decision at any consistency (spec rule 18): users, their names, accounts, workstreams, memberships.

/** An account, and the workstream that was asked for. */
export interface PlaceFacts {
  readonly account: LoadResult<Item<typeof Account>>
  /** Its key names the account, so that another account's is not found. */
  readonly workstream?: LoadResult<Item<typeof Workstream>> | undefined
}

/** A user at an account, or at one of its workstreams. */
export interface Facts extends Partial<PlaceFacts> {
  readonly userId: string
  readonly user: LoadResult<Item<typeof User>>
  /** The user's edge to the workstream that was asked for. */
  readonly membership?: LoadResult<Item<typeof UserWorkstream>> | undefined
  readonly groups: Records<Item<typeof UserGroup>>
}

const placeAt = ({ account, workstream }: PlaceAsked) => ({
  account: wanted(Account, { id: account }),
  workstream: workstream === undefined ? undefined : wanted(Workstream, { accountId: account, id: workstream }),
})

/** One round trip. */
export const placeFactsOf = (sources: Sources, asked: PlaceAsked): Promise<PlaceFacts> => loadNamed(sources, placeAt(asked))

const groupsOf = (sources: Sources, userId: string) => loadRange(sources, UserGroup, placeOf(UserGroup, { userId }))

/** One round trip, and one more for each further 1,000 groups of the user. */
export async function factsOf(sources: Sources, userId: string, asked: PlaceAsked): Promise<Facts> {
  const { workstream: workstreamId } = asked
  const membership = workstreamId === undefined ? undefined : wanted(UserWorkstream, { userId, workstreamId })
  const [facts, groups] = await parallel(
    () => loadNamed(sources, { user: wanted(User, { id: userId }), ...placeAt(asked), membership }),
    () => groupsOf(sources, userId),
  )
  return { userId, ...facts, groups }
}

/** A user with everything it is in. */
export interface Presence extends Pick<Facts, 'userId' | 'user' | 'groups'> {
  readonly workstreams: Records<Item<typeof UserWorkstream>>
}

/** One round trip, and one more for each further 1,000 groups or workstreams of the user. */
export async function presenceOf(sources: Sources, userId: string, hasWorkstreams: boolean): Promise<Presence> {
  const [user, groups, workstreams] = await parallel(
    () => loadRecord(sources, wanted(User, { id: userId })),
    () => groupsOf(sources, userId),
    async () => (hasWorkstreams ? loadRange(sources, UserWorkstream, placeOf(UserWorkstream, { userId })) : { found: [], unusable: [] }),
  )
  return { userId, user, groups, workstreams }
}

/** Users by their e-mail addresses. */
export function userLookup(sources: Sources, name: Name): Lookup<string> {
  const load = (email: string) => loadLookup(sources, wanted(UserEmail, { email }))
  return nameLookup(sources, 'user', name, load, ({ id }) => id)
}
