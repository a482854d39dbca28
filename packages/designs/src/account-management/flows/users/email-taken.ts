import { FreeholdError, isFreeholdError } from '@freehold/table'
import { User, UserEmail } from '../../design.ts'

/** Says in a sentence that an e-mail address is another user's: where its guard lies is nothing for whoever asked. Throws `AlreadyExists`. */
export async function withFreeEmail<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (!isFreeholdError(error, 'AlreadyExists') || error.details.guard !== UserEmail.name) throw error
    const details = { entity: User.name, guard: UserEmail.name }
    throw new FreeholdError('AlreadyExists', 'This e-mail address is taken.', details, { cause: error })
  }
}
