import {
  type LoadResult,
  loadRange,
  loadRecords,
  placeOf,
  type Records,
  resolveNames,
  type Sources,
  type Unusable,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { type Location, User, UserGroupEdge, UserLocationEdge } from '../design.ts'
import { type Locations, locationsOf, type PageDefinition, pages, type RolesOnPage } from './definitions.ts'
import { type Grant, type Groups, grantsOf, groupsAndRoles } from './grants.ts'
import type { Access } from './question.ts'
import { locationLookup, userLookup } from './resolve.ts'

/** A user at a location, as far as there are such. */
export interface Situation {
  readonly userId: string
  readonly locationId: string
  readonly user: LoadResult<Item<typeof User>>
  readonly location: LoadResult<Item<typeof Location>>
  readonly membership: LoadResult<Item<typeof UserLocationEdge>>
  /** The user's edges to groups that say they are of this location. */
  readonly groups: Records<Item<typeof UserGroupEdge>>
}

/** One round trip, and one more for each further 1,000 groups of the user. */
export function situationOf(
  sources: Sources,
  { user: userId, location: locationId }: { user: string; location: string },
): Promise<Situation> {
  const user = wanted(User, { userId })
  const membership = wanted(UserLocationEdge, { userId, locationId })
  return parallel(
    () => loadRecords(sources, [user, membership]),
    () => loadRange(sources, UserGroupEdge, placeOf(UserGroupEdge, { userId }), { equal: { locationId } }),
    () => locationsOf(sources, [locationId]),
  ).then(([loaded, groups, locations]) => ({
    userId,
    locationId,
    user: loaded(user),
    location: nodeOf(locations, locationId),
    membership: loaded(membership),
    groups,
  }))
}

/** `locationsOf` gives one for each id that it is asked for. */
export function nodeOf(nodes: Locations, id: string): Situation['location'] {
  return nodes.get(id) as Situation['location']
}

/** Everything that one question of access was decided by. */
export interface Findings {
  readonly asked: Access
  readonly ids: { readonly user?: string; readonly location?: string }
  /** Looked-up names that are not there. */
  readonly unusable: readonly Unusable[]
  readonly situation: Situation | undefined
  readonly page: PageDefinition
  readonly groups: Groups
  readonly roles: RolesOnPage
  readonly grants: readonly Grant[]
}

/**
 * The document's access control flow. One round trip with warm definitions; cold or strong two, or three if a name is looked up for the
 * first time or has another id now, or if very many roles allow the page. Questions at the same time share what they load, and none waits longer for it.
 */
export async function findingsOf(sources: Sources, asked: Access): Promise<Findings> {
  const names = { user: userLookup(sources, asked.user), location: locationLookup(sources, asked.location) }
  const [{ ids, unusable, read: situation, isLate }, page] = await parallel(
    () => resolveNames(names, (known) => situationOf(sources, known)),
    () => pages.take(sources, asked.page),
  )
  const nothing: Findings = { asked, ids, unusable, situation, page, groups: new Map(), roles: new Map(), grants: [] }
  const nodes = [situation?.user, situation?.location, page.node]
  if (situation === undefined || nodes.some((node) => node?.state !== 'found')) return nothing
  const edges = situation.groups.found
  const groupIds = edges.map(({ groupId }) => groupId)
  const { groups, roles } = await groupsAndRoles(sources, groupIds, { name: asked.page, definition: page }, isLate)
  const grants = situation.membership.state === 'found' ? grantsOf(edges, situation.locationId, groups, roles) : []
  return { ...nothing, groups, roles, grants }
}
