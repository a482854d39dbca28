import type { Values } from '../../packages/designs/test/model/templates.ts'

/** The effect of a call on one item that it names. */
export interface Touch {
  readonly entity: string
  /** `PK / SK` of the item. */
  readonly place: string
  /** `may-…`: what a call that is done does to an item if that is how things are by then. */
  readonly verb: 'create' | 'ensure' | 'update' | 'remove' | 'may-create' | 'may-update' | 'may-remove'
  /** Of a creation: enough of the item to tell what it refers to. */
  readonly values?: Values
  /**
   * Only calls that name this item write it: it has no copies that follow others, and nothing that it refers to is ever removed. The whole
   * history of such an item must be one that single steps in some order explain.
   */
  readonly isAlone?: boolean
  /** A removal by a durable job: calls that overlap may do it together, and each is told that it is done. */
  readonly isShared?: boolean
}

/** A number that a call changes by reading and writing it. */
export interface Counting {
  readonly place: string
  /** Attributes from the item to the number. */
  readonly path: readonly string[]
  readonly by: number
}

/** One call of the public API, as far as it is known before it is made. */
export interface CallFacts {
  /** `rebac Location.update`, say. */
  readonly name: string
  readonly design: string
  readonly input: unknown
  readonly touches: readonly Touch[]
  readonly counting?: Counting
  /** The audit entry that it writes with its change, by what the entry says of it. */
  readonly audited?: { readonly action: string; readonly entity_id?: string }
  /** Requests and transactions that it may make one after the other: each may last as long as one call. */
  readonly steps: number
  /** It may wait for a durable job. */
  readonly waits: boolean
}

export interface ToldItem {
  readonly version?: number
  /** When this incarnation was created, as its item says. */
  readonly born?: string
}

export interface PendingJob {
  readonly job: string
  readonly kind?: string
  readonly subject?: string
  readonly reason?: unknown
}

export type Outcome =
  | {
      readonly is: 'ok'
      /** The items given back, by their keys. */
      readonly items: Readonly<Record<string, ToldItem>>
      /** The counted number after the call. */
      readonly count?: number
      /** Of an `ensure`: false where the item was there. */
      readonly isNew?: boolean
      /** Of a sign-in and its like: the answer in a word. */
      readonly said?: string
      /** Jobs that are not finished. */
      readonly pending: readonly PendingJob[]
    }
  | {
      readonly is: 'error'
      /** The code of a `FreeholdError`, or `thrown` for anything else. */
      readonly code: string
      readonly message: string
      readonly uncertain: boolean
      /** The guard that stood in the way. */
      readonly guard?: string
      /** Codes of the steps of a transaction. */
      readonly failures: readonly string[]
      readonly pending: readonly PendingJob[]
    }

/** One call, and what came of it. */
export interface Entry extends CallFacts {
  readonly process: number
  readonly lane: number
  readonly seq: number
  /** A text that this call alone writes: where it stands, the call was applied. */
  readonly marker: string
  /** Milliseconds of the system's monotonic clock, which all processes of one machine share. */
  readonly start_ms: number
  readonly end_ms: number
  readonly outcome: Outcome
}

/** Delimited, so that none begins another. */
export const markerOf = (process: number, lane: number, seq: number): string => `m-${process}-${lane}-${seq}-m`

export const isOk = ({ outcome }: Pick<Entry, 'outcome'>): boolean => outcome.is === 'ok'
/**
 * It may have been applied, or is going to be: its caller was told so. What is no error of this project says nothing, and is a finding of its own.
 */
export const isUncertain = ({ outcome }: Pick<Entry, 'outcome'>): boolean =>
  outcome.is === 'error' && (outcome.uncertain || outcome.code === 'thrown' || outcome.code === 'Pending')
/** Refused, and said not to have been applied. */
export const isRefused = (entry: Pick<Entry, 'outcome'>): boolean => !isOk(entry) && !isUncertain(entry)

/** Milliseconds of the system's monotonic clock. */
export const monotonicMs = (): number => Number(process.hrtime.bigint() / 1000n) / 1000
