import { FreeholdError } from '@freehold/table'
import { covers, permissionIn, permissionWords } from '../deciding/permission.ts'
import type { AccountContext } from './account-context.ts'
import type { PermissionPattern } from './permission-pattern.ts'
import type { Place } from './place.ts'

const pageMax = 1000
/** An error names no more of them. */
const namedMax = 10

/** Everything that the calling user has at a place, by the design's own decisions, which read everything. */
async function heldAt(
  { user, decider }: AccountContext,
  { client_id, project_id, building_id }: Place,
): Promise<readonly PermissionPattern[]> {
  const question = {
    user: user?.id,
    client: client_id,
    ...(project_id === undefined ? {} : { project: project_id }),
    ...(building_id === undefined ? {} : { building: building_id }),
  }
  const held: PermissionPattern[] = []
  let cursor: string | undefined
  do {
    const page = await decider().what(question, { consistency: 'strong', limit: pageMax, cursor })
    // What a user has is given flat, or as a question has it.
    held.push(...page.items.flatMap((item) => permissionIn(item.permission ?? item) ?? []))
    cursor = page.cursor
  } while (cursor !== undefined)
  return held
}

/**
 * Holds a caller that is a user to granting no more than it has itself at the place where it grants: for `*` in a part it must have `*` there
 * (spec rule 23). Of several permissions that together amount to a wider one none counts for that. Throws `Denied`.
 */
export async function checkHeld(context: AccountContext, granted: readonly PermissionPattern[], place: Place | 'system'): Promise<void> {
  if (context.user === undefined || granted.length === 0) return
  const held = place === 'system' ? [] : await heldAt(context, place)
  const missing = granted.filter((wanted) => !held.some((each) => covers(each, wanted))).map(permissionWords)
  if (missing.length === 0) return
  const named = missing.slice(0, namedMax)
  throw new FreeholdError('Denied', `Nobody grants more than they hold here, and this caller does not hold ${named.join(', ')}.`, {
    flow: context.flow,
    reason: 'NotHeld',
    missing: named,
  })
}
