import { FreeholdError, isFreeholdError } from '@freehold/table'
import { systemOwner } from '../deciding/standing.ts'
import type { AccountContext } from './account-context.ts'
import { checkHeld, type End, laterEnd } from './held.ts'
import { distinctPatterns, type PermissionPattern } from './permission-pattern.ts'
import { type Place, type ScopeType, scopePlace } from './place.ts'
import { grantedByRole } from './role-ancestry.ts'

const consistent = { consistent: true }

/** What a user has at a scope, or will have once an assignment begins, and how long. */
export interface GrantedThere {
  readonly scope_type: Exclude<ScopeType, 'user'>
  readonly scope_id: string
  readonly until: End
  readonly granted: readonly PermissionPattern[]
}

/** A role's permissions, read once; of a role that is gone none. */
function rolesRead(context: AccountContext) {
  const read = new Map<string, Promise<readonly PermissionPattern[]>>()
  const permissionsOf = async (client_id: string | undefined, id: string) => {
    if ((await context.table.Role.get({ client_id, id }, consistent)) === undefined) return []
    return grantedByRole(context, client_id, id)
  }
  return (role_owner: string, id: string): Promise<readonly PermissionPattern[]> => {
    const key = `${role_owner}#${id}`
    const known = read.get(key) ?? permissionsOf(role_owner === systemOwner ? undefined : role_owner, id)
    read.set(key, known)
    return known
  }
}

/** Everything that a user's assignments grant, effective or not yet begun; what has ended grants nothing. */
export async function grantedToUser(context: AccountContext, user_id: string): Promise<readonly GrantedThere[]> {
  const now = context.table.runtime.now().toISOString()
  const permissionsOf = rolesRead(context)
  const there: GrantedThere[] = []
  for await (const assignment of context.table.rolesOfUser.all({ user_id }, consistent)) {
    const { scope_type, scope_id, role_id, role_owner, expires_at: until = null } = assignment
    if (until !== null && until <= now) continue
    const granted = await permissionsOf(role_owner, role_id)
    if (granted.length > 0) there.push({ scope_type, scope_id, until, granted })
  }
  return there
}

/** Each once, whatever it is granted at. */
export function patternsOf(there: readonly GrantedThere[]): readonly PermissionPattern[] {
  return distinctPatterns(there.flatMap(({ granted }) => granted))
}

/** Where a scope is; undefined where it is gone, and grants nothing. */
async function placeThere(context: AccountContext, { scope_type, scope_id }: GrantedThere): Promise<Place | undefined> {
  try {
    const place = await scopePlace(context, scope_type, scope_id)
    return place === 'own' || place === 'system' ? undefined : place
  } catch (error) {
    if (isFreeholdError(error, 'NotFound')) return undefined
    throw error
  }
}

async function holdsAll(context: AccountContext, place: Place, there: readonly GrantedThere[]): Promise<boolean> {
  try {
    const until = there.map((each) => each.until).reduce(laterEnd)
    await checkHeld(context, patternsOf(there), place, until)
    return true
  } catch (error) {
    if (isFreeholdError(error, 'Denied')) return false
    throw error
  }
}

function notHeld({ flow }: AccountContext, error: FreeholdError): FreeholdError {
  const message = `${flow} is for those who have themselves what this user has. ${error.message}`
  return new FreeholdError('Denied', message, { ...error.details, flow })
}

/**
 * Holds a caller that is a user to what it has itself before it lets somebody act as another user, or act again: whoever has that user's e-mail
 * address, or is enabled, has all that the user's assignments grant (spec rule 23). It needs each of them at its scope, for as long. Throws `Denied`.
 */
export async function checkHeldBy(context: AccountContext, client_id: string, there: readonly GrantedThere[]): Promise<void> {
  // Who has all of it at the client has it at every scope.
  if (context.user === undefined || there.length === 0 || (await holdsAll(context, { client_id }, there))) return
  for (const each of there) {
    const place = await placeThere(context, each)
    if (place === undefined) continue
    try {
      await checkHeld(context, each.granted, place, each.until)
    } catch (error) {
      throw isFreeholdError(error, 'Denied') ? notHeld(context, error) : error
    }
  }
}
