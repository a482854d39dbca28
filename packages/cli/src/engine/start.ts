import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { type EngineRun, inMemory, type RunOptions, runEngine } from './engine-run.ts'
import { freePort } from './port.ts'
import { endpointOf, isPortInUse, portInUse, untilReady } from './ready.ts'

export interface StartOptions {
  /** Path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** Path of the data file, or `:memory:`. */
  readonly data: string
  /** Port of 127.0.0.1 to listen on; a free one unless given. */
  readonly port?: number
  /** Told in sentences of restarts. */
  readonly log?: (sentence: string) => void
  /** Called with the pid of each process as soon as it is there, before it answers. When it throws, that process is ended. */
  readonly onProcess?: (pid: number) => void
  /** Called before an engine that died is started again; what it throws ends the supervision. */
  readonly beforeRestart?: () => void
}

/** How supervision ended. */
export type EngineEnd = { readonly reason: 'stopped' } | { readonly reason: 'failed'; readonly error: FreeholdError }

export interface Engine {
  readonly endpoint: string
  /** Of the process that runs now: a restart changes it. */
  readonly pid: () => number | undefined
  /** Ends the engine and waits for its end. */
  stop(): Promise<void>
  /** Resolves, never rejects, when it was stopped, or died too often to be started again. */
  readonly exited: Promise<EngineEnd>
}

const restarts_max = 5
const backoff_ms = 50
/** An engine that ran for this long was well: its deaths before do not count. */
const steady_ms = 60_000
const stop_ms_max = 2000
const ports_tried_max = 5

/**
 * Starts the embedded engine and supervises it: one that dies is started again on the same port and data, five times within a minute at
 * most. Data in memory dies with it, so that such an engine is not started again.
 *
 * It ends with this process however that ends: `stop`, a normal end, an uncaught error, and, where there is a shell, SIGKILL.
 *
 * @throws Unavailable when it does not start: its last words, or that the port is in use.
 */
export async function startEngine(options: StartOptions): Promise<Engine> {
  const { data, log = () => {}, onProcess = () => {}, beforeRestart = () => {} } = options
  const launch = (port: number): EngineRun => {
    const started = runEngine({ binary: options.binary, data, port } satisfies RunOptions)
    try {
      if (started.pid !== undefined) onProcess(started.pid)
    } catch (error) {
      started.kill()
      throw error
    }
    return started
  }
  let run = await firstRun(options.port, launch)
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted

  const supervise = async (): Promise<EngineEnd> => {
    let deaths = 0
    let began = performance.now()
    for (;;) {
      const words = await run.ended
      if (isStopped()) return { reason: 'stopped' }
      if (data === inMemory) return failed(`The embedded engine ${words}. What it held in memory is gone: start it again.`)
      deaths = performance.now() - began > steady_ms ? 1 : deaths + 1
      if (deaths > restarts_max) return failed(`The embedded engine ended ${deaths} times within a minute, at last it ${words}.`)
      log(`The embedded engine ${words}. It is started again.`)
      await setTimeout(backoff_ms * 2 ** (deaths - 1), undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopped()) return { reason: 'stopped' }
      began = performance.now()
      try {
        beforeRestart()
        run = launch(run.port)
      } catch (error) {
        const why = error instanceof FreeholdError ? error.message : String(error)
        return failed(`The embedded engine ${words}. It is not started again. ${why}`)
      }
      // Why it is not ready is among its words, which the next turn reads.
      await untilReady(run).catch(() => {})
    }
  }
  const exited = supervise()

  return {
    endpoint: endpointOf(run.port),
    pid: () => (run.hasEnded() ? undefined : run.pid),
    exited,
    stop: async () => {
      stopping.abort()
      if (!run.hasEnded()) await run.end(stop_ms_max)
      await exited
    },
  }
}

/** A port that was asked for is tried once; of the free ones another, should a program take one before the engine does. */
async function firstRun(wanted: number | undefined, launch: (port: number) => EngineRun): Promise<EngineRun> {
  for (let attempt = 1; ; attempt += 1) {
    const port = await freePort(wanted ?? 0)
    if (port === undefined) throw portInUse(wanted ?? 0)
    const run = launch(port)
    try {
      await untilReady(run)
      return run
    } catch (error) {
      if (wanted !== undefined || attempt === ports_tried_max || !isPortInUse(error)) throw error
    }
  }
}

function failed(message: string): EngineEnd {
  return { reason: 'failed', error: new FreeholdError('Unavailable', message) }
}
