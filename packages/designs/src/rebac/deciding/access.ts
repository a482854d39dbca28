import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import { resolveNames } from '../../decision/lookup.ts'
import type { LoadResult, Unusable } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import type { Location } from '../design.ts'
import { type Locations, locationsOf, type PageDefinition, pages, type RolesOnPage } from './definitions.ts'
import { type Facts, factsOf } from './facts.ts'
import { type Grant, type Groups, grantsOf, groupsAndRoles } from './grants.ts'
import type { Access } from './question.ts'
import { locationLookup, userLookup } from './resolve.ts'

/** A user at a location, as far as there are such. */
export interface Situation extends Facts {
  readonly userId: string
  readonly locationId: string
  readonly location: LoadResult<Item<typeof Location>>
}

/** Facts and the location's node, side by side. */
export async function situationOf(sources: Sources, { user, location }: { user: string; location: string }): Promise<Situation> {
  const [facts, locations] = await parallel(
    () => factsOf(sources, user, location),
    () => locationsOf(sources, [location]),
  )
  return { ...facts, userId: user, locationId: location, location: nodeOf(locations, location) }
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
 * first time, or if the page has very many roles.
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
