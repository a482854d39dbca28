import { FreeholdError } from '@freehold/table'
import { User, UserEmail } from '../../design.ts'

/** The error for an e-mail address that another user has: a caller is not told the key of the guard. Any other error stays as it is. */
export function emailTaken(error: FreeholdError): FreeholdError {
  if (error.code !== 'AlreadyExists' || error.details.guard !== UserEmail.name) return error
  const details = { entity: User.name, guard: UserEmail.name }
  return new FreeholdError('AlreadyExists', 'This e-mail address is taken.', details, { cause: error })
}
