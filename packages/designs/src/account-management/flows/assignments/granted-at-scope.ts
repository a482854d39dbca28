import { parseRecords, placeBefore, placeOf, readRange } from '@freehold/frame/decision'
import { FreeholdError, type Item } from '@freehold/table'
import { checkAdopted } from '@freehold/table/runtime'
import { systemOwner } from '../../access.ts'
import { ScopeAssignment } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'
import { grantedByRoles } from '../roles/role-ancestry.ts'
import { byEnd, type End, type GrantedUntil, laterEnd } from './grant-ceiling.ts'

const readAtOnce = 100

type Scope = Pick<Item<typeof ScopeAssignment>, 'scope_type' | 'scope_id'> & { readonly client_id: string }

/** A role that users have, or will have, and the end of its last assignment. */
interface RoleThere {
  readonly role_id: string
  readonly owner: string
  readonly until: End
}

/**
 * The roles that are assigned at a scope. The assignments lie in the order of their roles. If a page ends within a role, its other assignments are
 * passed over, so that a role of thousands costs as much as a role of few: one of them may have no end. Throws `MalformedItem`, since an item that
 * cannot be read might grant.
 */
async function rolesAt({ table }: AccountContext, { client_id, ...scope }: Scope): Promise<ReadonlyMap<string, RoleThere>> {
  await checkAdopted(table.runtime, 'It is not known what is granted there')
  const now = table.runtime.now().toISOString()
  const { partition, range } = placeOf(ScopeAssignment, scope)
  const roles = new Map<string, RoleThere>()
  const note = (role_id: string, owner: string, until: End) => {
    const text = `${owner} ${role_id}`
    const there = roles.get(text)
    roles.set(text, { role_id, owner, until: there === undefined ? until : laterEnd(until, there.until) })
  }
  for (let after: string | undefined; ; ) {
    const { items, isLast } = await readRange(table.runtime, partition, range, { limit: readAtOnce, after })
    const { found, unusable } = parseRecords(ScopeAssignment, items)
    for (const { state, message, entity, key } of unusable)
      if (state === 'malformed') throw new FreeholdError('MalformedItem', message, { entity, key })
    for (const { role_id, role_owner: owner, client_id: of, expires_at: until = null } of found) {
      const isOurs = of === client_id && (owner === client_id || owner === systemOwner)
      if (isOurs && (until === null || until > now)) note(role_id, owner, until)
    }
    const last = items.at(-1)
    if (isLast || last === undefined) return roles
    const role_id = String(last.role_id)
    const owners = [client_id, systemOwner]
    const isKnown = owners.some((owner) => roles.has(`${owner} ${role_id}`))
    // Roles of one id, of the client and of the system, lie together: the assignments that are passed over may be of either.
    if (isKnown) for (const owner of owners) note(role_id, owner, null)
    after = isKnown ? placeBefore(ScopeAssignment, { ...scope, role_id }, 'user_id').range.to : String(last.SK)
  }
}

/**
 * Everything that assignments at a scope grant, also those that have not begun, by their latest ends. A building that comes to lie beneath the scope
 * is granted with it. A role that is gone grants nothing.
 */
export async function grantedAtScope(context: AccountContext, scope: Scope): Promise<readonly GrantedUntil[]> {
  const roles = [...(await rolesAt(context, scope)).values()]
  const assigned = roles.map(({ role_id: id, owner }) => ({ id, client_id: owner === systemOwner ? undefined : owner }))
  const granted = await grantedByRoles(context, assigned)
  return byEnd(roles.map(({ until }, index) => ({ until, granted: granted[index] ?? [] })))
}
