import { setTimeout } from 'node:timers/promises'
import { senderOf } from '@freehold/table/runtime'
import type { Proxied } from '../conflict-proxy.js'
import type { BenchEngine } from '../engine.js'
import type { OwnProcess } from '../own-process.js'
import type { Lap } from './asking.js'
import { countingSender, type Traffic } from './counting-sender.js'
import { deleteTenant } from './delete-tenant.js'
import { cpuSecondsOf } from './engine-cpu.js'
import type { Options } from './options.js'
import { itemsOf } from './tenancy.js'

/** Everything that is at work besides the deletion. */
export interface Around {
  readonly engine: BenchEngine
  readonly asking: OwnProcess<'lap', Lap>
  readonly proxy: OwnProcess<'state', Proxied> | undefined
}

export interface Deletion {
  /** Items of the table, entries of the audit left out. */
  readonly removed: number
  /** Items of the tenant that are still there. */
  readonly left: number
  readonly took_s: number
  readonly client_s: number
  /** Absent where the system does not tell the CPU of another process. */
  readonly engine_s: number | undefined
  readonly traffic: Traffic
  /** Absent without a proxy. */
  readonly conflicts: number | undefined
  readonly without: Lap
  readonly during: Lap
}

/** What the other tenant reads first fills what its process remembers, and is left out. */
const warmUp_ms = 2000
const progress_ms = 10_000

/** CPU seconds of this process and the engine from now on. */
function cpuFromNow({ pid }: BenchEngine): () => Pick<Deletion, 'client_s' | 'engine_s'> {
  const own = process.cpuUsage()
  const before = cpuSecondsOf(pid())
  return () => {
    const { user, system } = process.cpuUsage(own)
    const after = cpuSecondsOf(pid())
    return { client_s: (user + system) / 1e6, engine_s: before === undefined || after === undefined ? undefined : after - before }
  }
}

/** Deletes a tenant while another tenant asks, which has asked for a while before. `stop` is called where that takes too long. */
export async function measuredDeletion(
  tenant: string,
  { engine, asking, proxy }: Around,
  { tenancy, budget, before_s, minutes_max }: Options,
  stop: (why: string) => void,
): Promise<Deletion> {
  const looking = tenancy.connect({ dynamo: { endpoint: engine.endpoint } })
  const before = await itemsOf(tenancy, looking, tenant)
  await setTimeout(warmUp_ms)
  await asking.ask('lap')
  await setTimeout(before_s * 1000)
  const without = await asking.ask('lap')

  const proxied = await proxy?.ask('state')
  const sender = countingSender(senderOf({ endpoint: proxied?.endpoint ?? engine.endpoint }), budget)
  let done = 0
  const table = tenancy.connect({
    sender,
    jobHandlers: tenancy.jobHandlers,
    onProgress: (progress) => {
      done = progress.done
    },
  })
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  const telling = setInterval(() => console.error(`${done} done after ${seconds().toFixed(0)} s`), progress_ms)
  const late = globalThis.setTimeout(() => stop(`It was not done after ${minutes_max} minutes.`), minutes_max * 60_000)
  const cpu = cpuFromNow(engine)
  try {
    await deleteTenant(tenancy, table, tenant)
  } finally {
    clearInterval(telling)
    clearTimeout(late)
  }
  const took = { took_s: seconds(), ...cpu() }
  const during = await asking.ask('lap')
  const conflicts = (await proxy?.ask('state'))?.cancelled
  const left = await itemsOf(tenancy, looking, tenant)
  return { removed: before - left, left, ...took, traffic: sender.traffic, conflicts, without, during }
}
