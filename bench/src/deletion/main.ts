import { join } from 'node:path'
import { ensureTable } from '@freehold/table/runtime'
import type { Proxied } from '../conflict-proxy.js'
import { type BenchEngine, startBenchEngine } from '../engine.js'
import { type OwnProcess, startOwn } from '../own-process.js'
import type { Asking, Lap } from './asking.js'
import { measuredDeletion } from './measured-deletion.js'
import { type Options, readOptions } from './options.js'
import { reportOf } from './report.js'

// What it takes to delete a tenant with many users, and what another tenant notices of it.

const perSecond = 50

const script = (name: string) => join(import.meta.dirname, `${name}.js`)

const stopping = new AbortController()
const stop = (why: string) => stopping.abort(new Error(why))

/** Fills the table, starts the others, and deletes. True where nothing is left of the tenant. */
async function run(engine: BenchEngine, others: OwnProcess<never, unknown>[], options: Options): Promise<boolean> {
  const { tenancy, users, budget, hasConflicts } = options
  const filling = tenancy.connect({ dynamo: { endpoint: engine.endpoint }, jobHandlers: tenancy.jobHandlers })
  await ensureTable(filling.runtime)
  const { questions, going } = await tenancy.fill(filling, users)
  console.error(`Creating ${users} users.`)
  const tenant = await going()
  filling.close()
  stopping.signal.throwIfAborted()

  const { name: design, table } = tenancy.design
  const input: Asking = { endpoint: engine.endpoint, table, perSecond, design, questions }
  const asking = startOwn<'lap', Lap>(script('asking'), input)
  others.push(asking)
  const proxy = hasConflicts
    ? startOwn<'state', Proxied>(join(import.meta.dirname, '../conflict-proxy.js'), { endpoint: engine.endpoint })
    : undefined
  if (proxy !== undefined) others.push(proxy)

  const paced = budget === undefined ? 'no budget' : `a budget of ${budget} write units a second`
  console.log(`One ${tenancy.tenant} with ${users} users is deleted, with ${paced}${hasConflicts ? ', and conflicts as on AWS' : ''}\n`)
  const deletion = await measuredDeletion(tenant, { engine, asking, proxy }, options, stop)
  console.log(reportOf(deletion, perSecond).join('\n'))
  return deletion.left === 0
}

async function main(): Promise<boolean> {
  const options = readOptions(process.argv.slice(2))
  const { signal } = stopping
  const stopped = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  const engine = await startBenchEngine()
  const others: OwnProcess<never, unknown>[] = []
  try {
    signal.throwIfAborted()
    // What is under way when it is stopped fails with the engine, and nobody waits for it any more.
    return await Promise.race([run(engine, others, options), stopped])
  } finally {
    await Promise.all(others.map((each) => each.stop()))
    await engine.stop()
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop(`It was ended by ${signal}.`))
try {
  process.exit((await main()) ? 0 : 1)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(2)
}
