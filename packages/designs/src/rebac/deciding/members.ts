import type { Item } from '@freehold/table'
import { parallelMap, tableKey } from '@freehold/table/runtime'
import { loadRecords, readRange } from '../../decision/load.ts'
import { type LoadResult, parseRecords, type Unusable, wanted } from '../../decision/record.ts'
import { placeOf, type Sources } from '../../decision/sources.ts'
import { GroupUserEdge, User, UserGroupEdge, UserLocationEdge } from '../design.ts'

/** Users of several groups, merged: each once, in the order of their ids. */
export interface Members {
  /** Each user's groups among those that were asked for. */
  readonly groups: ReadonlyMap<string, readonly string[]>
  /** Users after this one were not read; undefined where there are none. */
  readonly horizon: string | undefined
  readonly unusable: readonly Unusable[]
}

/** DynamoDB returns no more at once. */
const rangeMax = 1000

async function membersOf({ runtime }: Sources, groupId: string, after: string | undefined, limit: number) {
  const { partition, range } = placeOf(GroupUserEdge, { groupId })
  const start = after === undefined ? undefined : tableKey(GroupUserEdge, { groupId, userId: after }).SK
  const { items, isLast } = await readRange(runtime, partition, range, { limit, after: start })
  const last = items.at(-1)
  // The range begins with the prefix of its sort keys, so that what follows is the user's id, also of a malformed item.
  const horizon = isLast || last === undefined ? undefined : String(last.SK).slice(range.from.length)
  return { ...parseRecords(GroupUserEdge, items), horizon }
}

/** At least the first `count` users after `after`: one round trip, a request for each group. */
export async function membersAfter(
  sources: Sources,
  groupIds: readonly string[],
  after: string | undefined,
  count: number,
): Promise<Members> {
  const pages = await parallelMap(groupIds, (groupId) => membersOf(sources, groupId, after, Math.min(count, rangeMax)))
  const [horizon] = pages.flatMap((page) => page.horizon ?? []).sort()
  const groups = new Map<string, string[]>()
  for (const { userId, groupId } of pages.flatMap(({ found }) => found)) {
    if (horizon !== undefined && userId > horizon) continue
    const known = groups.get(userId)
    if (known === undefined) groups.set(userId, [groupId])
    else known.push(groupId)
  }
  const inOrder = [...groups].sort(([a], [b]) => (a < b ? -1 : 1))
  return { groups: new Map(inOrder), horizon, unusable: pages.flatMap(({ unusable }) => unusable) }
}

/** A user whose membership of the location and of one of the groups holds. */
export interface Member {
  readonly user: Item<typeof User>
  readonly groupId: string
}

/** Edges of one user that are read at once. One is enough but for damage. */
const edgesAtOnceMax = 4

interface Undecided {
  readonly userId: string
  readonly groupIds: readonly string[]
}

/**
 * Of these users, in their order, those who are live, belong to the location and are in one of their groups by the document's own edge:
 * the items that `can` decides by. One round trip; more only where edges are damaged.
 */
export async function confirmed(
  sources: Sources,
  locationId: string,
  users: readonly Undecided[],
): Promise<{ readonly members: readonly Member[]; readonly unusable: readonly LoadResult<unknown>[] }> {
  const members = new Map<string, Member>()
  const unusable: LoadResult<unknown>[] = []
  for (let from = 0, open = users; open.length > 0; from += edgesAtOnceMax) {
    const all = open.map(({ userId, groupIds }) => ({
      userId,
      user: wanted(User, { userId }),
      membership: wanted(UserLocationEdge, { userId, locationId }),
      edges: groupIds.slice(from, from + edgesAtOnceMax).map((groupId) => wanted(UserGroupEdge, { userId, groupId })),
    }))
    const loaded = await loadRecords(
      sources,
      all.flatMap(({ user, membership, edges }) => [user, membership, ...edges]),
    )
    const undecided = new Set<string>()
    for (const { userId, user, membership, edges } of all) {
      const node = loaded(user)
      const belongs = loaded(membership)
      const found = edges.map((edge) => loaded(edge))
      for (const each of [node, belongs, ...found]) if (each.state !== 'found') unusable.push(each)
      if (node.state !== 'found' || belongs.state !== 'found') continue
      const edge = found.find((each) => each.state === 'found' && each.item.locationId === locationId)
      if (edge?.state === 'found') members.set(userId, { user: node.item, groupId: edge.item.groupId })
      else undecided.add(userId)
    }
    open = open.filter(({ userId, groupIds }) => undecided.has(userId) && groupIds.length > from + edgesAtOnceMax)
  }
  return { members: users.flatMap(({ userId }) => members.get(userId) ?? []), unusable }
}
