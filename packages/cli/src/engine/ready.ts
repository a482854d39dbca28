import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { type Address, usualHost } from './address.ts'
import type { EngineRun } from './engine-run.ts'

/** A start takes 5 to 30 ms on an idle machine. With this bound, starting a server takes at most ten seconds in total. */
const readyUnlessGiven_ms = 6_000

/** Until then an answer on the port counts as the engine's only after the engine has announced that it listens. */
const announcement_ms_max = 1000

/**
 * Waits until the engine answers `GET /` on its port.
 *
 * @throws Unavailable if the engine ends before, with its last output, or does not answer in time. It has ended by then.
 */
export async function untilReady(run: EngineRun, ready_ms_max = readyUnlessGiven_ms): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < ready_ms_max && !run.hasEnded()) {
    // Another program may have taken the port meanwhile, and may answer instead of the engine.
    const isOurs = run.hasAnnounced() || performance.now() - began > announcement_ms_max
    if (isOurs && (await answers(endpointOf(run.port, run.host))) && !run.hasEnded()) return
    await setTimeout(3)
  }
  const isLate = !run.hasEnded()
  run.kill()
  const words = await run.ended
  if (isLate) throw new FreeholdError('Unavailable', `The embedded engine does not answer after ${ready_ms_max / 1000} s: ${words}.`)
  if (run.isKeptOut()) throw new FreeholdError('Unavailable', 'Another process holds the lock of the data folder.', { isKeptOut: true })
  if (words.includes('already in use')) throw portInUse(run)
  throw new FreeholdError('Unavailable', `The embedded engine did not start: it ${words}.`)
}

export function endpointOf(port: number, host: string = usualHost): string {
  return `http://${host}:${port}`
}

/** True if a server at this endpoint answers `GET /` with success within a second. */
export function answers(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Without an agent the connection closes with the answer, so that a later engine on the port gets a new connection.
    const request = get(endpoint, { agent: false, timeout: 1000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

export function portInUse({ host, port }: Address): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `Port ${port} of ${host} is in use by another program: end it, or choose another port with --port.`,
    {
      port,
    },
  )
}

/** True for the error of an engine that did not start, since another process holds the lock of its folder. */
export function isKeptOut(error: unknown): boolean {
  return error instanceof FreeholdError && error.details.isKeptOut === true
}

export function isPortInUse(error: unknown): boolean {
  return error instanceof FreeholdError && 'port' in error.details
}
