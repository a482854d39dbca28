import { findEngine } from './engine/binary.ts'
import { openEngine } from './engine/open.ts'
import { readEnvironment } from './environment.ts'

/** The embedded engine for tests of a program. */
export interface MemoryEngine {
  /** Its address, for `openModule(module, { dynamo: { endpoint } })`. */
  readonly endpoint: string
  /** Ends it, and its data with it. */
  stop(): Promise<void>
}

/** Starts an empty engine that keeps its data in memory. It ends with the process, too. Throws `Unavailable` if it does not start. */
export async function memoryEngine(): Promise<MemoryEngine> {
  const { endpoint, stop } = await openEngine({
    binary: findEngine(readEnvironment()),
    directory: '.',
    memory: true,
    role: 'owner',
    name: 'a test',
  })
  return { endpoint, stop: () => stop('now') }
}
