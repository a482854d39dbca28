import { FreeholdError, type Runtime } from '@freehold/table'
import { collectPending } from '@freehold/table/runtime'
import type { SourceRow } from './source-row.ts'
import { isOfRows, type RecordImport, type RowPlan, writeRows } from './write-rows.ts'

/** A row that was not imported: its line in the file, and why. */
export interface FailedRow {
  readonly line: number
  readonly error: FreeholdError
}

/** How many rows of what was read so far. */
export interface ImportCount {
  readonly rows: number
  /** Something was written for them. */
  readonly written: number
  /** Everything they say was there already. */
  readonly unchanged: number
  /** They say what is derived from others, and are left out. */
  readonly skipped: number
  readonly failed: number
}

export interface ImportReport extends ImportCount {
  /** The first thousand; `onFailed` is told of all. */
  readonly failures: readonly FailedRow[]
}

export interface ImportOptions {
  /** Told after each chunk of rows. */
  readonly onProgress?: ((count: ImportCount) => void) | undefined
  /** Told of each row that failed, as it fails. */
  readonly onFailed?: ((failed: FailedRow) => void) | undefined
  /** Records what was imported, in its own transactions. */
  readonly record?: RecordImport | undefined
}

/** A row that could be read. */
export interface GoodRow<V> {
  readonly line: number
  readonly values: V
}

/** The plan of a row, the error of one that cannot be imported, or `skipped` for one that is derived from others. */
export type Planned<V> = RowPlan<GoodRow<V>> | FreeholdError | 'skipped'

/** How the rows of one form are imported. */
export interface Importer<V> {
  /** Looks up what is there for a chunk of rows, and says for each, at its place, what it still needs. */
  plan(rows: readonly GoodRow<V>[]): Promise<readonly Planned<V>[]>
  /** Forgets what may be old, and plans one row anew; see `Again`. */
  again(row: GoodRow<V>, cause: FreeholdError): Promise<Planned<V>>
  /** Rows whose ends are not there may find them later in the file, so they are tried again at its end. */
  readonly awaitsEnds: boolean
}

/** Rows that are looked up and written together: memory holds one chunk, whatever the size of the file. */
const chunkRowsMax = 1000
/** Rows that may wait for the end of the file. Beyond that they fail; importing the file again finds their ends. */
export const waitingRowsMax = 10_000
const failuresKept = 1000

interface Running<V> {
  readonly runtime: Runtime
  readonly importer: Importer<V>
  readonly options: ImportOptions
  readonly count: { -readonly [N in keyof ImportCount]: number }
  readonly failures: FailedRow[]
  /** Undefined once the file has been read: nothing waits any more. */
  waiting: GoodRow<V>[] | undefined
}

function fail<V>({ options, count, failures }: Running<V>, failed: FailedRow): void {
  count.failed++
  if (failures.length < failuresKept) failures.push(failed)
  options.onFailed?.(failed)
}

function failOrWait<V>(running: Running<V>, row: GoodRow<V>, error: FreeholdError): void {
  const { importer, waiting } = running
  const mayWait = importer.awaitsEnds && error.code === 'MissingEnd' && waiting !== undefined && waiting.length < waitingRowsMax
  if (mayWait) waiting.push(row)
  else fail(running, { line: row.line, error })
}

async function importChunk<V>(running: Running<V>, rows: readonly GoodRow<V>[]): Promise<void> {
  const { runtime, importer, count } = running
  const plans: RowPlan<GoodRow<V>>[] = []
  for (const [index, planned] of (await importer.plan(rows)).entries()) {
    const row = rows[index]
    if (row === undefined) break
    if (planned === 'skipped') count.skipped++
    else if (planned instanceof FreeholdError) failOrWait(running, row, planned)
    else if (planned.parts.length === 0) count.unchanged++
    else plans.push(planned)
  }
  const { written, failed } = await writeRows(
    runtime,
    plans,
    async (row, cause) => {
      const planned = await importer.again(row, cause)
      return planned === 'skipped' ? { row, parts: [] } : planned
    },
    running.options.record,
  )
  count.written += written.length
  for (const { row, error } of failed) failOrWait(running, row, error)
}

/** Rows that waited are tried until none of them finds its ends any more. Those that are left then fail. */
async function importWaiting<V>(running: Running<V>): Promise<void> {
  for (let isNews = true; running.waiting !== undefined; ) {
    const rows = running.waiting
    running.waiting = isNews && rows.length > 0 ? [] : undefined
    for (let at = 0; at < rows.length; at += chunkRowsMax) await importChunk(running, rows.slice(at, at + chunkRowsMax))
    isNews = running.waiting !== undefined && running.waiting.length < rows.length
  }
}

/**
 * Imports rows: each is written whole or not at all, each that fails is reported, and the rest carries on. It only adds, so that importing
 * again, also after an interruption, goes on where it ended and changes nothing that is there. Throws what is no row's fault: `Busy`,
 * `Unavailable`, a file that cannot be read; `uncertain` where rows were written before.
 */
export async function importRows<V>(
  runtime: Runtime,
  rows: AsyncIterable<SourceRow<V>>,
  importer: Importer<V>,
  options: ImportOptions = {},
): Promise<ImportReport> {
  const count = { rows: 0, written: 0, unchanged: 0, skipped: 0, failed: 0 }
  const failures: FailedRow[] = []
  await collectPending(runtime, async (collecting) => {
    const running: Running<V> = { runtime: collecting(runtime), importer, options, count, failures, waiting: [] }
    let chunk: GoodRow<V>[] = []
    const flush = async () => {
      if (chunk.length > 0) await importChunk(running, chunk)
      chunk = []
      options.onProgress?.({ ...count })
    }
    for await (const row of rows) {
      count.rows++
      if (row.error === undefined) chunk.push(row)
      else fail(running, row)
      if (chunk.length === chunkRowsMax) await flush()
    }
    await flush()
    if (running.waiting !== undefined && running.waiting.length > 0) {
      await importWaiting(running)
      options.onProgress?.({ ...count })
    }
  })
  return { ...count, failures }
}

/** The value that a look gives, or the error of the row it is about. Throws what is no row's fault. */
export function rowFault<T>(look: () => T): T | FreeholdError {
  try {
    return look()
  } catch (error) {
    if (isOfRows(error)) return error
    throw error
  }
}
