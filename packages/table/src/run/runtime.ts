import type { Making } from '../design/attribute.ts'
import type { AnyDesign } from '../design/design.ts'
import type { Sender } from '../dynamo/sender.ts'
import type { Wall } from '../plan/wall.ts'
import type { JobHandlers } from './jobs/flow-job.ts'
import type { WriteBudget } from './write-budget.ts'

/** Everything that reading and writing need besides what they read and write. All effects come in here. */
export interface Runtime {
  readonly design: AnyDesign
  /** The table's name. */
  readonly table: string
  readonly sender: Sender
  /** The tenant that a caller acts for: cursors are bound to it. */
  readonly tenant?: string | undefined
  /** What that tenant reads and writes; absent for operators, and in designs that have no tenants. */
  readonly wall?: Wall | undefined
  readonly secret: Uint8Array
  readonly now: () => Date
  readonly making: () => Making
  /** From 0 up to but not including 1. */
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** A monotonic clock, in milliseconds, for deadlines. */
  readonly monotonic_ms: () => number
  /** How long one call may take, in milliseconds: a request with its retries, or a whole transaction. */
  readonly patience_ms: number
  /** How long one attempt at a request may take, in milliseconds. */
  readonly attempt_ms: number
  /** How long a caller waits for the durable jobs of one call, in milliseconds. */
  readonly wait_ms: number
  /** When the call that is under way must have ended, by `monotonic_ms`. */
  readonly end_ms?: number | undefined
  /** Unique to this process: the holder of a job's lease. */
  readonly worker: string
  /** What does the jobs of the design's own flows. */
  readonly jobHandlers: JobHandlers
  /** How many requests one durable job has under way at most. */
  readonly jobRequests_max: number
  /** What all durable jobs may write a second; without bounds if absent. One object, whatever runtimes are derived from this. */
  readonly jobBudget?: WriteBudget | undefined
  /** Called with each step of a durable job. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined
}

export interface JobProgress {
  readonly job: string
  readonly kind: string
  readonly subject: string
  /** Items written or removed so far. */
  readonly done: number
}
