import { findEngine } from '../../packages/cli/dist/engine/binary.js'
import { startEngine } from '../../packages/cli/dist/engine/start.js'

/** An engine of its own, in memory, in another process: its CPU is not counted. */
export async function startBenchEngine(): Promise<{ readonly endpoint: string; stop(): Promise<void> }> {
  const engine = await startEngine({ binary: findEngine({}), data: ':memory:' })
  return { endpoint: engine.endpoint, stop: () => engine.stop() }
}
