import { loadRecords } from '../../decision/load.ts'
import { wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { BuildingPlace } from '../design.ts'
import { pathRemembered, placedPath } from './resolve.ts'
import type { Path } from './scope.ts'
import { type Assignment, type ScopeFacts, scopesAt } from './situation.ts'

/** A scope as it is known from an assignment, by the text that tells it from others. */
export interface AssignedScope {
  readonly text: string
  readonly assignment: Assignment
}

/** Buildings' paths, as their places have them; those that are not there are left out. One round trip. */
export async function buildingPaths(sources: Sources, buildingIds: readonly string[]): Promise<ReadonlyMap<string, Path>> {
  if (buildingIds.length === 0) return new Map()
  const all = new Map(buildingIds.map((id) => [id, wanted(BuildingPlace, { id })]))
  const loaded = await loadRecords(sources, [...all.values()])
  const paths = new Map<string, Path>()
  for (const [id, at] of all) {
    const path = placedPath(sources, loaded(at))
    if (path !== undefined) paths.set(id, path)
  }
  return paths
}

type Paths = ReadonlyMap<string, Path>

function pathOfScope(sources: Sources, { scope_type, scope_id, client_id = '' }: Assignment, paths: Paths): Path | undefined {
  if (scope_type === 'client') return { client_id }
  if (scope_type === 'project') return { client_id, project_id: scope_id }
  return paths.get(scope_id) ?? pathRemembered(sources, { building: scope_id })
}

/**
 * The scopes of scopes, in their order; undefined for one that is not there. One round trip where the buildings' projects are remembered,
 * more where they are not, or where a building has moved.
 * @param known paths of buildings that were read before
 */
export async function assignedScopes(
  sources: Sources,
  scopes: readonly AssignedScope[],
  known: Paths = new Map(),
): Promise<readonly (ScopeFacts | undefined)[]> {
  const read = async (wanted: readonly AssignedScope[], paths: Paths) => {
    const there = wanted.flatMap(({ text, assignment }) => {
      const path = pathOfScope(sources, assignment, paths)
      return path === undefined ? [] : [{ text, path }]
    })
    const facts = await scopesAt(
      sources,
      there.map(({ path }) => path),
      undefined,
    )
    return new Map(there.map(({ text }, index): [string, ScopeFacts | undefined] => [text, facts[index]]))
  }
  const first = await read(scopes, known)
  const isBuildingNotThere = ({ text, assignment }: AssignedScope) =>
    assignment.scope_type === 'building' && (first.get(text)?.project?.state !== 'found' || first.get(text)?.building?.state !== 'found')
  const unusable = scopes.filter(isBuildingNotThere)
  if (unusable.length === 0) return scopes.map(({ text }) => first.get(text))
  const paths = await buildingPaths(
    sources,
    unusable.map(({ assignment }) => assignment.scope_id),
  )
  const again = await read(
    unusable.filter(({ assignment }) => paths.has(assignment.scope_id)),
    paths,
  )
  return scopes.map(({ text }) => again.get(text) ?? first.get(text))
}
