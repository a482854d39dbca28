import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { type Address, engineHost, usualHost } from './address.ts'
import { type EngineRun, inMemory, type RunOptions, runEngine } from './engine-run.ts'
import { freePort } from './port.ts'
import { endpointOf, isPortInUse, portInUse, untilReady } from './ready.ts'

export interface StartOptions {
  /** The path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** The path of the data file, or `:memory:`. */
  readonly data: string
  /** The port of 127.0.0.1 to listen on. By default any free one, on Linux of a random address: see `engineHost`. */
  readonly port?: number
  /** How long a start may take until the engine answers, in milliseconds. */
  readonly ready_ms_max?: number | undefined
  /** How often a dead engine is restarted within a minute, 5 times by default. */
  readonly restarts_max?: number | undefined
  /** Receives a sentence for each restart. */
  readonly log?: (sentence: string) => void
  /** Receives each line that the engine writes to stderr. */
  readonly onLine?: ((line: string) => void) | undefined
  /** Called with the pid of each new process, before it answers. If it throws, that process is ended. */
  readonly onProcess?: (pid: number) => void
  /** Called before a dead engine is restarted. If it throws, the supervision ends. */
  readonly beforeRestart?: () => void
}

/** How supervision ended. */
export type EngineEnd = { readonly reason: 'stopped' } | { readonly reason: 'failed'; readonly error: FreeholdError }

export interface Engine {
  readonly endpoint: string
  /** The pid of the current process. A restart changes it. */
  readonly pid: () => number | undefined
  /** Ends the engine, and waits for its end. */
  stop(): Promise<void>
  /** Resolves when the engine was stopped, or died too often. Never rejects. */
  readonly exited: Promise<EngineEnd>
}

const backoff_ms = 50
/** After an engine has run for this long, its earlier deaths no longer count. */
const steady_ms = 60_000
const stop_ms_max = 2000
const ports_tried_max = 5

/**
 * Starts the embedded engine and supervises it. A dead engine is restarted on the same address and data, at most `restarts_max` times within a minute.
 * An engine with its data in memory is not restarted, since its data is lost.
 *
 * The engine always ends with this process: by `stop`, a normal end, an uncaught error and, on a system with a shell, SIGKILL.
 *
 * @throws Unavailable if it does not start, with its last output, or if the port is in use.
 */
export async function startEngine(options: StartOptions): Promise<Engine> {
  const { data, ready_ms_max, restarts_max = 5, log = () => {}, onLine, onProcess = () => {}, beforeRestart = () => {} } = options
  const launch = (address: Address): EngineRun => {
    const started = runEngine({ binary: options.binary, data, onLine, ...address } satisfies RunOptions)
    try {
      if (started.pid !== undefined) onProcess(started.pid)
    } catch (error) {
      started.kill()
      throw error
    }
    return started
  }
  let run = await firstRun(options.port ?? 0, launch, ready_ms_max)
  const stopping = new AbortController()
  const isStopped = (): boolean => stopping.signal.aborted

  const supervise = async (): Promise<EngineEnd> => {
    let deaths = 0
    let began = performance.now()
    for (;;) {
      const words = await run.ended
      if (isStopped()) return { reason: 'stopped' }
      if (data === inMemory) return failed(`The embedded engine ${words}. The data in its memory is lost: start it again.`)
      deaths = performance.now() - began > steady_ms ? 1 : deaths + 1
      if (deaths > restarts_max) return failed(`The embedded engine ended ${deaths} times within a minute. The last time it ${words}.`)
      log(`The embedded engine ${words}. It is restarted.`)
      await setTimeout(backoff_ms * 2 ** (deaths - 1), undefined, { signal: stopping.signal }).catch(() => {})
      if (isStopped()) return { reason: 'stopped' }
      began = performance.now()
      try {
        beforeRestart()
        run = launch(run)
      } catch (error) {
        const why = error instanceof FreeholdError ? error.message : String(error)
        return failed(`The embedded engine ${words}. It is not restarted. ${why}`)
      }
      // The next turn reads the reason from the engine's output.
      await untilReady(run, ready_ms_max).catch(() => {})
    }
  }
  const exited = supervise()

  return {
    endpoint: endpointOf(run.port, run.host),
    pid: () => (run.hasEnded() ? undefined : run.pid),
    exited,
    stop: async () => {
      stopping.abort()
      if (!run.hasEnded()) await run.end(stop_ms_max)
      await exited
    },
  }
}

/** The first run. A given port is tried once. If another program takes a free port before the engine does, another free port is tried. */
async function firstRun(wanted: number, launch: (address: Address) => EngineRun, ready_ms_max: number | undefined): Promise<EngineRun> {
  for (let attempt = 1; ; attempt += 1) {
    const address = wanted === 0 ? await anyAddress() : await addressOf(usualHost, wanted)
    if (address === undefined) throw portInUse({ host: usualHost, port: wanted })
    const run = launch(address)
    try {
      await untilReady(run, ready_ms_max)
      return run
    } catch (error) {
      if (wanted !== 0 || attempt === ports_tried_max || !isPortInUse(error)) throw error
    }
  }
}

async function addressOf(host: string, wanted: number): Promise<Address | undefined> {
  const port = await freePort(wanted, host)
  return port === undefined ? undefined : { host, port }
}

/** A system may have no address but 127.0.0.1 after all. */
async function anyAddress(): Promise<Address | undefined> {
  return (await addressOf(engineHost(), 0)) ?? addressOf(usualHost, 0)
}

function failed(message: string): EngineEnd {
  return { reason: 'failed', error: new FreeholdError('Unavailable', message) }
}
