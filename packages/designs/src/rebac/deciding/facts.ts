import type { Item } from '@freehold/table'
import { keyText, parallel, readCollection, readItem, readItems, tableKey } from '@freehold/table/runtime'
import { type Looked, look, lookAll, type Sorted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import { EmailIdentity, User, UserGroupEdge, UserLocationEdge } from '../design.ts'

// What every decision reads, whatever its consistency (spec rule 18): users, their names, their memberships.

/** What a user is at one location. */
export interface Facts {
  readonly user: Looked<Item<typeof User>>
  readonly membership: Looked<Item<typeof UserLocationEdge>>
  /** The user's edges to groups that say they are of this location. */
  readonly groups: Sorted<Item<typeof UserGroupEdge>>
}

/** One round trip, and one more for each further 1,000 groups of the user. */
export async function factsOf({ runtime }: Sources, userId: string, locationId: string): Promise<Facts> {
  const userKey = tableKey(User, { userId })
  const membershipKey = tableKey(UserLocationEdge, { userId, locationId })
  const { partition, range } = placeOf(UserGroupEdge, { userId })
  const [nodes, edges] = await parallel(
    () => readItems(runtime, [userKey, membershipKey], { consistent: true }),
    () => readCollection(runtime, partition, range, { equal: { locationId } }),
  )
  return {
    user: look(User, userKey, nodes.get(keyText(userKey))),
    membership: look(UserLocationEdge, membershipKey, nodes.get(keyText(membershipKey))),
    groups: lookAll(UserGroupEdge, edges),
  }
}

export async function userOfEmail({ runtime }: Sources, email: string): Promise<Looked<Item<typeof EmailIdentity>>> {
  const key = tableKey(EmailIdentity, { email })
  return look(EmailIdentity, key, await readItem(runtime, key, { consistent: true }))
}

/** A user with everything it is in. */
export interface Presence {
  readonly user: Looked<Item<typeof User>>
  readonly memberships: Sorted<Item<typeof UserLocationEdge>>
  readonly groups: Sorted<Item<typeof UserGroupEdge>>
}

/** One round trip, and one more for each further 1,000 locations or groups of the user. */
export async function presenceOf({ runtime }: Sources, userId: string): Promise<Presence> {
  const key = tableKey(User, { userId })
  const locations = placeOf(UserLocationEdge, { userId })
  const groups = placeOf(UserGroupEdge, { userId })
  const [user, memberships, edges] = await parallel(
    () => readItem(runtime, key, { consistent: true }),
    () => readCollection(runtime, locations.partition, locations.range),
    () => readCollection(runtime, groups.partition, groups.range),
  )
  return { user: look(User, key, user), memberships: lookAll(UserLocationEdge, memberships), groups: lookAll(UserGroupEdge, edges) }
}
