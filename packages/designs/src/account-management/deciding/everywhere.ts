import { keyText, type Page, readItems, readRange, sideBySide, tableKey, together } from '@freehold/table'
import type { Listed } from '../../decision/list.ts'
import { type Looked, look, malformedAmong } from '../../decision/record.ts'
import { placeBefore, type Sources } from '../../decision/sources.ts'
import { Building, Project, ServiceSubscription } from '../design.ts'
import type { Granting } from './access.ts'
import type { Path } from './place.ts'
import type { Access, ModuleAsked } from './question.ts'
import { type PlaceFacts, placesAt } from './situation.ts'
import { isEntitled } from './standing.ts'
import { buildingPaths, type GrantingPlace, grantingPlace, type Reach, reachOf } from './where.ts'

/** A scope in which something is granted and that lies in no other such scope: what is beneath several roots is distinct. */
interface Root {
  readonly path: Path
  readonly granting: Granting
}

/** Sorts after every id. */
const end = '~'

/** Places are listed in the order of these: a client, its projects in the order of their ids, each followed by its buildings. */
const textOf = ({ client_id, project_id = '', building_id = '' }: Path) => `${client_id}/${project_id}/${building_id}`

/** No place of the root is listed after this. */
function endOf({ client_id, project_id, building_id }: Path): string {
  if (project_id === undefined) return `${client_id}/${end}`
  return building_id === undefined ? `${client_id}/${project_id}/${end}` : textOf({ client_id, project_id, building_id })
}

async function rootsOf(sources: Sources, { granted }: Reach): Promise<readonly Root[]> {
  const whole = new Set(granted.map(({ text }) => text))
  const assignments = granted.flatMap(({ granting }) => {
    const { scope_type, scope_id, client_id } = granting.assignment
    if (client_id === undefined || (scope_type !== 'client' && whole.has(`client#${client_id}`))) return []
    return [{ scope_type, scope_id, client_id, granting }]
  })
  const buildings = assignments.filter(({ scope_type }) => scope_type === 'building').map(({ scope_id }) => scope_id)
  const paths = await buildingPaths(sources, buildings)
  const roots = assignments.flatMap(({ scope_type, scope_id, client_id, granting }): Root[] => {
    if (scope_type === 'client') return [{ path: { client_id }, granting }]
    if (scope_type === 'project') return [{ path: { client_id, project_id: scope_id }, granting }]
    const path = paths.get(scope_id)
    return path === undefined || whole.has(`project#${path.project_id}`) ? [] : [{ path, granting }]
  })
  return roots.sort((a, b) => (textOf(a.path) < textOf(b.path) ? -1 : 1))
}

/** Places in their order, of which nothing up to the horizon is left out; no horizon where nothing follows. */
interface Stretch {
  readonly places: readonly { readonly facts: PlaceFacts; readonly granting: Granting }[]
  readonly horizon: string | undefined
}

/** Projects whose buildings are read at once. */
const projectsAtOnce = 16

interface Walk {
  readonly sources: Sources
  readonly module: ModuleAsked
  readonly after: string
  /** Places that are wanted. */
  readonly count: number
}

const partsOf = (after: string): readonly string[] => after.split('/')

interface ProjectAt extends Root {
  readonly client: PlaceFacts['client']
  readonly project: PlaceFacts['project']
}

/** Projects with their buildings. */
async function withBuildings({ sources, after, count }: Walk, projects: readonly ProjectAt[]): Promise<Stretch> {
  const read = await sideBySide(projects, ({ path: { client_id, project_id } }) => {
    const { partition, range } = placeBefore(Building, { project_id }, 'id')
    const [client, project, building = ''] = partsOf(after)
    const start = client === client_id && project === project_id && building !== '' ? `${range.from}${building}` : undefined
    return readRange(sources.runtime, partition, range, { limit: count, after: start })
  })
  const places: { facts: PlaceFacts; granting: Granting }[] = []
  for (const [index, { path, granting, client, project }] of projects.entries()) {
    const { items, isLast } = read[index] ?? { items: [], isLast: true }
    if (textOf(path) > after) places.push({ facts: { path, client, project, building: undefined, subscriptions: [] }, granting })
    let last = ''
    for (const item of items) {
      const key = { PK: String(item.PK), SK: String(item.SK) }
      last = key.SK.slice(key.SK.indexOf('#') + 1)
      const building = look(Building, key, item)
      if (building.state === 'found' && building.item.client_id !== path.client_id) continue
      places.push({ facts: { path: { ...path, building_id: last }, client, project, building, subscriptions: [] }, granting })
    }
    if (!isLast) return { places, horizon: textOf({ ...path, building_id: last }) }
  }
  const { path } = projects.at(-1) ?? {}
  return { places, horizon: path === undefined ? undefined : endOf(path) }
}

