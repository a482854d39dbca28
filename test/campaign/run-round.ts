import { randomUUID } from 'node:crypto'
import type { AnyDesign, ConnectedTable } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { rawItems } from '../../packages/designs/test/model/raw-items.ts'
import { prepareAccounts } from './calls/account-calls.ts'
import { preparePlatform } from './calls/platform-calls.ts'
import { startCampaignEngine } from './campaign-engine.ts'
import { startCampaignProxy } from './campaign-proxy.ts'
import { type FaultKind, faultKinds } from './fault-deck.ts'
import { randomOf } from './random.ts'
import type { Entry } from './record.ts'
import { runWorkers } from './run-workers.ts'
import { connectTables } from './tables.ts'
import type { CallBounds, DesignName } from './worker-options.ts'

export interface RoundOptions {
  /** The bundled worker. */
  readonly worker: string
  readonly seed: number
  /** Calls of each lane, of which a process has as many of each design. */
  readonly calls: number
  /** However slow the machine is, no call begins after this. */
  readonly run_ms_max: number
  readonly processes?: number
  readonly lanes?: number
  /** All kinds unless given. */
  readonly kinds?: readonly FaultKind[]
}

type Items = Awaited<ReturnType<typeof rawItems>>

/** A table of one design, before the load and after all of it has come to rest. */
export interface TableRecord {
  readonly design: AnyDesign
  readonly before: Items
  readonly after: Items
}

/** All that happened in a round, for the checker. */
export interface RoundRecord {
  readonly seed: number
  readonly bounds: CallBounds
  readonly entries: readonly Entry[]
  readonly tables: readonly TableRecord[]
  readonly requests: number
  readonly faults: ReadonlyMap<string, number>
  readonly restarts: number
  /** What kept processes and jobs from coming to their end. */
  readonly failures: readonly string[]
}

export const campaignBounds: CallBounds = { patience_ms: 1500, attempt_ms: 400, wait_ms: 3000 }

/** Leases of processes that have ended are over by then. */
const ahead_ms = 120_000
/** A job may leave another. */
const resumesMax = 10

async function finishJobs(table: ConnectedTable): Promise<string[]> {
  const failed: string[] = []
  for (let count = 0; count < resumesMax && (await table.jobs.list()).length > 0; count++) {
    const resumed = await table.jobs.resume().catch((error: unknown) => ({ failed: [{ job: { id: '(any)' }, error }] }))
    failed.splice(0, failed.length, ...resumed.failed.map(({ job, error }) => `job ${job.id}: ${String(error)}`))
  }
  const left = await table.jobs.list()
  return left.map((job) => `${table.design.name}: the job ${JSON.stringify(job)} cannot be finished. ${failed.join(' ')}`)
}

/** One round: a new engine and new tables, three processes through the proxy, then a healed proxy, finished jobs, and all items as they lie there. */
export async function runRound({
  worker,
  seed,
  calls,
  run_ms_max,
  processes = 3,
  lanes = 2,
  kinds = faultKinds,
}: RoundOptions): Promise<RoundRecord> {
  const tables: Record<DesignName, string> = {
    'account-management': `accounts-${randomUUID()}`,
    rebac: `rebac-${randomUUID()}`,
    platform: `platform-${randomUUID()}`,
  }
  const engine = await startCampaignEngine()
  try {
    const prepared = connectTables(await engine.endpoint(), tables, {})
    for (const { runtime } of prepared.all) await ensureTable(runtime)
    await prepareAccounts(prepared.account)
    await preparePlatform(prepared.platform)
    const before = await Promise.all(prepared.all.map(({ runtime }) => rawItems(runtime)))
    prepared.close()

    const proxy = await startCampaignProxy({ engine, random: randomOf(seed, 0), kinds, attempt_ms: campaignBounds.attempt_ms })
    const options = { endpoint: proxy.endpoint, tables, seed, lanes, calls, run_ms_max, bounds: campaignBounds }
    const { entries, failures } = await runWorkers(worker, processes, options).finally(() => proxy.heal())
    const { requests, faults } = proxy.counts()
    await proxy.close()

    const settled = connectTables(await engine.endpoint(), tables, { now: () => new Date(Date.now() + ahead_ms) })
    const unfinished = (await Promise.all(settled.all.map(finishJobs))).flat()
    const after = await Promise.all(settled.all.map(({ runtime }) => rawItems(runtime)))
    settled.close()
    const records = settled.all.map(({ design }, index) => ({
      design,
      before: before[index] ?? new Map(),
      after: after[index] ?? new Map(),
    }))
    const { restarts } = engine
    return { seed, bounds: campaignBounds, entries, tables: records, requests, faults, restarts, failures: [...failures, ...unfinished] }
  } finally {
    await engine.close()
  }
}
