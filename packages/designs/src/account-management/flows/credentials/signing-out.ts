import { type Item, isFreeholdError, uuid } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import type { Client } from '../../design.ts'
import { type AccountContext, job } from '../account-host.ts'
import { givenUntil } from '../revocation.ts'
import { ownerScope } from '../scope.ts'
import { unlessGone } from './credentials.ts'
import { sessions } from './sessions.ts'
import { tokens } from './tokens.ts'

async function revokeAll(context: AccountContext, user_id: string): Promise<void> {
  const owner = await ownerScope(context, user_id)
  for (const kind of [sessions, tokens]) await kind.revokeAllOf(context, user_id, owner)
}

/**
 * Writes a change of a user after which nobody stays signed in who signed in before it. Revoked before it: if the process ends between the two, nobody
 * stays signed in whom the change should keep out. And after it: somebody may have signed in the old way meanwhile. A user who was removed meanwhile takes
 * its sessions and tokens along, and its change was made all the same.
 */
export async function signingOut<R>(context: AccountContext, user_id: string, write: () => Promise<R>): Promise<R> {
  await revokeAll(context, user_id)
  const result = await write()
  await revokeAll(context, user_id).catch(unlessGone)
  return result
}

/** Users whose sessions and tokens are revoked side by side. */
const atOnce = 25

async function* usersOf({ table }: AccountContext, client_id: string): AsyncGenerator<readonly string[]> {
  let users: string[] = []
  for await (const { id } of table.usersOfClient.all({ client_id })) {
    users.push(id)
    if (users.length < atOnce) continue
    yield users
    users = []
  }
  if (users.length > 0) yield users
}

/** The durable job that revokes the sessions and tokens of all users of a client. */
export const signingOutClient = job({
  name: 'signingOutClient',
  flow: 'suspendClient',
  input: { client_id: uuid() },
  subject: ({ client_id }) => `CLIENT#${client_id}`,
  within: ({ client_id }) => ({ client_id }),
  each: (context, { client_id }) => usersOf(context, client_id),
  does: (context, users, _input, running) =>
    parallelMap(users, async (user_id) => {
      for (const kind of [sessions, tokens]) await kind.revokeDue(context, user_id, givenUntil(running.createdAt), running)
    }),
  size: ({ length }) => length,
})

/**
 * Suspends a client by `write`. From then on the sessions and tokens of its users are refused at use, and a durable job revokes them. The job is recorded
 * first, so that it is done even if the process ends after the write. Of a client of many users it goes on after the answer, which names it.
 */
export async function signingOutAll(
  context: AccountContext,
  client_id: string,
  wait: boolean,
  write: () => Promise<Item<typeof Client>>,
): Promise<Item<typeof Client>> {
  const hasUsers = async () => (await context.table.usersOfClient({ client_id }, { limit: 1 })).items.length > 0
  if (await hasUsers()) await signingOutClient.start(context, { client_id }, { willStart: true })
  const client = await write()
  if (await hasUsers())
    await signingOutClient.start(context, { client_id }, { wait }).catch((error: unknown) => {
      if (!isFreeholdError(error, 'Pending')) throw error
    })
  return client
}
