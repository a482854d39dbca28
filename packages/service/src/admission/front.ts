import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { recentlyUsed } from '@freehold/frame/decision'
import type { Connection } from '../http/connection.ts'
import { bodyReader } from './bodies.ts'
import { connections } from './connections.ts'
import { type PlaceBounds, places } from './places.ts'
import { refusing } from './refuse.ts'

/** The limits of admission. Each holds for one process. */
export interface AdmissionLimits extends PlaceBounds {
  /** The largest body, in bytes. The service's own limit says no more than that. */
  readonly body_bytes_max: number
}

/** Few run at once: what many hold outlives young garbage, so that a `can` beside 256 others takes half as much CPU again as beside 16. */
export const admissionUnlessGiven: AdmissionLimits = { running_max: 64, waiting_max: 512, body_bytes_max: 1_048_576 }

export interface FrontLoad {
  readonly running: number
  readonly waiting: number
  readonly connections: number
  /** Requests that were refused since the start. */
  readonly refused: number
}

/** The requests that were refused within a second. */
export interface Refusals extends FrontLoad {
  /** The instant of the end. */
  readonly time: string
}

export interface Front {
  connected(socket: Socket): void
  /** Answers a request, or refuses it. @param expects true if the client waits for `100 Continue` before it sends the body */
  take(incoming: IncomingMessage, outgoing: ServerResponse, expects?: boolean): void
  load(): FrontLoad
}

export interface FrontOptions {
  readonly limits: AdmissionLimits
  readonly connections_max?: number | undefined
  /** Answers a request that has a place. It resolves when the request has ended. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => Promise<unknown>
  /** Called when the connection has all of an answer, or is closed. */
  readonly ended?: ((outgoing: ServerResponse) => void) | undefined
  /** Called a second after a request was refused, and not once for each. */
  readonly told?: ((refusals: Refusals) => void) | undefined
}

/** How long a request may wait for a place, in milliseconds. Its client, or a proxy, gives up soon after that. */
export const waiting_ms_max = 10_000

/** The name of all callers whose keys and tokens were not verified lately: made-up ones are many, and must not be many callers. */
const stranger = ''
/** How many callers are known. */
const known_max = 10_000

const isHealth = ({ method, url = '' }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && /^\/health(?:\/(?:live|ready))?(?:\?|$)/.test(url)

/**
 * Stands before the service, on Node's own requests, and refuses what there is no room for: before the body is read, the caller is verified, and a line
 * is logged. Refused requests are counted and told once a second. Health needs no place.
 */
export function front({ limits, connections_max, answer, ended, told }: FrontOptions): Front {
  const admitting = places(limits)
  const bodies = bodyReader(limits.body_bytes_max)
  const open = connections(connections_max)
  const refuse = refusing(limits.body_bytes_max)
  /** The callers whose keys or tokens were verified, by a hash of the text that they send. Before that its public half, which is in logs, names nobody. */
  const known = recentlyUsed<string>(known_max)
  let refused = 0
  let toldBefore: number | undefined

  const load = () => ({ running: admitting.running, waiting: admitting.waiting, connections: open.count(), refused })
  const tell = () => {
    told?.({ time: new Date().toISOString(), ...load(), refused: refused - (toldBefore ?? 0) })
    toldBefore = undefined
  }
  const refuseBusy = (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (toldBefore === undefined) {
      toldBefore = refused
      setTimeout(tell, 1_000).unref()
    }
    refused++
    open.rest(incoming.socket, outgoing)
    refuse(incoming, outgoing, 'busy')
  }

  const enter = (incoming: IncomingMessage, outgoing: ServerResponse, digest: string | undefined, continues?: () => void) => {
    const caller = callerOf(digest)
    const run = (leave: () => void) => {
      endWaiting()
      const verified = (name: string) => {
        if (digest !== undefined && name !== caller) known.set(digest, name)
      }
      void answer(incoming, outgoing, { address: incoming.socket.remoteAddress, verified, continues }).finally(() => {
        leave()
        bodies.forget(incoming)
      })
    }
    const giveUp = () => {
      endWaiting()
      bodies.forget(incoming)
      refuseBusy(incoming, outgoing)
    }
    let isWaiting = true
    let timer: NodeJS.Timeout | undefined
    const endWaiting = () => {
      isWaiting = false
      clearTimeout(timer)
      outgoing.off('close', goAway)
    }
    const goAway = () => {
      leaveLine()
      endWaiting()
      bodies.forget(incoming)
    }
    open.busy(incoming.socket)
    const leaveLine = admitting.enter(caller, run, giveUp)
    if (!isWaiting) return
    outgoing.on('close', goAway)
    timer = setTimeout(() => {
      leaveLine()
      giveUp()
    }, waiting_ms_max).unref()
  }
  const callerOf = (digest: string | undefined) => (digest === undefined ? undefined : known.get(digest)) ?? stranger
  const readThenEnter = (incoming: IncomingMessage, outgoing: ServerResponse, digest: string | undefined) =>
    bodies.read(incoming, callerOf(digest) !== stranger, (how) => {
      if (how === 'read') enter(incoming, outgoing, digest)
      else if (how === 'full') refuseBusy(incoming, outgoing)
      else if (how === 'large') refuse(incoming, outgoing, 'large')
    })

  return {
    connected: open.opened,
    load,
    take: (incoming, outgoing, expects = false) => {
      const { socket, headers } = incoming
      const keepsAlive = outgoing.shouldKeepAlive
      outgoing.on('close', () => {
        open.idle(socket)
        ended?.(outgoing)
      })
      // Node tells by it that all of the answer is with the socket, also where answers before it had to go first.
      outgoing.on('prefinish', () => open.answered(socket, outgoing))
      if (isHealth(incoming)) return void answer(incoming, outgoing, { address: socket.remoteAddress })
      const digest = headers.authorization === undefined ? undefined : hash('sha256', headers.authorization, 'base64')
      if (admitting.isFull(callerOf(digest))) return refuseBusy(incoming, outgoing)
      if (expects) {
        // Whether it is sent at all, nobody knows before: unless it is wanted, no further request is read.
        outgoing.shouldKeepAlive = false
        const continues = () => {
          outgoing.shouldKeepAlive = keepsAlive
          outgoing.writeContinue()
        }
        return enter(incoming, outgoing, digest, continues)
      }
      // Node parses the rest of what has arrived before this: most bodies are then there, and need no further look. It tells their end only later.
      process.nextTick(() => {
        const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN
        const isRead = incoming.complete || declared === incoming.readableLength || declared > limits.body_bytes_max
        const next = isRead ? enter : readThenEnter
        next(incoming, outgoing, digest)
      })
    },
  }
}
