import { join } from 'node:path'
import { startOwn } from './own-process.js'

export interface BenchEngine {
  readonly endpoint: string
  /** Of its process, while that runs. */
  readonly pid: () => number | undefined
  stop(): Promise<void>
}

/** An engine of its own, in memory, in another process: its CPU is not counted. */
export async function startBenchEngine(): Promise<BenchEngine> {
  const child = startOwn<object, { readonly endpoint: string }>(join(import.meta.dirname, 'engine-process.js'), {})
  const { endpoint } = await child.reply()
  return { endpoint, pid: child.pid, stop: () => child.stop() }
}
