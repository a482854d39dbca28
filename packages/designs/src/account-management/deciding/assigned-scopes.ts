import { loadRecords, type Sources, wanted } from '@freehold/frame/decision'
import { BuildingPlace } from '../design.ts'
import { pathRemembered, placedPath } from './resolve.ts'
import { type Path, scopeText } from './scope.ts'
import { type Assignment, type ScopeFacts, scopesAt } from './situation.ts'

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
 * The scopes of assignments, one of each scope, in their order; undefined for one that is not there. One round trip where the buildings' projects
 * are remembered, more where they are not, or where a building has moved.
 * @param known paths of buildings that were read before
 */
export async function assignedScopes(
  sources: Sources,
  scopes: readonly Assignment[],
  known: Paths = new Map(),
): Promise<readonly (ScopeFacts | undefined)[]> {
  const read = async (wanted: readonly Assignment[], paths: Paths) => {
    const there = wanted.flatMap((scope) => {
      const path = pathOfScope(sources, scope, paths)
      return path === undefined ? [] : [{ text: scopeText(scope), path }]
    })
    const facts = await scopesAt(
      sources,
      there.map(({ path }) => path),
      undefined,
    )
    return new Map(there.map(({ text }, index): [string, ScopeFacts | undefined] => [text, facts[index]]))
  }
  const first = await read(scopes, known)
  const isBuildingNotThere = (scope: Assignment) => {
    const { project, building } = first.get(scopeText(scope)) ?? {}
    return scope.scope_type === 'building' && (project?.state !== 'found' || building?.state !== 'found')
  }
  const unusable = scopes.filter(isBuildingNotThere)
  if (unusable.length === 0) return scopes.map((scope) => first.get(scopeText(scope)))
  const buildings = unusable.map(({ scope_id }) => scope_id)
  const paths = await buildingPaths(sources, buildings)
  const moved = unusable.filter(({ scope_id }) => paths.has(scope_id))
  const again = await read(moved, paths)
  return scopes.map(scopeText).map((text) => again.get(text) ?? first.get(text))
}
