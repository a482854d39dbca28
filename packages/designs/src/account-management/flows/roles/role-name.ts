import { FreeholdError, isFreeholdError } from '@freehold/table'
import { Role, RoleName } from '../../design.ts'

/** The error for a name that another role of the client, or of the system, has. */
export function nameTaken(client_id: string | undefined, name: string, cause?: unknown): FreeholdError {
  const owner = client_id === undefined ? 'The system' : 'This client'
  const details = { entity: Role.name, attribute: 'name', guard: RoleName.name }
  return new FreeholdError('AlreadyExists', `${owner} has a role named '${name}' already.`, details, { cause })
}

/** Does what may find a role's name taken, and says so in words of roles rather than of keys. */
export async function namingTaken<T>(client_id: string | undefined, name: string | undefined, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (name === undefined || !isFreeholdError(error, 'AlreadyExists') || error.details.guard !== RoleName.name) throw error
    throw nameTaken(client_id, name, error)
  }
}
