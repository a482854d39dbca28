import type { AccountContext } from '../account-host.ts'
import { ownerScope } from '../scope.ts'
import { sessions } from './sessions.ts'
import { tokens } from './tokens.ts'

async function revokeAll(context: AccountContext, user_id: string): Promise<void> {
  const owner = await ownerScope(context, user_id)
  for (const kind of [sessions, tokens]) await kind.revokeAllOf(context, user_id, owner)
}

/**
 * Writes a change of a user after which nobody stays signed in who signed in before it. Revoked before it: if the process ends between the two, nobody
 * stays signed in whom the change should keep out. And after it: somebody may have signed in the old way meanwhile.
 */
export async function signingOut<R>(context: AccountContext, user_id: string, write: () => Promise<R>): Promise<R> {
  await revokeAll(context, user_id)
  const result = await write()
  await revokeAll(context, user_id)
  return result
}
