import type { Can } from '@freehold/frame/decision'
import type { Outcome } from '@freehold/table'
import type { Packages } from './packages.js'

/** What is measured. Each index is run once, and up to 16 at the same time. */
export interface Operation {
  /** Makes what the next runs use up. Not measured. */
  prepare?(from: number, count: number): Promise<unknown>
  run(index: number): Promise<unknown>
  /** Runs until the first is done again: an operation that remembers is counted once it has seen them all. 1 unless given. */
  readonly round?: number
}

/** The operations on one design, over the same items. */
export interface Suite<N extends string = string> {
  readonly name: string
  /** Said before any is made, since a build may be unable to make them. */
  readonly operations: readonly N[]
  /** Makes the table and what lies in it. */
  open(packages: Packages, at: { readonly endpoint: string; readonly table: string }): Promise<Readonly<Record<N, Operation>>>
}

/** Out of reach, so that a decision never reads its definitions again while it is measured. */
export const maxStalenessMs = 3_600_000

export const numbers = (count: number, from = 0): number[] => Array.from({ length: count }, (_, index) => from + index)

/** The value whose turn it is, of some that are used one after another, again and again. */
export function turn<T>(values: readonly T[], index: number): T {
  const value = values[index % values.length]
  if (value === undefined) throw new Error('There are none to take turns.')
  return value
}

/** Everything was created, or the first error is thrown. */
export async function created<T>(creating: Promise<readonly Outcome<T>[]>): Promise<readonly T[]> {
  return (await creating).map((outcome) => {
    if (outcome.error !== undefined) throw outcome.error
    return outcome.item
  })
}

/** A question that was answered with no costs something else, and would be compared without anyone noticing. */
export async function allowed(asking: Promise<Can>): Promise<void> {
  const { allowed, reason } = await asking
  if (!allowed) throw new Error(`A question of the bench was answered with no: ${reason?.message ?? 'without a reason'}`)
}
