import {
  type Loaded,
  type LoadResult,
  loadRange,
  loadRecords,
  parseRecord,
  placeBefore,
  placeOf,
  type Records,
  type Sources,
  type Wanted,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { parallel, parallelMap } from '@freehold/table/runtime'
import { Building, Client, Project, ServiceSubscription, User, UserRoleAssignment } from '../design.ts'
import { isAt, type Path, scopesOf } from './scope.ts'

// Every decision reads these at any consistency (spec rule 18): users, assignments, the scope chain, clients' status, entitlement.

export type Assignment = Item<typeof UserRoleAssignment>

/** The nodes of a scope and of those above it, and the subscriptions of the module, if one was asked for. */
export interface ScopeFacts {
  readonly path: Path
  readonly client: LoadResult<Item<typeof Client>>
  readonly project: LoadResult<Item<typeof Project>> | undefined
  readonly building: LoadResult<Item<typeof Building>> | undefined
  readonly subscriptions: readonly LoadResult<Item<typeof ServiceSubscription>>[]
}

export interface Situation {
  readonly scope: ScopeFacts
  readonly user_id: string
  readonly user: LoadResult<Item<typeof User>>
  /** The user's assignments in the scope chain of the scope. */
  readonly assignments: Records<Assignment>
}

/** The nodes of a scope chain, and the subscriptions of a module there. */
export function wantedAt({ client_id, project_id, building_id }: Path, module_id: string | undefined) {
  const subscription = (scope_type: 'project' | 'building', scope_id: string | undefined) =>
    module_id === undefined || scope_id === undefined ? [] : [wanted(ServiceSubscription, { scope_type, scope_id, module_id })]
  return {
    client: wanted(Client, { id: client_id }),
    project: project_id === undefined ? undefined : wanted(Project, { client_id, id: project_id }),
    building: building_id === undefined ? undefined : wanted(Building, { project_id, id: building_id }),
    subscriptions: [...subscription('building', building_id), ...subscription('project', project_id)],
  }
}
type WantedAt = ReturnType<typeof wantedAt>

/** The same in a list. */
export const allWanted = ({ client, project, building, subscriptions }: WantedAt): readonly Wanted[] => [
  client,
  ...[project, building].flatMap((node) => node ?? []),
  ...subscriptions,
]

/** A scope as it was loaded. A building of another client than the path says is not there. */
export function scopeFacts(path: Path, { client, project, building, subscriptions }: WantedAt, loaded: Loaded): ScopeFacts {
  const found = building === undefined ? undefined : loaded(building)
  return {
    path,
    client: loaded(client),
    project: project === undefined ? undefined : loaded(project),
    building: building !== undefined && found?.state === 'found' && !isAt(found.item, path) ? parseRecord(building, undefined) : found,
    subscriptions: subscriptions.map((each) => loaded(each)),
  }
}

/** All records of a scope, for what is wrong with them. */
export function recordsOf({ client, project, building, subscriptions }: ScopeFacts): readonly LoadResult<unknown>[] {
  return [client, ...[project, building].flatMap((node) => node ?? []), ...subscriptions]
}

/** True if the path names a building that is not there. */
export const isBuildingGone = ({ building }: ScopeFacts): boolean => building?.state === 'missing'

/** Scopes, side by side: one round trip. */
export async function scopesAt(sources: Sources, paths: readonly Path[], module_id: string | undefined): Promise<readonly ScopeFacts[]> {
  const all = paths.map((path) => ({ path, at: wantedAt(path, module_id) }))
  if (all.length === 0) return []
  const records = all.flatMap(({ at }) => allWanted(at))
  const loaded = await loadRecords(sources, records)
  return all.map(({ path, at }) => scopeFacts(path, at, loaded))
}

const hasNone = ({ found, unusable }: Records<Assignment>) => found.length === 0 && unusable.length === 0

/** One round trip, and one more for each further 1,000 roles of the user at one scope: its assignments elsewhere are not read. */
export async function situationOf(sources: Sources, user_id: string, path: Path, module_id: string | undefined): Promise<Situation> {
  const user = wanted(User, { id: user_id })
  const at = wantedAt(path, module_id)
  const [loaded, assignments] = await parallel(
    () => loadRecords(sources, [user, ...allWanted(at)]),
    () =>
      parallelMap(scopesOf(path), ({ scope_type, scope_id }) =>
        loadRange(sources, UserRoleAssignment, placeBefore(UserRoleAssignment, { user_id, scope_type, scope_id }, 'role_id')),
      ),
  )
  const all = { found: assignments.flatMap(({ found }) => found), unusable: assignments.flatMap(({ unusable }) => unusable) }
  return { scope: scopeFacts(path, at, loaded), user_id, user: loaded(user, hasNone(all)), assignments: all }
}

/** A user with all its assignments. One round trip, and one more for each further 1,000 of them. */
export async function presenceOf(sources: Sources, user_id: string): Promise<Pick<Situation, 'user' | 'assignments'>> {
  const user = wanted(User, { id: user_id })
  const [loaded, assignments] = await parallel(
    () => loadRecords(sources, [user]),
    () => loadRange(sources, UserRoleAssignment, placeOf(UserRoleAssignment, { user_id })),
  )
  return { user: loaded(user, hasNone(assignments)), assignments }
}
