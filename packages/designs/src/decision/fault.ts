import { isFreeholdError } from '@freehold/table'
import type { Can } from './decision.ts'

/**
 * Answers with a denial where the table could not be read: the policy was not asked, and the reason says so (spec rule 19). An error that is
 * not ours is a defect of the program and goes on as it is: that allows nothing either.
 */
export async function denyingOnFault<T extends Can>(decide: () => Promise<T>, denial: (denied: Can) => T): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return denial({
      allowed: false,
      reason: { kind: 'fault', code: 'StorageFault', message: `The table could not be read, so nothing is allowed. ${error.message}` },
    })
  }
}
