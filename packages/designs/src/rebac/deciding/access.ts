import type { Item } from '@freehold/table'
import { parallel } from '@freehold/table/runtime'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import type { Location } from '../design.ts'
import { locationDefinitions, type PageDefinition, pageDefinition } from './definitions.ts'
import { type Facts, factsOf } from './facts.ts'
import { type Grant, type Groups, grantsOf, groupsAndStandings, type Standings } from './grants.ts'
import type { Access } from './question.ts'
import { resolved } from './resolve.ts'

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
    () => locationDefinitions(sources, [location]),
  )
  return { ...facts, userId: user, locationId: location, location: nodeOf(locations, location) }
}

/** `locationDefinitions` gives one for each id that it is asked for. */
export function nodeOf<T>(nodes: ReadonlyMap<string, T>, id: string): T {
  return nodes.get(id) as T
}

/** Everything that one question of access was decided by. */
export interface Findings {
  readonly asked: Access
  readonly ids: { readonly user: string | undefined; readonly location: string | undefined }
  /** Looked-up names that are not there. */
  readonly unusable: readonly LoadResult<unknown>[]
  readonly situation: Situation | undefined
  readonly page: PageDefinition
  readonly groups: Groups
  readonly standings: Standings
  readonly grants: readonly Grant[]
}

/**
 * The document's access control flow. One round trip with warm definitions; cold or strong two, or three where a name has to be looked up that
 * was not looked up before, or where the page has very many roles.
 */
export async function findingsOf(sources: Sources, asked: Access): Promise<Findings> {
  const [{ ids, unusable, read: situation, isLate }, page] = await parallel(
    () => resolved(sources, { user: asked.user, location: asked.location }, (known) => situationOf(sources, known)),
    () => pageDefinition(sources, asked.page),
  )
  const nothing: Findings = { asked, ids, unusable, situation, page, groups: new Map(), standings: new Map(), grants: [] }
  const nodes = [situation?.user, situation?.location, page.node]
  if (situation === undefined || nodes.some((node) => node?.state !== 'found')) return nothing
  const edges = situation.groups.found
  const { groups, standings } = await groupsAndStandings(
    sources,
    edges.map(({ groupId }) => groupId),
    { name: asked.page, definition: page },
    isLate,
  )
  const grants = situation.membership.state === 'found' ? grantsOf(edges, situation.locationId, groups, standings) : []
  return { ...nothing, groups, standings, grants }
}
