import type { Item } from '@freehold/table'
import { keyText, parallel, parallelMap, type Stored, type TableKey, tableKey } from '@freehold/table/runtime'
import { readCollection, readItems } from '../../decision/reads.ts'
import { type Looked, look, lookAll, type Sorted } from '../../decision/record.ts'
import { placeBefore, placeOf, type Sources } from '../../decision/sources.ts'
import { Building, Client, Project, ServiceSubscription, User, UserRoleAssignment } from '../design.ts'
import { type Path, scopesOf } from './place.ts'

// What every decision reads, whatever its consistency (spec rule 18): users, assignments, the scope chain, clients' status, entitlement.

export type Assignment = Item<typeof UserRoleAssignment>

/** A place with all that it lies in, and the subscriptions of a module there, if one was asked for. */
export interface PlaceFacts {
  readonly path: Path
  readonly client: Looked<Item<typeof Client>>
  readonly project: Looked<Item<typeof Project>> | undefined
  readonly building: Looked<Item<typeof Building>> | undefined
  readonly subscriptions: readonly Looked<Item<typeof ServiceSubscription>>[]
}

export interface Situation {
  readonly place: PlaceFacts
  readonly user_id: string
  readonly user: Looked<Item<typeof User>>
  /** The user's assignments in the scope chain of the place. */
  readonly assignments: Sorted<Assignment>
}

/** Items by the texts of their keys. */
type Found = ReadonlyMap<string, Stored | undefined>

/** Where the nodes of a place lie, and the subscriptions of a module there. */
export function placeKeys({ client_id, project_id, building_id }: Path, module_id: string | undefined) {
  const subscription = (scope_type: 'project' | 'building', scope_id: string | undefined) =>
    module_id === undefined || scope_id === undefined ? [] : [tableKey(ServiceSubscription, { scope_type, scope_id, module_id })]
  return {
    client: tableKey(Client, { id: client_id }),
    project: project_id === undefined ? undefined : tableKey(Project, { client_id, id: project_id }),
    building: building_id === undefined ? undefined : tableKey(Building, { project_id, id: building_id }),
    subscriptions: [...subscription('building', building_id), ...subscription('project', project_id)],
  }
}

/** A place as it was read. What is of another client than it was said to be is not there. */
export function placeFacts(path: Path, keys: ReturnType<typeof placeKeys>, found: Found): PlaceFacts {
  const at = (key: TableKey) => found.get(keyText(key))
  const { client, project, building, subscriptions } = keys
  const looked = building === undefined ? undefined : look(Building, building, at(building))
  return {
    path,
    client: look(Client, client, at(client)),
    project: project === undefined ? undefined : look(Project, project, at(project)),
    building:
      building !== undefined && looked?.state === 'found' && looked.item.client_id !== path.client_id
        ? look(Building, building, undefined)
        : looked,
    subscriptions: subscriptions.map((key) => look(ServiceSubscription, key, at(key))),
  }
}

/** True where there is no building at the place that was asked about. */
export const isBuildingGone = ({ building }: PlaceFacts): boolean => building?.state === 'missing'

/** Places, side by side: one round trip. */
export async function placesAt(sources: Sources, paths: readonly Path[], module_id: string | undefined): Promise<readonly PlaceFacts[]> {
  const wanted = paths.map((path) => ({ path, keys: placeKeys(path, module_id) }))
  const all = wanted.flatMap(({ keys: { client, project, building, subscriptions } }) => [
    client,
    ...[project, building].flatMap((key) => key ?? []),
    ...subscriptions,
  ])
  if (all.length === 0) return []
  const found = await readItems(sources.runtime, all, { consistent: true })
  return wanted.map(({ path, keys }) => placeFacts(path, keys, found))
}

/** One round trip, and one more for each further 1,000 roles of the user at one scope: its assignments elsewhere are not read. */
export async function situationOf(sources: Sources, user_id: string, path: Path, module_id: string | undefined): Promise<Situation> {
  const { runtime } = sources
  const userKey = tableKey(User, { id: user_id })
  const keys = placeKeys(path, module_id)
  const { client, project, building, subscriptions } = keys
  const nodes = [userKey, client, ...[project, building].flatMap((key) => key ?? []), ...subscriptions]
  const [found, stored] = await parallel(
    () => readItems(runtime, nodes, { consistent: true }),
    () =>
      parallelMap(scopesOf(path), ({ scope_type, scope_id }) => {
        const { partition, range } = placeBefore(UserRoleAssignment, { user_id, scope_type, scope_id }, 'role_id')
        return readCollection(runtime, partition, range)
      }),
  )
  return {
    place: placeFacts(path, keys, found),
    user_id,
    user: look(User, userKey, found.get(keyText(userKey))),
    assignments: lookAll(UserRoleAssignment, stored.flat()),
  }
}

/** A user with all its assignments. One round trip, and one more for each further 1,000 of them. */
export async function presenceOf(
  sources: Sources,
  user_id: string,
): Promise<{ readonly user: Situation['user']; readonly assignments: Sorted<Assignment> }> {
  const { runtime } = sources
  const key = tableKey(User, { id: user_id })
  const { partition, range } = placeOf(UserRoleAssignment, { user_id })
  const [nodes, stored] = await parallel(
    () => readItems(runtime, [key], { consistent: true }),
    () => readCollection(runtime, partition, range),
  )
  return { user: look(User, key, nodes.get(keyText(key))), assignments: lookAll(UserRoleAssignment, stored) }
}
