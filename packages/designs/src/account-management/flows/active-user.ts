import { checking, FreeholdError, type Item, type Steps } from '@freehold/table'
import { User } from '../design.ts'
import type { AccountContext } from './account-context.ts'
import { standingItem } from './change-audited.ts'

/** A user who is active, and the step that holds a write to it. Throws `NotFound`, `BeingDeleted`, `Denied`. */
export async function activeUser(
  context: AccountContext,
  id: string,
): Promise<{ readonly user: Item<typeof User>; readonly steps: Steps }> {
  const user = await standingItem(context, User, { id })
  if (user.status !== 'active') throw new FreeholdError('Denied', `This user is ${user.status}.`, { reason: 'UserNotActive' })
  return { user, steps: { user: checking(User, { id }, { where: { status: 'active', client_id: user.client_id ?? null } }) } }
}
