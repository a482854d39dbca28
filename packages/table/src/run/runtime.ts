import type { Making } from '../design/attribute.ts'
import type { AnyDesign } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import type { Sender } from '../dynamo/sender.ts'
import type { Json } from '../kind/value.ts'
import type { TableKey } from '../plan/keys.ts'
import type { Step } from '../plan/step.ts'
import type { Stored } from '../plan/stored.ts'
import type { TenantScope } from '../plan/tenant-scope.ts'
import type { CallReads } from './call-reads.ts'
import type { KeyedCall } from './calls/keyed-call.ts'
import type { Collecting } from './pending.ts'
import type { WriteBudget } from './write-budget.ts'

/** The environment of all reads and writes. Every effect is injected here. */
export interface Runtime extends Collecting {
  readonly design: AnyDesign
  /** The table's name. */
  readonly table: string
  readonly sender: Sender
  /** The tenant for which the caller acts. Cursors are bound to it. */
  readonly tenant?: string | undefined
  /** The scope of that tenant. Absent for operators, and in designs without tenants. */
  readonly tenantScope?: TenantScope | undefined
  readonly secret: Uint8Array
  readonly now: () => Date
  readonly making: () => Making
  /** From 0 up to but not including 1. */
  readonly random: () => number
  readonly sleep: (ms: number) => Promise<void>
  /** A monotonic clock, in milliseconds, for deadlines. */
  readonly monotonic_ms: () => number
  /** How long one call may take, in milliseconds. A call is a request with its retries, or a whole transaction. */
  readonly patience_ms: number
  /** How long one attempt at a request may take, in milliseconds. */
  readonly attempt_ms: number
  /** How long a caller waits for the durable jobs of one call, in milliseconds. */
  readonly wait_ms: number
  /** The instant of `monotonic_ms` by which the current call must end. */
  readonly end_ms?: number | undefined
  /** Unique to this process: the holder of a job's lease. */
  readonly worker: string
  /** The handlers of the jobs of the design's flows. */
  readonly jobHandlers: JobHandlers
  /** The largest number of parallel requests of one durable job. */
  readonly jobRequests_max: number
  /** The write budget of all durable jobs, unbounded if absent. All runtimes that are derived from this one share the object. */
  readonly jobBudget?: WriteBudget | undefined
  /** What the call that is under way has read, if it keeps that. */
  readonly reads?: CallReads | undefined
  /** The call that is under way, if it was made under an idempotency key. */
  readonly call?: KeyedCall | undefined
  /** Called with each step of a durable job. An error that it throws changes nothing about the job. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined
}

export interface JobProgress {
  readonly job: string
  readonly kind: string
  readonly subject: string
  /** Items written or removed so far. */
  readonly done: number
}

/** A running job of a flow, as its handler sees it. */
export interface FlowJob {
  /** A ULID. */
  readonly id: string
  /** The input of the job. */
  readonly input: Json
  /** The ISO instant at which the job was recorded or last joined. It is the same in each run. */
  readonly createdAt: string
  readonly runtime: Runtime
  /**
   * Counts items as done and keeps the lease. Throws if another worker has taken the job over, or if the caller's wait has ended: do not
   * catch that.
   */
  advance(items: number): Promise<void>
}

/**
 * Does the work of one kind of job. It must be idempotent: another process may run it again from the beginning, after a crash between any
 * two requests (spec rule 12).
 */
export type JobHandler = (job: FlowJob) => Promise<void>

/** An item that a removal takes along, as it was read. */
export interface RemovedItem {
  readonly entity: Entity
  readonly item: Stored
}

/** The removal that takes it along. */
export interface RemovalJob {
  /** A ULID. */
  readonly id: string
  /** The entity of the item that was to be removed. */
  readonly entity: string
  readonly key: TableKey
  /** The note that the step of the removal gave: who asked for it, say. */
  readonly note: Json
}

/**
 * Gives steps that record an item which a removal takes along: creations that refer to nothing. They are written in the transaction that removes the
 * item, and their ids are derived from the job and the item. Called only for removals with a note.
 */
export type RecordRemoval = (removed: RemovedItem, job: RemovalJob, runtime: Runtime) => Readonly<Record<string, Step>>

/** The name under which handlers have the function that records removed items. No job has it. */
export const recordRemoval: unique symbol = Symbol('recordRemoval')

/** Job handlers by the name of their job. */
export interface JobHandlers {
  readonly [name: string]: JobHandler
  readonly [recordRemoval]?: RecordRemoval
}
