import { randomUUID } from 'node:crypto'
import type { AnyDesign, ConnectedTable } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { rawItems } from '../../packages/designs/test/model/raw-items.ts'
import { takeBroken } from '../engine/checked-sender.ts'
import { prepareAccounts } from './calls/account-calls.ts'
import { prepareAuthorization } from './calls/authorization-calls.ts'
import { preparePlatform } from './calls/platform-calls.ts'
import { type CampaignEngine, startCampaignEngine } from './campaign-engine.ts'
import { type Deal, startCampaignProxy } from './campaign-proxy.ts'
import type { Finding } from './check/finding.ts'
import { randomOf } from './random.ts'
import type { Entry } from './record.ts'
import { connectTables } from './tables.ts'
import type { CallBounds, DesignName } from './worker-options.ts'

/** The table and the processes that make the calls of a round. */
export interface Ground {
  /** The proxy's. */
  readonly endpoint: string
  /** Names of the tables, by design. */
  readonly tables: Readonly<Record<DesignName, string>>
  readonly bounds: CallBounds
  readonly engine: CampaignEngine
}

export interface RoundOptions {
  readonly seed: number
  readonly bounds?: CallBounds
  /** The fault that the proxy makes of a request. */
  readonly deal: Deal
  /** Makes the calls. */
  readonly load: (ground: Ground) => Promise<Loaded>
}

/** The outcomes of the calls of a round. */
export interface Loaded {
  readonly entries: readonly Entry[]
  /** The findings before anything is compared. */
  readonly findings: readonly Finding[]
}

type Items = Awaited<ReturnType<typeof rawItems>>

/** A table of one design, before the load and after all of it has come to rest. */
export interface TableRecord {
  readonly design: AnyDesign
  readonly before: Items
  readonly after: Items
}

/** All that happened in a round, for the checker. */
export interface RoundRecord extends Loaded {
  readonly seed: number
  readonly bounds: CallBounds
  readonly tables: readonly TableRecord[]
  readonly requests: number
  readonly faults: ReadonlyMap<string, number>
  readonly restarts: number
}

export const campaignBounds: CallBounds = { patience_ms: 1500, attempt_ms: 400, wait_ms: 3000 }

/** Leases of processes that have ended are over by then. */
const ahead_ms = 120_000
/** A job may leave another. */
const resumesMax = 10

async function finishJobs(table: ConnectedTable): Promise<Finding[]> {
  const failed: string[] = []
  for (let count = 0; count < resumesMax && (await table.jobs.list()).length > 0; count++) {
    const resumed = await table.jobs.resume().catch((error: unknown) => ({ failed: [{ job: { id: '(any)' }, error }] }))
    failed.splice(0, failed.length, ...resumed.failed.map(({ job, error }) => `job ${job.id}: ${String(error)}`))
  }
  const left = await table.jobs.list()
  return left.map((job) => ({
    rule: 'end',
    message: `${table.design.name}: the job ${JSON.stringify(job)} cannot be finished. ${failed.join(' ')}`,
  }))
}

/** One round: a new engine and new tables, calls through the proxy, then a healed proxy, finished jobs, and all items as they lie there. */
export async function runRound({ seed, bounds = campaignBounds, deal, load }: RoundOptions): Promise<RoundRecord> {
  const tables: Record<DesignName, string> = {
    'account-management': `accounts-${randomUUID()}`,
    rebac: `rebac-${randomUUID()}`,
    platform: `platform-${randomUUID()}`,
    authorization: `authorization-${randomUUID()}`,
    service: `service-${randomUUID()}`,
  }
  const engine = await startCampaignEngine()
  try {
    const prepared = connectTables(await engine.endpoint(), tables, {})
    for (const { runtime } of prepared.all) await ensureTable(runtime)
    await prepareAccounts(prepared.account)
    await preparePlatform(prepared.platform)
    await prepareAuthorization(prepared.authorization)
    const before = await Promise.all(prepared.all.map(({ runtime }) => rawItems(runtime)))
    prepared.close()

    const proxy = await startCampaignProxy({ engine, random: randomOf(seed, 0), deal, attempt_ms: bounds.attempt_ms })
    const { entries, findings } = await load({ endpoint: proxy.endpoint, tables, bounds, engine }).finally(() => proxy.heal())
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
    const broken = takeBroken().map((message): Finding => ({ rule: 'request', message }))
    return { seed, bounds, entries, tables: records, requests, faults, restarts, findings: [...findings, ...unfinished, ...broken] }
  } finally {
    await engine.close()
  }
}
