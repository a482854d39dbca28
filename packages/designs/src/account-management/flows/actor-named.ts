import { type ConnectedTable, FreeholdError, uuid } from '@freehold/table'
import { nameOf } from '../../decision/question.ts'
import type { Actor } from '../../flow/actor.ts'
import { UserEmail } from '../design.ts'

const id = uuid()
const email = nameOf(UserEmail, 'email')

/** A user by id, or by e-mail address: found through its guard, consistently. Whether the user may act is asked when a flow begins. */
export async function actorNamed(table: ConnectedTable, name: string): Promise<Actor> {
  const asId = id.schema.safeParse(name)
  if (asId.success) return { kind: 'user', user_id: asId.data }
  const asEmail = email(name)
  if (typeof asEmail !== 'string') {
    const message = 'The user to act as is named by neither a UUID nor an e-mail address.'
    throw new FreeholdError('InvalidInput', message, {
      issues: [{ path: ['as'], message: 'is neither the UUID of a user nor an e-mail address' }],
    })
  }
  const found = await table.repositoryNamed(UserEmail.name).get({ email: asEmail }, { consistent: true })
  // The guard of a user has its id; the repository was asked for by name, which tells no types.
  const user_id = (found as Readonly<Record<string, unknown>> | undefined)?.id
  if (typeof user_id !== 'string') throw new FreeholdError('Denied', 'There is no such user here.', { reason: 'UnknownUser' })
  return { kind: 'user', user_id }
}
