import { setTimeout as after } from 'node:timers/promises'
import type { ConnectedTable } from '@freehold/table'
import { accountCalls, firstAccountCall } from './calls/account-calls.ts'
import { authorizationCalls, firstAuthorizationCall } from './calls/authorization-calls.ts'
import { type Choice, drawPlan, type Lane, type Plan, planOf } from './calls/plan.ts'
import { firstPlatformCall, platformCalls } from './calls/platform-calls.ts'
import { firstRebacCall, rebacCalls } from './calls/rebac-calls.ts'
import { signInCalls } from './calls/sign-in-calls.ts'
import { makeCall } from './make-call.ts'
import { type Random, randomOf } from './random.ts'
import { type Entry, isOk, markerOf, monotonicMs } from './record.ts'
import { connectTables } from './tables.ts'
import type { WorkerOptions } from './worker-options.ts'

// One process of the campaign. It writes a line of JSON for each call, on its standard output, and ends when it has made them all, or its time is over.

const options: WorkerOptions = JSON.parse(process.argv[2] ?? '')
const { seed, lanes, calls, run_ms_max, bounds } = options
const tables = connectTables(options.endpoint, options.tables, { ...bounds, random: randomOf(seed, options.process).unit })

/** Milliseconds between two rounds of finishing what jobs were left. */
const resumePause_ms = 800

async function make(plan: Plan, lane: number, seq: number): Promise<Entry> {
  const entry = await makeCall(plan, { process: options.process, lane, seq })
  process.stdout.write(`${JSON.stringify(entry)}\n`)
  return entry
}

const end_ms = monotonicMs() + run_ms_max

async function goOn(number: number, choicesFor: (lane: Lane) => readonly Choice[]): Promise<void> {
  const random: Random = randomOf(seed, options.process, number)
  let seq = 0
  const choices = choicesFor({ random, marker: () => markerOf(options.process, number, seq) })
  for (; seq < calls && monotonicMs() < end_ms; seq++) await make(drawPlan(choices, random), number, seq)
}

let isDone = false

/** Finishes jobs that calls have left, as `serve` would. */
async function resume(number: number, table: ConnectedTable): Promise<void> {
  const { name } = table.design
  for (let seq = 0; !isDone; seq++) {
    await after(resumePause_ms)
    const run = async () => ({ result: await table.jobs.resume({ ms_max: 500 }) })
    // Bounded by what it is told, and by the job that is under way then.
    await make(planOf(name, 'jobs.resume', [], {}, run, { steps: 12, waits: true }), number, seq)
  }
}

/**
 * Begins with a transaction that is acknowledged: a process without one does not see that the embedded engine was started again behind a proxy that
 * hides it (ADR 4).
 */
async function acknowledge(number: number, first: (marker: string) => Plan): Promise<void> {
  for (let seq = 0; monotonicMs() < end_ms; seq++) if (isOk(await make(first(markerOf(options.process, number, seq)), number, seq))) return
}

const firsts = [
  firstAccountCall(tables.account),
  firstRebacCall(tables.rebac),
  firstPlatformCall(tables.platform),
  firstAuthorizationCall(tables.authorization),
]
const shared = () => randomOf(seed, 0)
const works: readonly ((lane: Lane) => readonly Choice[])[] = [
  (lane) => accountCalls(tables.account, lane),
  (lane) => rebacCalls(tables.rebac, lane, shared()),
  (lane) => platformCalls(tables.platform, lane),
  (lane) => authorizationCalls(tables.authorization, lane),
  (lane) => signInCalls(tables.account, tables.service, lane),
]

const lanesOfAll = works.length * lanes
await Promise.all(firsts.map((first, index) => acknowledge(lanesOfAll + firsts.length + index + 1, first)))
// The service's own table has no jobs.
const resuming = tables.all.filter(({ design }) => design.name !== 'service').map((table, index) => resume(lanesOfAll + index + 1, table))
await Promise.all(works.flatMap((work, index) => Array.from({ length: lanes }, (_, lane) => goOn(index * lanes + lane + 1, work))))
isDone = true
await Promise.all(resuming)
tables.close()