/** A client, some of its projects, and their buildings. */
async function inClient(walk: Walk, { path, granting }: Root): Promise<Stretch> {
  const { sources, after } = walk
  const { client_id } = path
  const { partition, range } = placeBefore(Project, { client_id }, 'id')
  const [at, project = '', building = ''] = partsOf(after)
  const from = at === client_id ? `${range.from}${project}` : range.from
  const isPast = at === client_id && building === end
  const [[facts], { items, isLast }] = await together(
    () => placesAt(sources, [path], undefined),
    () => readRange(sources.runtime, partition, { from, to: range.to }, { limit: projectsAtOnce, after: isPast ? from : undefined }),
  )
  if (facts === undefined) return { places: [], horizon: endOf(path) }
  const projects = items.map((item): ProjectAt => {
    const key = { PK: partition, SK: String(item.SK) }
    const project_id = key.SK.slice(range.from.length)
    return { path: { client_id, project_id }, granting, client: facts.client, project: look(Project, key, item) }
  })
  const own = textOf(path) > after ? [{ facts, granting }] : []
  const beneath = await withBuildings(walk, projects)
  const last = projects.at(-1)
  const isWhole = isLast && (last === undefined || beneath.horizon === endOf(last.path))
  return { places: [...own, ...beneath.places], horizon: isWhole ? endOf(path) : beneath.horizon }
}

async function stretchAfter(walk: Walk, roots: readonly Root[]): Promise<Stretch> {
  const [first, ...others] = roots.filter(({ path }) => endOf(path) > walk.after)
  if (first === undefined) return { places: [], horizon: undefined }
  const { project_id, building_id } = first.path
  if (project_id === undefined) return inClient(walk, first)
  const isBuilding = building_id !== undefined
  const stop = others.findIndex(({ path }) => path.project_id === undefined || (path.building_id !== undefined) !== isBuilding)
  const run = [first, ...(stop === -1 ? others : others.slice(0, stop))].slice(0, isBuilding ? walk.count : projectsAtOnce)
  const read = await placesAt(
    walk.sources,
    run.map(({ path }) => path),
    undefined,
  )
  const places = run.flatMap(({ granting }, index) => (read[index] === undefined ? [] : [{ facts: read[index], granting }]))
  if (isBuilding) return { places, horizon: endOf(run.at(-1)?.path ?? first.path) }
  return withBuildings(
    walk,
    places.map(({ facts, granting }) => ({ path: facts.path, granting, client: facts.client, project: facts.project })),
  )
}

/** The same places with the subscriptions of the module, if one was asked for. */
async function withModule({ sources, module: { module_id } }: Walk, { places, horizon }: Stretch): Promise<Stretch> {
  if (module_id === undefined || places.length === 0) return { places, horizon }
  const wanted = places.map(({ facts: { path }, ...rest }, index) => {
    const scopes = { building: path.building_id, project: path.project_id }
    const keys = (['building', 'project'] as const).flatMap((scope_type) => {
      const scope_id = scopes[scope_type]
      return scope_id === undefined ? [] : [tableKey(ServiceSubscription, { scope_type, scope_id, module_id })]
    })
    return { ...rest, facts: places[index]?.facts, keys }
  })
  const all = wanted.flatMap(({ keys }) => keys)
  const found = all.length === 0 ? new Map() : await readItems(sources.runtime, all, { consistent: true })
  const read = wanted.flatMap(({ facts, granting, keys }) =>
    facts === undefined
      ? []
      : [{ granting, facts: { ...facts, subscriptions: keys.map((key) => look(ServiceSubscription, key, found.get(keyText(key)))) } }],
  )
  return { places: read, horizon }
}

/** Steps that one page of the answer may take beyond the definitions (spec rule 14). */
const stepsMax = 10

/**
 * One page of every place where a user may do this, with a module only where it is entitled to: each once, a client before its projects, a
 * project before its buildings. As many round trips as `where`, one more for each level beneath the granting scope and one for a module.
 */
export async function everywhere(sources: Sources, asked: Omit<Access, 'place'>, list: Listed): Promise<Page<GrantingPlace>> {
  const { limit } = list
  const reach = await reachOf(sources, asked, undefined, 0)
  const roots = await rootsOf(sources, reach)
  const flaws: Looked<unknown>[] = [...reach.flaws]
  const now = sources.runtime.now().toISOString()
  const items: { readonly text: string; readonly place: GrantingPlace }[] = []
  let after: string | undefined = list.after ?? ''
  for (let steps = 0; after !== undefined && items.length <= limit && steps < stepsMax; steps++) {
    const walk: Walk = { sources, module: asked.module, after, count: limit + 1 - items.length }
    const { places, horizon } = await withModule(walk, await stretchAfter(walk, roots))
    for (const { facts, granting } of places) {
      flaws.push(facts.client, ...[facts.project, facts.building].flatMap((node) => node ?? []), ...facts.subscriptions)
      const place = isEntitled(facts, asked.module, now) ? grantingPlace(facts, granting) : undefined
      if (place !== undefined) items.push({ text: textOf(facts.path), place })
    }
    after = horizon
  }
  const shown = items.slice(0, limit)
  return list.page(
    shown.map(({ place }) => place),
    items.length > limit ? shown.at(-1)?.text : after,
    malformedAmong(flaws),
  )
}
