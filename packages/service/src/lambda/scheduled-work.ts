import type { DesignModule } from '@freehold/frame'
import { type Invocation, type SweepReport, sweepAll } from '@freehold/frame/sweep'
import { isFreeholdError, type Page, type Resumed } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import { redactText } from '../operations/redact.ts'
import type { Served } from '../served.ts'
import { type DeployedTables, toLog } from './deployed-tables.ts'

/** What a schedule asks for: to finish the jobs that functions have left behind, or to sweep the tables. */
export type Work = 'jobs' | 'sweep'

/** A function that is ended loses its work: nothing begins in its last seconds. One job or page takes less. */
const reserve_ms = 20_000

const caller = { actor: { kind: 'operator', name: 'scheduled function' } } as const

async function resumeJobs({ module, table }: Served, left_ms: number): Promise<Resumed> {
  await module.flows?.recordCounts(table)
  return table.jobs.resume({ ms_max: Math.max(0, left_ms) })
}

/** True for a design with a flow that sweeps its table. */
export const sweeps = ({ design, flows }: DesignModule) => flows?.declared(design).some(({ name }) => name === 'sweep') === true

function sweepTable({ module: { flows }, table }: Served, hasTime: () => boolean): Promise<SweepReport> {
  // Each design's sweep gives pages of counts: `sweeps` has seen it.
  return sweepAll(async (input) => (await flows?.run(table, 'sweep', input, caller)) as Page<unknown>, { limit: 200 }, hasTime)
}

/** The message of an error that is not of this project may quote data. */
function toldError(error: unknown): string {
  if (isFreeholdError(error)) return redactText(error.message)
  return error instanceof Error ? error.name : typeof error
}

function workOf(event: unknown): Work {
  const work = typeof event === 'object' && event !== null && 'work' in event ? event.work : undefined
  if (work === 'jobs' || work === 'sweep') return work
  throw invalidInput('The event', [{ path: ['work'], message: 'is neither jobs nor sweep' }])
}

/**
 * The handler of a scheduled function, for events `{"work":"jobs"}` and `{"work":"sweep"}`. It does one design after another, and ends in time: the next
 * event goes on. Each design has its line in the log. If one fails, the function does the rest, and fails then, so that an alarm sees it.
 */
export function scheduledWork(
  { tables }: Pick<DeployedTables, 'tables'>,
  log: (line: object) => void = toLog,
): (event: unknown, context: Invocation) => Promise<void> {
  return async (event, { getRemainingTimeInMillis }) => {
    const work = workOf(event)
    const left_ms = () => getRemainingTimeInMillis() - reserve_ms
    const failed: string[] = []
    for (const [design, served] of tables) {
      try {
        if (work === 'jobs') {
          const { done, held, failed: jobs, malformed = [], hasMore = false } = await resumeJobs(served, left_ms())
          const errors = [
            ...jobs.map(({ job, error: { code, message } }) => ({ job: job.id, code, message: redactText(message) })),
            ...malformed.map(({ key, reason }) => ({ job: key.SK, code: 'MalformedItem', message: redactText(reason) })),
          ]
          log({ work, design, done, held: held.length, failed: errors, hasMore })
          if (errors.length > 0) failed.push(design)
        } else if (sweeps(served.module)) {
          const { counts, isWhole, malformed } = await sweepTable(served, () => left_ms() > 0)
          log({ work, design, counts, isWhole, malformed: malformed.length })
        }
      } catch (error) {
        log({ work, design, error: toldError(error) })
        failed.push(design)
      }
    }
    if (failed.length > 0) throw new Error(`The work ${work} failed for ${failed.join(', ')}: the log has the reasons.`)
  }
}
