import {
  type LoadResult,
  parseRecord,
  placeBefore,
  placeOf,
  type Reads,
  type Records,
  type Unusable,
  wanted,
} from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import { Building, Client, Project, ServiceSubscription, User, UserRoleAssignment } from '../design.ts'
import { isAt, type Path, scopesOf, scopeText } from './scope.ts'

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

/** A scope as it was read; undefined until it is. A building of another client than the path says is not there. */
export function scopeAt({ fact }: Reads, path: Path, module_id: string | undefined): ScopeFacts | undefined {
  const { client_id, project_id, building_id } = path
  const client = fact(Client, { id: client_id })
  const project = project_id === undefined ? undefined : fact(Project, { client_id, id: project_id })
  let building: ScopeFacts['building']
  const subscriptions: ScopeFacts['subscriptions'][number][] = []
  const subscribed = (scope_type: string, scope_id: string): boolean => {
    if (module_id === undefined) return true
    const found = fact(ServiceSubscription, { scope_type, scope_id, module_id })
    if (found !== undefined) subscriptions.push(found)
    return found !== undefined
  }
  let isWhole = client !== undefined
  if (building_id !== undefined) {
    const at = { project_id: project_id ?? '', id: building_id }
    building = fact(Building, at)
    isWhole = subscribed('building', building_id) && building !== undefined && isWhole
    if (building?.state === 'found' && !isAt(building.item, path)) building = parseRecord(wanted(Building, at), undefined)
  }
  if (project_id !== undefined) isWhole = subscribed('project', project_id) && project !== undefined && isWhole
  return client === undefined || !isWhole ? undefined : { path, client, project, building, subscriptions }
}

/** All records of a scope, for what is wrong with them. */
export function recordsOf({ client, project, building, subscriptions }: ScopeFacts): readonly LoadResult<unknown>[] {
  return [client, ...[project, building].flatMap((node) => node ?? []), ...subscriptions]
}

/** True if the path names a building that is not there. */
export const isBuildingGone = (scope: ScopeFacts | undefined): boolean => scope?.building?.state === 'missing'

type Presence = Pick<Situation, 'user' | 'assignments'>

type Ranges = readonly (Records<Assignment> | undefined)[]

/** A user with the assignments in these ranges. A guest without any is not there. */
function presentIn({ fact }: Reads, user_id: string, ranges: Ranges): Presence | undefined {
  const [found, unusable]: [Assignment[], Unusable[]] = [[], []]
  for (const range of ranges) {
    // What is not read yet is asked for beside the user.
    if (range === undefined) return void fact(User, { id: user_id })
    for (const each of range.found) found.push(each)
    for (const each of range.unusable) unusable.push(each)
  }
  const user = fact(User, { id: user_id }, found.length + unusable.length === 0)
  return user && { user, assignments: { found, unusable } }
}

/** One round trip, and one more for each further 1,000 roles of the user at one scope: its assignments elsewhere are not read. */
export function situationAt(reads: Reads, user_id: string, path: Path, module_id: string | undefined): Situation | undefined {
  const ranges = scopesOf(path).map((scope) =>
    reads.facts(UserRoleAssignment, scopeText(scope), () => placeBefore(UserRoleAssignment, { user_id, ...scope }, 'role_id')),
  )
  const present = presentIn(reads, user_id, ranges)
  const scope = scopeAt(reads, path, module_id)
  return present && scope && { scope, user_id, ...present }
}

/** A user with all its assignments. One round trip, and one more for each further 1,000 of them. */
export const presenceOf = (reads: Reads, user_id: string): Presence | undefined =>
  presentIn(reads, user_id, [reads.facts(UserRoleAssignment, user_id, () => placeOf(UserRoleAssignment, { user_id }))])

/** What was read for a question; it says what it lacks until then. */
export async function settled<T>(reads: Reads, decide: () => T | undefined): Promise<T> {
  const decided = await reads.settle(decide)
  if (decided === undefined) throw new Error('A decision lacks something that it did not ask for.')
  return decided
}
