import { type LoadResult, loadRange, loadRecord, placeOf, type Records, type Sources, wanted } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { User, UserGroupEdge, UserLocationEdge } from '../design.ts'

// Read by every decision at any consistency (spec rule 18): users, their names, their memberships.

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
