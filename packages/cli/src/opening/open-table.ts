import type { DesignModule } from '@freehold/designs'
import { type ConnectedTable, connect, isFreeholdError, type Runtime } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { embeddedEngine, resolveEndpoint } from '../engine/endpoint.ts'
import { readSecret } from '../engine/secret.ts'
import { counted } from '../output/counted.ts'
import { progressOf } from '../output/progress.ts'
import type { PrintOptions, Shell } from '../shell.ts'
import { jobBudget } from './job-budget.ts'
import { isAtAws, reach } from './reach.ts'

export interface TableOptions extends PrintOptions {
  readonly table?: string
  readonly data?: string
}

/** A table that a command works on. */
export interface Opened {
  readonly table: ConnectedTable
  readonly runtime: Runtime
}

export interface Opening {
  readonly module: Pick<DesignModule, 'design' | 'flows'>
  /** The command in a person's words, for others who wait for it: `freehold create`. */
  readonly name: string
  /** It gives or takes cursors, which a later command shall accept. */
  readonly hasCursors?: boolean
  /** It only reads: where a table that was named is not there, its name is probably misspelled, and that it is empty is told. */
  readonly isReading?: boolean
  /** `jobs` shows what was left behind instead of finishing it; `setup` makes the table itself. */
  readonly leaves?: 'jobs' | 'table'
}

/** What a command does of what was left behind: it is not to last much longer than its own work does. */
const share = { jobs_max: 20, ms_max: 2_000, pages_max: 4 } as const

/** Finishes what a crashed process left behind (spec rule 12), as far as that fits. Where there is nothing it costs one query. */
async function resumeJobs(shell: Shell, { jobs }: Opened['table'], before: Date): Promise<void> {
  // What is left behind grants nothing, and the next command tries again; this one has done its work.
  const unfinished = 'A job that an earlier process left behind could not be finished: see `freehold jobs --resume`.\n'
  try {
    const { done, failed, hasMore = false } = await jobs.resume({ ...share, before })
    if (done > 0) shell.err(`Finished ${counted(done, 'job')} that an earlier process left behind.\n`)
    if (failed.length > 0) shell.err(unfinished)
    if (hasMore) shell.err('More jobs are left: the next commands go on with them, or `freehold jobs --resume`, or a server.\n')
  } catch {
    shell.err(unfinished)
  }
}

/** Does a command's own work first: nobody waits for what others left. After an error, too, which may be due to just that. */
async function thenJobs<T>(shell: Shell, table: Opened['table'], work: () => Promise<T>): Promise<T> {
  // What the command itself leaves to whoever comes next is not done by it.
  const before = shell.now()
  let isReached = true
  try {
    return await work()
  } catch (error) {
    isReached = !isFreeholdError(error, 'Unavailable')
    throw error
  } finally {
    if (isReached) await resumeJobs(shell, table, before)
  }
}

/**
 * Opens a design's table for one command, and closes it whatever happens. Outside AWS a table that is not there is made.
 * @throws Unavailable when there is no table or nothing that answers
 */
export async function withTable<T>(
  shell: Shell,
  opening: Opening,
  options: TableOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { module, name, hasCursors = false, isReading = false, leaves } = opening
  const endpoint = resolveEndpoint(shell.env, options, shell.cwd)
  const budget = jobBudget(shell)
  const reached = await reach(shell, endpoint, { name, role: 'guest' })
  const progress = progressOf(shell)
  try {
    // Without cursors there is nothing to seal, and no folder to keep a secret in.
    const folder = embeddedEngine(shell.env, options, shell.cwd).directory
    const secret = hasCursors ? { secret: Buffer.from(readSecret(shell.env, folder)) } : {}
    const table = connect(module.design, {
      dynamo: reached.dynamo,
      ...(options.table === undefined ? {} : { table: options.table }),
      ...secret,
      ...budget,
      now: shell.now,
      jobHandlers: module.flows?.jobHandlers ?? {},
      onProgress: ({ kind, subject, done }) => progress.show(`${kind} ${subject}: ${done} items`),
    })
    const opened = { table, runtime: table.runtime }
    try {
      if (leaves !== 'table' && !isAtAws(endpoint)) {
        const isNew = await ensureTable(opened.runtime)
        if (isNew && isReading && options.table !== undefined && options.json !== true)
          shell.err(`Made the table ${options.table}, which was not there.\n`)
      }
      return await (leaves === undefined ? thenJobs(shell, table, () => work(opened)) : work(opened))
    } finally {
      table.close()
    }
  } finally {
    progress.end()
    await reached.close()
  }
}
