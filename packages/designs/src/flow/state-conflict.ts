import { type Entity, FreeholdError } from '@freehold/table'

/**
 * What is asked does not fit what the item is by now: a conflict with its state, and not with another writer, so that it is not tried again;
 * nor a denial, as the caller may do it. `reason` is a stable code.
 */
export function stateConflict(entity: Entity, reason: string, message: string): FreeholdError {
  return new FreeholdError('CheckFailed', message, { entity: entity.name, reason, named: true })
}
