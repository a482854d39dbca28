import type { DesignModule } from '@freehold/frame'
import { type ConnectedTable, connect, isFreeholdError, type Runtime } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { refuseWithoutData } from '../engine/data-folder.ts'
import { embeddedEngine, resolveEndpoint } from '../engine/endpoint.ts'
import { cursorSecret } from '../engine/secret.ts'
import { mailsOf } from '../mail/mailing.ts'
import { counted } from '../output/counted.ts'
import { failureOf } from '../output/failure.ts'
import { progressOf } from '../output/progress.ts'
import { safeText } from '../output/safe-text.ts'
import type { PrintOptions, Shell } from '../shell.ts'
import { connectBounds, connectDynamo, isAtAws } from './connect-dynamo.ts'
import { refuseService } from './service-at.ts'

export interface TableOptions extends PrintOptions {
  readonly table?: string
  readonly data?: string
}

/** An opened table of a command. */
export interface Opened {
  readonly table: ConnectedTable
  readonly runtime: Runtime
  /** The module's flows, with the mails of this command. */
  readonly flows: DesignModule['flows']
  /** Keeps what later commands need to accept a cursor of this one. */
  keepCursor(): void
}

export interface Opening {
  readonly module: Pick<DesignModule, 'design' | 'flows'>
  /** The command's name for people: `freehold create`. */
  readonly name: string
  /** The command prints or takes cursors, which later commands must accept. */
  readonly hasCursors?: boolean
  /**
   * The command only reads. Where there is no data folder it makes none, and has no answer. If a named table does not exist, its name is probably
   * misspelled, so the command says that it is new and empty.
   */
  readonly isReading?: boolean
  /** `jobs` lists left jobs instead of finishing them. `setup` creates the table itself. */
  readonly leaves?: 'jobs' | 'table'
}

/** How many left jobs a command other than `serve` finishes after its own work, and how long it begins them. A page has the oldest thousand. */
const leftJobs = { jobs_max: 20, ms_max: 2_000, pages_max: 4 } as const
/** How long such a command waits for the durable jobs of its call. */
const jobWait_ms = 300_000

/** Finishes jobs of crashed processes (spec rule 12), within bounds, so that a command does not take much longer than its own work. Without jobs this costs one query. */
async function resumeJobs(shell: Shell, { jobs, runtime }: Opened['table'], before: Date): Promise<void> {
  const command = `\`freehold jobs ${runtime.design.name} --resume\``
  try {
    const { done, failed, malformed = [], hasMore = false } = await jobs.resume({ ...leftJobs, before })
    if (done > 0) shell.err(`Finished ${counted(done, 'job')} of an earlier process.\n`)
    if (failed.length + malformed.length > 0)
      shell.err(`A job that an earlier process left behind could not be finished: see ${command}.\n`)
    if (hasMore) shell.err(`More jobs are left: the next commands, ${command} or a server continue them.\n`)
  } catch (error) {
    // Left jobs grant nothing, and the next command tries again, so this is not a failure of the command. Perhaps there are none.
    const { message } = await failureOf(shell, error)
    shell.err(`${safeText(`Jobs of earlier processes, if there are any, could not be looked through: ${message}`)}\n`)
  }
}

/** Does the command's own work first, then left jobs. These are also done after an error, since they may be its cause. */
async function thenJobs<T>(shell: Shell, table: Opened['table'], work: () => Promise<T>): Promise<T> {
  // Jobs that the command itself has left are for the next one.
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
 * Opens a design's table for one command, and always closes it. Outside AWS a missing table is created.
 * @throws Unavailable if there is no table, or no database answers; InvalidInput for a command that only reads, where no data is
 */
export async function withTable<T>(
  shell: Shell,
  opening: Opening,
  options: TableOptions,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const { module, name, hasCursors = false, isReading = false, leaves } = opening
  refuseService(shell, name)
  const endpoint = await resolveEndpoint(shell, options)
  if (isReading && endpoint.kind === 'embedded') refuseWithoutData(endpoint.directory)
  const bounds = connectBounds(shell)
  const reached = await connectDynamo(endpoint)
  const progress = progressOf(shell)
  try {
    // Without cursors no secret is needed, and so no folder for it.
    const folder = embeddedEngine(shell, options).directory
    const cursors = hasCursors ? cursorSecret(shell.settings, folder) : undefined
    const { mailing } = mailsOf(shell.settings, { folder, isEmbedded: endpoint.kind === 'embedded' })
    const flows = mailing === undefined ? module.flows : module.flows?.mailedBy(mailing)
    const table = connect(module.design, {
      sender: reached.sender,
      ...(options.table === undefined ? {} : { table: options.table }),
      ...(cursors === undefined ? {} : { secret: Buffer.from(cursors.secret) }),
      ...bounds,
      wait_ms: jobWait_ms,
      now: shell.now,
      jobHandlers: flows?.jobHandlers ?? {},
      onProgress: ({ kind, subject, done }) => progress.show(`${kind} ${subject}: ${done} items`),
    })
    const opened = { table, runtime: table.runtime, flows, keepCursor: () => cursors?.keep() }
    try {
      if (leaves !== 'table' && !isAtAws(endpoint)) {
        const isNew = await ensureTable(opened.runtime)
        if (isNew && isReading && options.table !== undefined && options.json !== true)
          shell.err(`Created the table ${options.table}, which did not exist.\n`)
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
