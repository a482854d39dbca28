import { type Entity, FreeholdError } from '@freehold/table'

/** Tells that a value of an item is another's already, in place of an error that shows the key of the guard. Any other error stays as it is. */
export const guardTaken =
  (entity: Entity, guard: Entity, message: string) =>
  (error: FreeholdError): FreeholdError => {
    if (error.code !== 'AlreadyExists' || error.details.guard !== guard.name) return error
    return new FreeholdError('AlreadyExists', message, { entity: entity.name, guard: guard.name }, { cause: error })
  }
