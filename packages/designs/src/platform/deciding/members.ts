import {
  type Candidate,
  type LoadResult,
  loadRange,
  loadRecords,
  placeOf,
  type Sources,
  wanted,
  withoutAbsent,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { compareKeys, parallel, parallelMap } from '@freehold/table/runtime'
import { User, UserGroup, UserWorkstream } from '../design.ts'
import { isOf } from './definitions.ts'
import type { PermittedUser, PlaceAsked } from './question.ts'
import { userRefusals } from './refusals.ts'

/** The granting groups of an account, each with the first of its roles that grants. */
export type Granting = ReadonlyMap<string, string>

type GroupEdge = Item<typeof UserGroup>

/** Edges of one user that are read at once. One is enough but for damage. */
const edgesAtOnceMax = 4

/** All groups of these users. One round trip, and one more for each further 1,000 groups of one. */
async function groupsOfUsers(sources: Sources, userIds: readonly string[], flaws: LoadResult<unknown>[]) {
  const all = await parallelMap(userIds, async (userId): Promise<[string, readonly GroupEdge[]]> => {
    const { found, unusable } = await loadRange(sources, UserGroup, placeOf(UserGroup, { userId }))
    for (const each of unusable) flaws.push(each)
    return [userId, found]
  })
  return new Map(all)
}

/**
 * Of these users, in their order, those whom nothing refuses and who are in a granting group by their own edge: the items that `can` decides by. One
 * round trip; a second one only if edges are damaged.
 * @param users each with the groups that list it; without one that grants, all groups of the user are read
 * @param flaws all records that were loaded are added to it
 */
export async function permittedMembers(
  sources: Sources,
  { account, workstream }: PlaceAsked,
  users: readonly Candidate<string>[],
  granting: Granting,
  flaws: LoadResult<unknown>[],
): Promise<readonly PermittedUser[]> {
  const all = users.map(([userId, groupIds]) => {
    const listing = groupIds.filter((groupId) => granting.has(groupId)).sort(compareKeys)
    return {
      ...{ userId, listing, user: wanted(User, { id: userId }) },
      membership: workstream === undefined ? [] : [wanted(UserWorkstream, { userId, workstreamId: workstream })],
      edges: listing.slice(0, edgesAtOnceMax).map((groupId) => wanted(UserGroup, { userId, groupId })),
    }
  })
  const unlisted = all.flatMap(({ userId, listing }) => (listing.length === 0 ? [userId] : []))
  const records = all.flatMap(({ user, membership, edges }) => [user, ...membership, ...edges])
  const [loaded, listed] = await parallel(
    () => loadRecords(sources, records),
    () => groupsOfUsers(sources, unlisted, flaws),
  )
  const grants = ({ groupId, accountId }: GroupEdge) => granting.has(groupId) && isOf(account)({ accountId })
  const open = all.flatMap(({ userId, listing, user, membership, edges }) => {
    const [node, at, found] = [loaded(user), membership.map((each) => loaded(each)), edges.map((each) => loaded(each))]
    for (const each of [node, ...at, ...found]) flaws.push(each)
    if (node.state !== 'found' || userRefusals(account, node.item, sources.runtime.now()).length > 0) return []
    if (!at.every((each) => each.state === 'found' && isOf(account)(each.item))) return []
    const known = listed.get(userId) ?? found.flatMap((each) => (each.state === 'found' ? [each.item] : []))
    return [{ user: node.item, edge: known.find(grants), isRest: listing.length > edgesAtOnceMax }]
  })
  const undecided = open.flatMap(({ user, edge, isRest }) => (edge === undefined && isRest ? [user.id] : []))
  const rest = undecided.length === 0 ? new Map<string, readonly GroupEdge[]>() : await groupsOfUsers(sources, undecided, flaws)
  return open.flatMap(({ user: { id: userId, email, firstName, lastName }, edge }): PermittedUser[] => {
    const { groupId } = edge ?? rest.get(userId)?.find(grants) ?? {}
    const roleId = groupId === undefined ? undefined : granting.get(groupId)
    if (groupId === undefined || roleId === undefined) return []
    return [{ userId, ...withoutAbsent({ email, firstName, lastName }), grantedBy: { groupId, roleId } }]
  })
}
