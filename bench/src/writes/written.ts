import type { Contender } from '../measure.js'

export const writes = ['create, lone', 'create, append-only', 'update', 'remove of a leaf'] as const
export type Write = (typeof writes)[number]

/** What one write costs in requests and request units. */
export interface WriteCost {
  readonly requests: number
  readonly readUnits: number
  readonly writeUnits: number
}

/** One way to do a write, and to count what it costs. */
export interface Writer extends Contender {
  count(index: number): Promise<WriteCost>
}

export type Writers = Readonly<Record<Write, Writer>>

/** Where the indexes of what is only there to be updated, or removed, begin. */
export const updatedFrom = 1_000_000
export const removedFrom = 2_000_000
/** Updates take turns on these. */
export const updated = 500

/** As long for any index, so that items are as large. */
export const noteOf = (index: number): string => `Note ${String(index).padStart(9, '0')}`
