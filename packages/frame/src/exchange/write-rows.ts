import { FreeholdError, isFreeholdError, type Runtime, type Step, type Steps } from '@freehold/table'
import { transact } from '@freehold/table/runtime'
import { type Part, transactionPlacesMax } from './part.ts'

/** The parts that a row still needs, written in one transaction: a row is never half-written. No parts if everything is there. */
export interface RowPlan<R> {
  readonly row: R
  readonly parts: readonly Part[]
}

/** The rows of one chunk that were written, and those that failed. */
export interface Written<R> {
  readonly written: R[]
  readonly failed: { readonly row: R; readonly error: FreeholdError }[]
}

/** Gives one step that records what a transaction of an import creates. */
export type RecordImport = (created: readonly Step[]) => Steps

/** Plans one row anew, after another writer was faster: `cause` says where. Gives the error of a row that cannot be written. */
export type Again<R> = (row: R, cause: FreeholdError) => Promise<RowPlan<R> | FreeholdError>

/** Transactions in parallel. More would wait for each other: consecutive rows share items that are checked, and the engine writes one at a time. */
const transactionsAtOnce = 2
const attemptsMax = 3
/** Times that a transaction is tried while the table is busy, each with the runtime's patience, and what is waited between them. */
const busyAttemptsMax = 6
const busyWait_ms = 2000

interface Batch<R> {
  readonly rows: RowPlan<R>[]
  readonly parts: Map<string, Part>
  readonly places: Set<string>
}

function missing<R>({ parts }: RowPlan<R>, done: ReadonlySet<string>): Part[] {
  return parts.filter(({ name }) => !done.has(name))
}

function sizeWith<R>({ places }: Batch<R>, parts: readonly Part[]): number {
  return places.size + new Set(parts.flatMap((part) => part.places).filter((place) => !places.has(place))).size
}

/**
 * Packs rows into transactions, in order. A part goes into the first transaction that needs it; a row that needs a part of another
 * transaction waits until that is written, so that no two transactions make one thing.
 */
export function packRows<R>(
  rows: readonly RowPlan<R>[],
  done: ReadonlySet<string>,
  placesMax = transactionPlacesMax,
): { batches: Batch<R>[]; waiting: RowPlan<R>[] } {
  const batches: Batch<R>[] = []
  const waiting: RowPlan<R>[] = []
  const taken = new Map<string, Batch<R>>()
  let open: Batch<R> | undefined
  for (const plan of rows) {
    const parts = missing(plan, done)
    const isFull = open !== undefined && open.rows.length > 0 && sizeWith(open, parts) > placesMax
    // A new transaction cannot use what the open one makes, before that is written.
    if (parts.some(({ name }) => taken.has(name) && (isFull || taken.get(name) !== open))) {
      waiting.push(plan)
      continue
    }
    if (open === undefined || isFull) {
      open = { rows: [], parts: new Map(), places: new Set() }
      batches.push(open)
    }
    open.rows.push(plan)
    for (const part of parts) {
      open.parts.set(part.name, part)
      for (const place of part.places) open.places.add(place)
      taken.set(part.name, open)
    }
  }
  return { batches, waiting }
}

/** True for an error that is about the rows, not about the table: others may still be written. */
export function isOfRows(error: unknown): error is FreeholdError {
  return isFreeholdError(error) && error.category !== 'unavailable' && error.category !== 'retryable'
}

/** The first error by name of a transaction that failed. */
function causeOf(error: FreeholdError): FreeholdError {
  const failures = Object.values(error.details.failures ?? {})
  return failures.find(({ code }) => code !== 'AlreadyExists') ?? failures[0] ?? error
}

async function write({ runtime, done, record }: Writing, parts: readonly Part[]): Promise<void> {
  const own = Object.fromEntries(parts.map(({ name, step }): [string, Step] => [name, step]))
  const steps = parts.length === 0 ? own : { ...own, ...record?.(parts.map(({ step }) => step)) }
  for (let attempt = 1; parts.length > 0; attempt++) {
    try {
      await transact(runtime, steps)
      break
    } catch (error) {
      // An import can wait longer than a caller: it is what keeps the table busy.
      // One that is uncertain may have been applied, and done anew it would bring back what others removed since.
      if (!isFreeholdError(error, 'Busy') || error.details.uncertain === true || attempt === busyAttemptsMax) throw error
      await runtime.sleep(runtime.random() * busyWait_ms * attempt)
    }
  }
  for (const { name } of parts) done.add(name)
}

/** What the rows of one chunk are written with. */
interface Writing {
  readonly runtime: Runtime
  /** The names of parts that were written. */
  readonly done: Set<string>
  readonly record: RecordImport | undefined
}

/** One row in a transaction of its own. Where another writer made a part meanwhile, the row is planned anew. */
async function writeAlone<R>(writing: Writing, first: RowPlan<R>, again: Again<R>): Promise<FreeholdError | undefined> {
  let plan = first
  for (let attempt = 1; ; attempt++) {
    try {
      await write(writing, missing(plan, writing.done))
      return undefined
    } catch (error) {
      if (!isOfRows(error)) throw error
      const cause = causeOf(error)
      // Another writer's item has another id than ours would have had.
      const isOvertaken = cause.code === 'AlreadyExists' || cause.code === 'MissingEnd'
      if (!isOvertaken || attempt === attemptsMax) return cause
      const next = await again(plan.row, cause)
      if (next instanceof FreeholdError) return next
      plan = next
    }
  }
}

async function writeBatch<R>(writing: Writing, { rows, parts }: Batch<R>, again: Again<R>, { written, failed }: Written<R>): Promise<void> {
  try {
    await write(writing, [...parts.values()])
    written.push(...rows.map(({ row }) => row))
    return
  } catch (error) {
    if (!isOfRows(error)) throw error
  }
  // One row keeps all of them from being written: each by itself tells which, and why.
  for (const plan of rows) {
    const error = await writeAlone(writing, plan, again)
    if (error === undefined) written.push(plan.row)
    else failed.push({ row: plan.row, error })
  }
}

/** Writes rows, many in a transaction and several transactions side by side; each row whole or not at all. A fault of the table is thrown. */
export async function writeRows<R>(
  runtime: Runtime,
  rows: readonly RowPlan<R>[],
  again: Again<R>,
  record?: RecordImport,
): Promise<Written<R>> {
  const done = new Set<string>()
  const writing = { runtime, done, record }
  const outcome: Written<R> = { written: [], failed: [] }
  for (let rest = rows; rest.length > 0; ) {
    const { batches, waiting } = packRows(rest, done, transactionPlacesMax - (record === undefined ? 0 : 1))
    const queue = batches.values()
    const worker = async () => {
      for (const batch of queue) await writeBatch(writing, batch, again, outcome)
    }
    const ends = await Promise.allSettled(Array.from({ length: Math.min(transactionsAtOnce, batches.length) }, worker))
    for (const end of ends) if (end.status === 'rejected') throw end.reason
    rest = waiting
  }
  return outcome
}
