import { type FreeholdError, isFreeholdError } from '@freehold/table'
import type { Can, Reason } from './decision.ts'

/** Why nothing is allowed, or listed, where a record that is damaged might have allowed it: damage is not taken for policy (spec rule 19). */
export const malformedRecord: Reason = {
  kind: 'fault',
  code: 'MalformedItem',
  message: 'A stored record is malformed, so what it might grant is not granted. Ask why, and repair it.',
}

/** What a decision, a list and a snapshot of access have in common, as far as it says whether they answer. */
export interface Answered {
  readonly reason?: Reason | undefined
  /** What a snapshot holds. */
  readonly grants?: readonly unknown[]
}

/**
 * True of an answer that is none: something could not be read, or is malformed, and nothing was found besides. A list has a reason only
 * where it is empty; a snapshot that holds something is an answer, whatever was left out of it (spec rule 19).
 */
export function isUnanswered({ reason, grants = [] }: Answered): boolean {
  return reason?.kind === 'fault' && grants.length === 0
}

/** The errors behind reasons: beside them, so that no answer ever holds one. */
const causes = new WeakMap<Reason, FreeholdError>()

/** The error that made a decision a fault, for a log and never for a client; undefined of other reasons. */
export function causeOfFault(reason: Reason | undefined): FreeholdError | undefined {
  return reason === undefined ? undefined : causes.get(reason)
}

/**
 * Answers with a denial where the table could not be read: the policy was not asked, and the reason says so (spec rule 19). An error that is
 * not ours is a defect of the program and goes on as it is: that allows nothing either.
 */
export async function denyingOnFault<T extends Can>(decide: () => Promise<T>, denial: (denied: Can) => T): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const message = `The table could not be read, so nothing is allowed. ${error.message}`
    const reason: Reason = { kind: 'fault', code: 'StorageFault', message }
    causes.set(reason, error)
    return denial({ allowed: false, reason })
  }
}
