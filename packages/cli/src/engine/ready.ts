import { get } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import type { EngineRun } from './engine-run.ts'

/** It takes 5 to 30 ms on a machine at rest. Whoever starts a server has an answer within ten seconds, all else included. */
const ready_ms_max = 6_000

/** For this long the answer on the port is taken for the engine's only once it has said that it listens. */
const announcement_ms_max = 1000

/**
 * Waits until the engine answers `GET /` on its port.
 *
 * @throws Unavailable when it ends before, saying its last words, or does not answer in time; it has ended then.
 */
export async function untilReady(run: EngineRun): Promise<void> {
  const began = performance.now()
  while (performance.now() - began < ready_ms_max && !run.hasEnded()) {
    // Another program may have taken the port since it was found free, and answer in the engine's place.
    const isOurs = run.hasAnnounced() || performance.now() - began > announcement_ms_max
    if (isOurs && (await answers(endpointOf(run.port))) && !run.hasEnded()) return
    await setTimeout(3)
  }
  const isLate = !run.hasEnded()
  run.kill()
  const words = await run.ended
  if (isLate) throw new FreeholdError('Unavailable', `The embedded engine does not answer after ${ready_ms_max / 1000} s: ${words}.`)
  if (run.isKeptOut()) throw new FreeholdError('Unavailable', 'Another process holds the lock of the data folder.', { isKeptOut: true })
  if (words.includes('already in use')) throw portInUse(run.port)
  throw new FreeholdError('Unavailable', `The embedded engine did not start: it ${words}.`)
}

export function endpointOf(port: number): string {
  return `http://127.0.0.1:${port}`
}

/** True when something at this endpoint answers `GET /` with success within a second. */
export function answers(endpoint: string): Promise<boolean> {
  return new Promise((resolve) => {
    // Without an agent the connection closes with the answer, and a later engine on the port is not asked through an old one.
    const request = get(endpoint, { agent: false, timeout: 1000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

export function portInUse(port: number): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `Port ${port} of 127.0.0.1 is in use by another program: end it, or choose another port with --port.`,
    {
      port,
    },
  )
}

/** True for the error of an engine that did not begin, as another process holds the lock of its folder. */
export function isKeptOut(error: unknown): boolean {
  return error instanceof FreeholdError && error.details.isKeptOut === true
}

export function isPortInUse(error: unknown): boolean {
  return error instanceof FreeholdError && 'port' in error.details
}
