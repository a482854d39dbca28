import { setTimeout } from 'node:timers/promises'
import type { Job, Resumed } from '@freehold/table'
import { moduleNamed } from '../naming/named.ts'
import { type Opened, type TableOptions, withTable } from '../opening/open-table.ts'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import { renderTable } from '../output/table.ts'
import { type Exit, exit, printJson, type Shell } from '../shell.ts'

/** The largest number of listed jobs. */
const listed_max = 1000

export interface JobsOptions extends TableOptions {
  readonly resume?: boolean
}

/** A listed job, with its state: a process works on it, or has left it behind. */
function listed({ id, kind, entity, key, createdAt, done, leaseUntil }: Job, now: Date) {
  const isHeld = leaseUntil > now.toISOString()
  return { id, kind, entity, key, state: isHeld ? 'under way' : 'left behind', done, createdAt, leaseUntil }
}

async function printJobs(shell: Shell, all: readonly Job[], json: boolean): Promise<void> {
  const rows = all.map((job) => listed(job, shell.now()))
  if (json) return printJson(shell, rows)
  if (rows.length === 0) return shell.out('There are no jobs, neither running nor left behind.\n')
  const cells = rows.map(({ id, kind, entity, key, state, done, createdAt }) => [id, kind, entity, key.PK, state, done, createdAt])
  return shell.out(renderTable(['job', 'kind', 'entity', 'key', 'state', 'items done', 'since'], cells, shell.columns))
}

/** The wait for a lease lasts this much longer than the lease. */
const slack_ms = 50

/** Finishes every job that no process works on. Waits once for leases whose worker may have died. */
async function resume({ table, runtime }: Opened): Promise<Resumed> {
  const first = await table.jobs.resume()
  if (first.held.length === 0) return first
  const until = first.held.reduce((latest, { leaseUntil }) => Math.max(latest, Date.parse(leaseUntil)), 0)
  await setTimeout(Math.max(0, until - runtime.now().getTime()) + slack_ms)
  const second = await table.jobs.resume()
  const failed = new Map([...first.failed, ...second.failed].map((each) => [each.job.id, each]))
  return { ...second, done: first.done + second.done, failed: [...failed.values()] }
}

async function printResumed(shell: Shell, { done, held, failed, malformed = [] }: Resumed, json: boolean): Promise<void> {
  if (json) {
    const now = shell.now()
    const failures = failed.map(({ job, error: { code, message } }) => ({ ...listed(job, now), error: { code, message } }))
    const others = malformed.length === 0 ? {} : { malformed }
    return printJson(shell, { done, held: held.map((job) => listed(job, now)), failed: failures, ...others })
  }
  await shell.out(`Finished ${counted(done, 'job')}.\n`)
  if (held.length > 0) await shell.out(`${held.length} more ${held.length === 1 ? 'is' : 'are'} running in other processes.\n`)
  for (const { job, error } of failed)
    shell.err(`${safeText(`The job ${job.id} failed and stays recorded: ${error.message} (${error.code})`)}\n`)
  for (const { reason } of malformed) shell.err(`${safeText(reason)}\n`)
}

/** Lists the durable jobs of a table, or finishes those that were left behind. Exits with 1 if one of them failed, or cannot be read. */
export async function jobs(shell: Shell, [design]: readonly string[], options: JobsOptions): Promise<Exit> {
  const { json = false } = options
  const opening = { module: moduleNamed(shell, design), name: 'freehold jobs', isReading: true, leaves: 'jobs' } as const
  return withTable(shell, opening, options, async (opened) => {
    if (options.resume !== true) {
      const onMalformed = ({ reason }: { readonly reason: string }) => shell.err(`${safeText(reason)}\n`)
      const oldest = await opened.table.jobs.list({ limit: listed_max, onMalformed })
      await printJobs(shell, oldest, json)
      if (oldest.length === listed_max) shell.err(`These are the oldest ${listed_max}: there may be more.\n`)
      return exit.yes
    }
    const resumed = await resume(opened)
    await printResumed(shell, resumed, json)
    return resumed.failed.length === 0 && resumed.malformed === undefined ? exit.yes : exit.no
  })
}
