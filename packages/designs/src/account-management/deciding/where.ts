import { compareKeys, keyText, type Page, readItems, tableKey, together } from '@freehold/table'
import type { Listed } from '../../decision/list.ts'
import { type Looked, look, malformedAmong } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { BuildingPlace } from '../design.ts'
import { type Grant, type Granting, grantedBy, grantOf } from './access.ts'
import { hierarchyOf } from './hierarchy.ts'
import type { Path, ScopeType } from './place.ts'
import type { Access } from './question.ts'
import { pathRemembered, rememberPath, resolved } from './resolve.ts'
import { type Assignment, type PlaceFacts, placesAt, presenceOf } from './situation.ts'
import { flawOf, isOpenPlace } from './standing.ts'

/** A place where the user may do this and everywhere beneath it, and one grant by which; `why` tells all. */
export type GrantingPlace = {
  readonly scope_type: ScopeType
  readonly scope_id: string
  readonly client_id: string
  readonly project_id?: string | undefined
  readonly building_id?: string | undefined
  readonly name: string
  readonly grantedBy: Grant
}

/** A scope in which something is granted, as far as it is known from its assignment. */
interface Granted {
  /** `{scope_type}#{scope_id}`: in this order scopes are listed. */
  readonly text: string
  readonly granting: Granting
}

/** What a user may do this by, wherever it is. */
export interface Reach {
  readonly granted: readonly Granted[]
  readonly flaws: Looked<unknown>[]
}

const scopeText = ({ scope_type, scope_id }: Assignment) => `${scope_type}#${scope_id}`

/** Buildings' paths, as their places have them; those that are not there are left out. One round trip. */
export async function buildingPaths(sources: Sources, buildingIds: readonly string[]): Promise<ReadonlyMap<string, Path>> {
  const keys = new Map(buildingIds.map((id) => [id, tableKey(BuildingPlace, { id })]))
  if (keys.size === 0) return new Map()
  const found = await readItems(sources.runtime, [...keys.values()], { consistent: true })
  const paths = new Map<string, Path>()
  for (const [id, key] of keys) {
    const place = look(BuildingPlace, key, found.get(keyText(key)))
    if (place.state !== 'found' || place.item.client_id === undefined) continue
    const path = { client_id: place.item.client_id, project_id: place.item.project_id, building_id: id }
    rememberPath(sources, path)
    paths.set(id, path)
  }
  return paths
}

/** Building scopes that are looked up before it is known whether they grant, where that saves a round trip. */
const buildingsAheadMax = 1001

/** The scopes in which a role of the user grants, each once, in their order. One round trip with warm definitions, three cold or strong. */
export async function reachOf(
  sources: Sources,
  { user, permission }: Omit<Access, 'place'>,
  after: string | undefined,
  count: number,
): Promise<Reach> {
  const { ids, lost, read } = await resolved(sources, { user }, ({ user_id = '' }) => presenceOf(sources, user_id))
  const flaws: Looked<unknown>[] = [...lost]
  if (ids.user_id === undefined || read === undefined) return { granted: [], flaws }
  const { assignments } = read
  flaws.push(read.user, ...assignments.lost)
  if (read.user.state !== 'found' || read.user.item.status !== 'active') return { granted: [], flaws }
  const { item } = read.user
  const now = sources.runtime.now().toISOString()
  const { wall } = sources.runtime
  const effective = assignments.found.filter((assignment) => {
    const { client_id } = assignment
    if (client_id === undefined || (wall !== undefined && wall.tenant !== client_id)) return false
    return flawOf(assignment, item, client_id, now) === undefined
  })
  const ahead = effective
    .filter((each) => each.scope_type === 'building' && (after === undefined || compareKeys(scopeText(each), after) > 0))
    .slice(0, Math.min(count, buildingsAheadMax))
    .map(({ scope_id }) => scope_id)
    .filter((building) => pathRemembered(sources, { building }) === undefined)
  const [hierarchy] = await together(
    () => hierarchyOf(sources, effective),
    () => buildingPaths(sources, ahead),
  )
  flaws.push(...hierarchy.flaws)
  const granted = new Map<string, Granting>()
  for (const assignment of effective) {
    const text = scopeText(assignment)
    const granting = granted.has(text) ? undefined : grantedBy(assignment, hierarchy, permission)
    if (granting !== undefined) granted.set(text, granting)
  }
  const inOrder = [...granted].sort(([a], [b]) => compareKeys(a, b))
  return { granted: inOrder.map(([text, granting]) => ({ text, granting })), flaws }
}

