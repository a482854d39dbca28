import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { loadRange, loadRecord, loadRecords } from '../../decision/load.ts'
import { type LoadResult, type Records, wanted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import { User, UserGroupEdge, UserLocationEdge } from '../design.ts'

// Read by every decision at any consistency (spec rule 18): users, their names, their memberships.

/** The facts about a user at one location. */
export interface Facts {
  readonly user: LoadResult<Item<typeof User>>
  readonly membership: LoadResult<Item<typeof UserLocationEdge>>
  /** The user's edges to groups that say they are of this location. */
  readonly groups: Records<Item<typeof UserGroupEdge>>
}

/** One round trip, and one more for each further 1,000 groups of the user. */
export function factsOf(sources: Sources, userId: string, locationId: string): Promise<Facts> {
  const user = wanted(User, { userId })
  const membership = wanted(UserLocationEdge, { userId, locationId })
  return parallel(
    () => loadRecords(sources, [user, membership]),
    () => loadRange(sources, UserGroupEdge, placeOf(UserGroupEdge, { userId }), { equal: { locationId } }),
  ).then(([loaded, groups]) => ({ user: loaded(user), membership: loaded(membership), groups }))
}

/** A user with everything it is in. */
export interface Presence {
  readonly user: LoadResult<Item<typeof User>>
  readonly memberships: Records<Item<typeof UserLocationEdge>>
  readonly groups: Records<Item<typeof UserGroupEdge>>
}

/** One round trip, and one more for each further 1,000 locations or groups of the user. */
export async function presenceOf(sources: Sources, userId: string): Promise<Presence> {
  const [user, memberships, groups] = await parallel(
    () => loadRecord(sources, wanted(User, { userId })),
    () => loadRange(sources, UserLocationEdge, placeOf(UserLocationEdge, { userId })),
    () => loadRange(sources, UserGroupEdge, placeOf(UserGroupEdge, { userId })),
  )
  return { user, memberships, groups }
}
