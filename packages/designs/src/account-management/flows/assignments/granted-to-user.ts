import { roleText } from '@freehold/frame/decision'
import { FreeholdError, type Item, isFreeholdError } from '@freehold/table'
import { consistent, grouped, parallelMap } from '@freehold/table/runtime'
import { access, systemOwner } from '../../access.ts'
import type { UserRoleAssignment } from '../../design.ts'
import { distinctPatterns } from '../../permission/patterns.ts'
import type { PermissionPattern } from '../../permission/permission.ts'
import type { AccountContext, AccountScope } from '../account-host.ts'
import { grantedByRoles } from '../roles/role-ancestry.ts'
import { type ScopeType, scopeNamed } from '../scope.ts'
import { byEnd, checkHeld, type GrantedUntil } from './grant-ceiling.ts'

/** A caller that is a user may not act on a user who has more than these: an operator has to. */
export const assignmentsMax = 5000
export const scopesMax = 100

type Assignment = Item<typeof UserRoleAssignment>

/** The permissions of a user at a scope, by assignments that have begun or will begin, and their ends. */
export interface GrantedThere {
  readonly scope_type: Exclude<ScopeType, 'user'>
  readonly scope_id: string
  /** Each permission once, with the latest end that it has there. */
  readonly grants: readonly GrantedUntil[]
}

function tooMuch({ flow }: AccountContext, reason: 'TooManyAssignments' | 'TooManyScopes', what: string): FreeholdError {
  const message = `${flow} is for those who have themselves what this user has, and this user has ${what}: only operators may do this here.`
  return new FreeholdError('Denied', message, { flow, reason })
}

/** The assignments of a user that have not ended. Throws `Denied` for more than `assignmentsMax`, unless an operator asks. */
async function openAssignments(context: AccountContext, user_id: string): Promise<readonly Assignment[]> {
  const { table, user } = context
  const now = table.runtime.now().toISOString()
  const open: Assignment[] = []
  let count = 0
  for await (const assignment of table.rolesOfUser.all({ user_id }, consistent)) {
    if (++count > assignmentsMax && user !== undefined)
      throw tooMuch(context, 'TooManyAssignments', `more than ${assignmentsMax} assignments`)
    if (assignment.expires_at === undefined || assignment.expires_at > now) open.push(assignment)
  }
  return open
}

/**
 * Everything that a user's assignments grant, scope by scope, effective or not yet begun; what has ended grants nothing. Each role is read once,
 * however often the user has it. Throws `Denied` for more than `assignmentsMax`, unless an operator asks.
 */
export async function grantedToUser(context: AccountContext, user_id: string): Promise<readonly GrantedThere[]> {
  const assignments = await openAssignments(context, user_id)
  // One that does not say whose role it is may be of either. A caller needs what both of them grant.
  const meant = ({ role_owner, role_id, client_id: within = context.table.runtime.tenant }: Assignment) =>
    access.rolesMeant({ role_owner, role_id, within })
  const roles = new Map(assignments.flatMap(meant).map((each) => [roleText(each), each]))
  const grantedBy = await grantedByRoles(
    context,
    [...roles.values()].map(({ role_owner, role_id: id }) => ({ id, client_id: role_owner === systemOwner ? undefined : role_owner })),
  )
  const byRole = new Map([...roles.keys()].map((key, index) => [key, grantedBy[index] ?? []]))
  const grantedOf = (each: Assignment) => meant(each).flatMap((role) => byRole.get(roleText(role)) ?? [])
  const scopes = grouped(assignments, ({ scope_type, scope_id }) => `${scope_type}#${scope_id}`)
  return [...scopes.values()].flatMap((there): GrantedThere[] => {
    const grants = byEnd(there.map((each) => ({ until: each.expires_at ?? null, granted: grantedOf(each) })))
    const [first] = there
    return first === undefined || grants.length === 0 ? [] : [{ scope_type: first.scope_type, scope_id: first.scope_id, grants }]
  })
}

/** Each pattern once, of all scopes. */
export function patternsOf(there: readonly GrantedThere[]): readonly PermissionPattern[] {
  return distinctPatterns(there.flatMap(({ grants }) => grants.flatMap(({ granted }) => granted)))
}

/** The scope, with those above it; undefined for one that is gone, and grants nothing. */
async function scopeThere(context: AccountContext, { scope_type, scope_id }: GrantedThere): Promise<AccountScope | undefined> {
  try {
    const scope = await scopeNamed(context, scope_type, scope_id)
    return scope === 'own' || scope === 'system' ? undefined : scope
  } catch (error) {
    if (isFreeholdError(error, 'NotFound')) return undefined
    throw error
  }
}

/** The denial of a caller that does not hold all of it at a scope. */
async function denialAt(context: AccountContext, grants: readonly GrantedUntil[], scope: AccountScope): Promise<FreeholdError | undefined> {
  try {
    await checkHeld(context, grants, scope)
    return undefined
  } catch (error) {
    if (isFreeholdError(error, 'Denied')) return error
    throw error
  }
}

/**
 * Holds a caller that is a user to what it has itself before it lets somebody act as another user, or act again: the reader of that user's mail, or
 * the enabled user, has all that the user's assignments grant (spec rule 23). The caller needs all of that at each scope, for as long. Most callers
 * have it at the client, and so at every scope: one decision about the client says so. If it does not, one decision for each scope follows, in
 * parallel. Throws `Denied`, also for more than `scopesMax`.
 */
export async function checkHeldBy(context: AccountContext, client_id: string, there: readonly GrantedThere[]): Promise<void> {
  if (context.user === undefined || there.length === 0) return
  const everything = byEnd(there.flatMap(({ grants }) => grants))
  if ((await denialAt(context, everything, { client_id })) === undefined) return
  if (there.length > scopesMax) throw tooMuch(context, 'TooManyScopes', `roles at more than ${scopesMax} places`)
  await parallelMap(there, async (each) => {
    const scope = await scopeThere(context, each)
    const denial = scope === undefined ? undefined : await denialAt(context, each.grants, scope)
    if (denial === undefined) return
    const message = `${context.flow} is for those who have themselves what this user has. ${denial.message}`
    throw new FreeholdError('Denied', message, { ...denial.details, flow: context.flow })
  })
}