function pathOfScope(sources: Sources, { scope_type, scope_id, client_id = '' }: Assignment): Path | undefined {
  if (scope_type === 'client') return { client_id }
  return scope_type === 'project' ? { client_id, project_id: scope_id } : pathRemembered(sources, { building: scope_id })
}

/**
 * The places of scopes, in their order; undefined for one that is not there. One round trip where the buildings' projects are remembered,
 * more where they are not, or where a building has moved.
 */
async function placesOf(sources: Sources, scopes: readonly Granted[]): Promise<readonly (PlaceFacts | undefined)[]> {
  const read = async (wanted: readonly Granted[]) => {
    const known = wanted.flatMap((each) => {
      const path = pathOfScope(sources, each.granting.assignment)
      return path === undefined ? [] : [{ text: each.text, path }]
    })
    const facts = await placesAt(
      sources,
      known.map(({ path }) => path),
      undefined,
    )
    return new Map(known.map(({ text }, index): [string, PlaceFacts | undefined] => [text, facts[index]]))
  }
  const first = await read(scopes)
  const isBuildingNotThere = ({ text, granting }: Granted) =>
    granting.assignment.scope_type === 'building' &&
    (first.get(text)?.project?.state !== 'found' || first.get(text)?.building?.state !== 'found')
  const lost = scopes.filter(isBuildingNotThere)
  if (lost.length === 0) return scopes.map(({ text }) => first.get(text))
  const paths = await buildingPaths(
    sources,
    lost.map(({ granting }) => granting.assignment.scope_id),
  )
  const again = await read(lost.filter(({ granting }) => paths.has(granting.assignment.scope_id)))
  return scopes.map(({ text }) => again.get(text) ?? first.get(text))
}

/** What a list tells of a place that is open; undefined for one that is not, or that is not of the assignment's client. */
export function grantingPlace(place: PlaceFacts, granting: Granting): GrantingPlace | undefined {
  const { path, client, project, building } = place
  if (!isOpenPlace(place) || path.client_id !== granting.assignment.client_id) return undefined
  const { client_id, project_id, building_id } = path
  const node = building ?? project ?? client
  if (node.state !== 'found') return undefined
  const { name } = node.item
  const own: Pick<GrantingPlace, 'scope_type' | 'scope_id'> =
    building_id !== undefined
      ? { scope_type: 'building', scope_id: building_id }
      : project_id !== undefined
        ? { scope_type: 'project', scope_id: project_id }
        : { scope_type: 'client', scope_id: client_id }
  return {
    ...own,
    client_id,
    ...(project_id === undefined ? {} : { project_id }),
    ...(building_id === undefined ? {} : { building_id }),
    name,
    grantedBy: grantOf(granting),
  }
}

/** Steps that one page of the answer may take beyond the definitions (spec rule 14). */
const stepsMax = 10

/**
 * One page of the distinct scopes at which a user may do this, each with all beneath it, in the order of their kinds and ids. Two round trips
 * with warm definitions, four cold or strong, and one more for each further 1,000 assignments of the user; more only where scopes that are gone
 * have to be passed over.
 */
export async function where(sources: Sources, asked: Omit<Access, 'place'>, list: Listed): Promise<Page<GrantingPlace>> {
  const { after, limit } = list
  const { granted, flaws } = await reachOf(sources, asked, after, limit + 1)
  const ahead = granted.filter(({ text }) => after === undefined || compareKeys(text, after) > 0)
  const items: { readonly text: string; readonly place: GrantingPlace }[] = []
  let at = 0
  for (let steps = 0; at < ahead.length && items.length <= limit; steps++) {
    if (steps >= stepsMax) break
    const chunk = ahead.slice(at, at + limit + 1 - items.length)
    const places = await placesOf(sources, chunk)
    for (const [index, { text, granting }] of chunk.entries()) {
      const facts = places[index]
      if (facts === undefined) continue
      flaws.push(facts.client, ...[facts.project, facts.building].flatMap((node) => node ?? []))
      const place = grantingPlace(facts, granting)
      if (place !== undefined) items.push({ text, place })
    }
    at += chunk.length
  }
  const shown = items.slice(0, limit)
  const last = items.length > limit ? shown.at(-1)?.text : at < ahead.length ? ahead[at - 1]?.text : undefined
  return list.page(
    shown.map(({ place }) => place),
    last,
    malformedAmong(flaws),
  )
}
