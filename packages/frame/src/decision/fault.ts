import { type FreeholdError, isFreeholdError } from '@freehold/table'
import type { Can, Reason } from './decision.ts'
import { isUnusable, type LoadResult } from './record.ts'

/** Why nothing is allowed, or listed, if a malformed record might have allowed it: damage is not taken for policy (spec rule 19). */
export const malformedRecord: Reason = {
  kind: 'fault',
  code: 'MalformedItem',
  message: 'A stored record is malformed, so what it might grant is not granted. Ask why, and repair it.',
}

/** The reason of a denial that items or rules decide. */
export const policy = (code: string, message: string): Reason => ({ kind: 'policy', code, message })

/** Something that a question is about. */
export interface AskedAbout {
  /** Its kind, as it stands in codes: `User`. */
  readonly what: string
  /** The name that it was asked for; undefined if the question does not ask for it. */
  readonly name: string | undefined
  /** Undefined if the name stands for nothing. */
  readonly id: string | undefined
  /** Undefined if it was not read. */
  readonly result: LoadResult<unknown> | undefined
}

/**
 * Why nothing is allowed, or listed, because something that was asked about is not there: faults before names (spec rule 19).
 * @param names the records of names that stand for nothing
 * @param where it is not there, in words
 */
export function unknownReason(names: readonly LoadResult<unknown>[], asked: readonly AskedAbout[], where = ''): Reason | undefined {
  if (names.some(({ state }) => state === 'malformed')) return malformedRecord
  for (const { what, name, id, result } of asked) {
    if (name === undefined || result?.state === 'found' || (id !== undefined && result === undefined)) continue
    if (result?.state === 'malformed') return malformedRecord
    const named = `${what.toLowerCase()} ${JSON.stringify(name)}`
    if (result?.state === 'deleting') return { kind: 'unknown', code: 'BeingDeleted', message: `The ${named} is being deleted.` }
    const hint = id === undefined ? names.flatMap((each) => (isUnusable(each) ? (each.hint ?? []) : []))[0] : undefined
    return { kind: 'unknown', code: `Unknown${what}`, message: [`There is no ${named}${where}.`, hint ?? []].flat().join(' ') }
  }
  return undefined
}

/** A decision, a list or a snapshot of access, as far as it says whether it answers. */
export interface Answered {
  readonly reason?: Reason | undefined
  /** The content of a snapshot. */
  readonly grants?: readonly unknown[]
}

/**
 * True of an answer that tells nothing: a record could not be read, or is malformed, and nothing else was found. A list has a reason only if it is
 * empty. A snapshot that holds something is an answer, even if it lacks something (spec rule 19).
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
 * Answers with a denial if the table, a policy store or a program's own source could not be read: the reason says so (spec rule 19). An error that is
 * not ours is a defect of the program and goes on as it is: that allows nothing either.
 */
export async function denyingOnFault<T extends Can>(decide: () => Promise<T>, denial: (denied: Can) => T): Promise<T> {
  try {
    return await decide()
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const message = `The decision could not be made, so nothing is allowed. ${error.message}`
    const reason: Reason = { kind: 'fault', code: 'StorageFault', message }
    causes.set(reason, error)
    return denial({ allowed: false, reason })
  }
}
