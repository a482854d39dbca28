import { type Candidate, type LoadResult, loadRecords, type Sources, wanted } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { compareKeys } from '@freehold/table/runtime'
import { User, UserGroupEdge, UserLocationEdge } from '../design.ts'

/** A user whose membership of the location and of one of the groups holds. */
export interface Member {
  readonly user: Item<typeof User>
  readonly groupId: string
}

/** Edges of one user that are read at once. One is enough but for damage. */
const edgesAtOnceMax = 4

/**
 * Of these users, in their order, those who are live, belong to the location and are in one of their groups by the document's own edge:
 * the items that `can` decides by. One round trip; more only if edges are damaged.
 * @param flaws all records that were loaded are added to it
 */
export async function confirmed(
  sources: Sources,
  locationId: string,
  users: readonly Candidate<string>[],
  flaws: LoadResult<unknown>[],
): Promise<readonly Member[]> {
  const members = new Map<string, Member>()
  // The first group by its id is told: the reads come back in any order.
  const ordered = users.map(([userId, groupIds]): Candidate<string> => [userId, [...groupIds].sort(compareKeys)])
  for (let from = 0, open: readonly Candidate<string>[] = ordered; open.length > 0; from += edgesAtOnceMax) {
    const all = open.map(([userId, groupIds]) => ({
      userId,
      user: wanted(User, { userId }),
      membership: wanted(UserLocationEdge, { userId, locationId }),
      edges: groupIds.slice(from, from + edgesAtOnceMax).map((groupId) => wanted(UserGroupEdge, { userId, groupId })),
    }))
    const records = all.flatMap(({ user, membership, edges }) => [user, membership, ...edges])
    const loaded = await loadRecords(sources, records)
    const undecided = new Set<string>()
    for (const { userId, user, membership, edges } of all) {
      const node = loaded(user)
      const belongs = loaded(membership)
      const found = edges.map((edge) => loaded(edge))
      for (const each of [node, belongs, ...found]) flaws.push(each)
      if (node.state !== 'found' || belongs.state !== 'found') continue
      const edge = found.find((each) => each.state === 'found' && each.item.locationId === locationId)
      if (edge?.state === 'found') members.set(userId, { user: node.item, groupId: edge.item.groupId })
      else undecided.add(userId)
    }
    open = open.filter(([userId, groupIds]) => undecided.has(userId) && groupIds.length > from + edgesAtOnceMax)
  }
  return users.flatMap(([userId]) => members.get(userId) ?? [])
}
