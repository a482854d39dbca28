import { checking, type Item, type Steps } from '@freehold/table'
import { liveItem, stateConflict } from '../../../flow/live-item.ts'
import { Client, User } from '../../design.ts'
import type { AccountContext } from '../account-host.ts'

/**
 * A user who is active, as its client is, and the step that holds a write to the client; the write itself is to be of, or to check, the user as
 * it was read. Throws `NotFound`, `BeingDeleted`, and `CheckFailed`: `UserNotActive`, `ClientNotActive`.
 */
export async function activeUser(
  context: AccountContext,
  id: string,
): Promise<{ readonly user: Item<typeof User>; readonly steps: Steps }> {
  const user = await liveItem(context, User, { id })
  if (user.status !== 'active') throw stateConflict(User, 'UserNotActive', `This user is ${user.status}.`)
  const { client_id } = user
  if (client_id === undefined) return { user, steps: {} }
  const { status } = await liveItem(context, Client, { id: client_id })
  if (status !== 'active') throw stateConflict(Client, 'ClientNotActive', `The client of this user is ${status}.`)
  return { user, steps: { client: checking(Client, { id: client_id }, { where: { status: 'active' } }) } }
}
