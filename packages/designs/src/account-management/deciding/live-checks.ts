import type { Evidence } from '@freehold/frame/decision'
import type { Item } from '@freehold/table'
import type { ServiceSubscription, User } from '../design.ts'
import type { ModuleAsked } from './question.ts'
import { isAt, type Path } from './scope.ts'
import type { Assignment, ScopeFacts } from './situation.ts'

/** Why an assignment does not count now; undefined if it does. */
export interface Flaw {
  readonly code: 'AssignmentExpired' | 'AssignmentNotStarted' | 'ForeignAssignment'
  readonly state: Evidence['state']
  readonly message: string
}

/** Role owner of the roles of the system. */
export const systemOwner = 'SYSTEM'

/** True for a user of the client, and for an internal one, which is of none. */
export function isOfClient({ client_id, user_type }: Item<typeof User>, client: string): boolean {
  return client_id === undefined ? user_type === 'internal' : client_id === client
}

/** An assignment as it counts at a scope of this client: another program does not say of which client it is, but its scope does. */
export const ofClient = (assignment: Assignment, client_id: string): Assignment =>
  assignment.client_id === undefined ? { ...assignment, client_id } : assignment

/**
 * The client of an assignment of which only the item was read. Unless it says so itself, a user of a client has roles at that client alone; undefined if
 * nothing tells it.
 */
function clientOf({ client_id, scope_type, scope_id }: Assignment, user: Item<typeof User>): string | undefined {
  return client_id ?? (scope_type === 'client' ? scope_id : user.client_id)
}

/**
 * An assignment counts where user, scope and role owner are of one client, except roles of the system and internal users, and where
 * `start_at` <= now < `expires_at`.
 * @param client_id the client of the scope, as it was verified
 * @param now as it is stored: ISO 8601 in UTC with milliseconds, which sorts as time does
 */
export function flawOf(assignment: Assignment, user: Item<typeof User>, client_id: string, now: string): Flaw | undefined {
  const { role_owner, start_at, expires_at } = assignment
  const foreign = (message: string): Flaw => ({ code: 'ForeignAssignment', state: 'denies', message })
  const isElsewhere = assignment.scope_type === 'client' && assignment.scope_id !== client_id
  if (isElsewhere || assignment.client_id !== client_id) return foreign('The assignment is of another client than its scope.')
  if (!isOfClient(user, client_id)) return foreign('The user is of another client than the scope.')
  if (role_owner !== undefined && role_owner !== systemOwner && role_owner !== client_id)
    return foreign('The role is of another client than the scope.')
  if (start_at !== undefined && start_at > now)
    return { code: 'AssignmentNotStarted', state: 'inactive', message: `The assignment starts at ${start_at}.` }
  if (expires_at !== undefined && expires_at <= now)
    return { code: 'AssignmentExpired', state: 'expired', message: `The assignment expired at ${expires_at}.` }
  return undefined
}

/** Assignments of which only the items were read, those whose client is known, with the reason why each does not count, if any. */
export function judgedEverywhere(assignments: readonly Assignment[], user: Item<typeof User>, now: string) {
  return assignments.flatMap((each) => {
    const client_id = clientOf(each, user)
    if (client_id === undefined) return []
    const assignment = ofClient(each, client_id)
    return [{ client_id, assignment, flaw: flawOf(assignment, user, client_id, now) }]
  })
}

/** A subscription is active by its status, and until its end unless it renews itself. */
export function isActiveSubscription(
  { status, end_date, auto_renew }: Pick<Item<typeof ServiceSubscription>, 'status' | 'end_date' | 'auto_renew'>,
  now: string,
  include_trial: boolean,
): boolean {
  const isOpen = status === 'active' || (include_trial && status === 'trial')
  return isOpen && (auto_renew || end_date === undefined || end_date > now)
}

/** The subscription by which the building or its project has the module that was asked for; undefined if none is. */
export function entitling(
  { path, subscriptions }: ScopeFacts,
  { include_trial = false }: ModuleAsked,
  now: string,
): Item<typeof ServiceSubscription> | undefined {
  for (const each of subscriptions)
    if (each.state === 'found' && isAt(each.item, path) && isActiveSubscription(each.item, now, include_trial)) return each.item
  return undefined
}

/** True if no module was asked for, or the building or its project has it. */
export function isEntitled(scope: ScopeFacts, asked: ModuleAsked, now: string): boolean {
  return asked.module_id === undefined || entitling(scope, asked, now) !== undefined
}

/** The sentence for a scope without the module. */
export function withoutModule({ project_id, building_id }: Path): string {
  if (building_id !== undefined) return 'Neither the building nor its project has an active subscription of the module.'
  if (project_id !== undefined) return 'The project has no active subscription of the module.'
  return 'A client as a whole has no subscription of a module: ask about a project or a building.'
}

/** True if all nodes of the scope are there and are not being deleted, and its client is active. */
export function isLiveScope({ client, project, building }: ScopeFacts): boolean {
  if (client.state !== 'found' || client.item.status !== 'active') return false
  return [project, building].every((node) => node === undefined || node.state === 'found')
}
