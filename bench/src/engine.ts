import { findEngine } from '../../packages/cli/dist/engine/binary.js'
import { startEngine } from '../../packages/cli/dist/engine/start.js'

export interface BenchEngine {
  readonly endpoint: string
  /** Of its process, while that runs. */
  readonly pid: () => number | undefined
  stop(): Promise<void>
}

/** An engine of its own, in memory, in another process: its CPU is not counted. */
export async function startBenchEngine(): Promise<BenchEngine> {
  const engine = await startEngine({ binary: findEngine({}), data: ':memory:' })
  return { endpoint: engine.endpoint, pid: engine.pid, stop: () => engine.stop() }
}
