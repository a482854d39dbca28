import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { clientAddress, networkOf } from '../http/client-address.ts'
import type { Connection } from '../http/connection.ts'
import { type Admission, admission, type Load, type Place, type Refusal } from './admission.ts'
import { connections } from './connections.ts'
import { watchLoop } from './event-loop.ts'
import { type Brought, knownCallers } from './known-callers.ts'
import type { AdmissionLimits } from './limits.ts'
import { bodyReader, type ReadAhead } from './read-ahead.ts'
import { refusing } from './refuse.ts'

/** The requests that were refused within about a second. */
export interface Refusals extends Load {
  /** The instant of the end. */
  readonly time: string
  /** Requests that got 503, since the server had too much to do. */
  readonly overload: number
  /** Requests that got 429, since their key took more than its share. */
  readonly share: number
  /** Requests that got 408, since their bodies arrived too slowly. */
  readonly slow: number
}

export interface FrontLoad extends Load {
  readonly connections: number
  /** All refusals since the start, by reason. */
  readonly refused: Readonly<Record<Refusal | 'slow', number>>
}

export interface Front {
  connected(socket: Socket): void
  /** Answers a request, or refuses it. @param expects true if the client waits for `100 Continue` before it sends the body */
  take(incoming: IncomingMessage, outgoing: ServerResponse, expects?: boolean): void
  load(): FrontLoad
  close(): void
}

export interface FrontOptions {
  readonly limits: AdmissionLimits
  /** Answers a request that has a place. It resolves when the request has ended. */
  readonly answer: (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => Promise<unknown>
  /** Called when the connection has all of an answer, or is closed. */
  readonly ended?: ((outgoing: ServerResponse) => void) | undefined
  /** See `ServiceOptions`. */
  readonly trustedProxies?: number | undefined
  /** Called about once a second while requests are refused. */
  readonly told?: ((refusals: Refusals) => void) | undefined
  readonly now_ms?: () => number
}

const second_ms = 1_000
const noRefusals = { overload: 0, share: 0, slow: 0 } as const

const isHealth = ({ method, url = '' }: IncomingMessage) =>
  (method === 'GET' || method === 'HEAD') && /^\/health(?:\/(?:live|ready))?(?:\?|$)/.test(url)

/**
 * Stands before the service, on Node's own requests, and refuses what there is no room for: before the body is read, the caller is known, and a line
 * is logged. Refused requests are counted and told once a second.
 */
export function front({ limits, answer, ended, trustedProxies = 0, told, now_ms = () => performance.now() }: FrontOptions): Front {
  const admitting: Admission = admission(limits, now_ms)
  const bodies = bodyReader(limits, now_ms)
  const callers = knownCallers(limits, now_ms)
  const open = connections(limits)
  const refuse = refusing(limits.body_bytes_max)
  const total = { ...noRefusals } as Record<Refusal | 'slow', number>
  let lately = { ...total }
  let secondBegan_ms = now_ms()
  let healths = 0

  const addressOf = ({ headers, socket: { remoteAddress: address } }: IncomingMessage) => {
    const forwarded = headers['x-forwarded-for']
    const get = () => (typeof forwarded === 'string' ? forwarded : null)
    return networkOf(clientAddress({ get }, { address }, trustedProxies) ?? '')
  }
  const count = (why: Refusal | 'slow') => {
    total[why]++
    lately[why]++
    loop.begin()
  }
  const turnSecond = () => {
    const at_ms = now_ms()
    if (at_ms - secondBegan_ms < second_ms) return
    secondBegan_ms = at_ms
    healths = 0
    if (lately.overload + lately.share + lately.slow === 0) return
    told?.({ time: new Date().toISOString(), ...lately, ...admitting.load() })
    lately = { ...noRefusals }
  }
  const isBusy = () => {
    const { running, waiting } = admitting.load()
    return running > 0 || waiting > 0 || bodies.isReading() || lately.overload + lately.share + lately.slow > 0
  }
  const loop = watchLoop((sample) => {
    admitting.tick(sample)
    bodies.endSlow()
    turnSecond()
    return isBusy()
  }, now_ms)

  const refused = (incoming: IncomingMessage, outgoing: ServerResponse, why: Refusal | 'slow') => {
    count(why)
    if (why === 'overload') open.rest(incoming.socket, outgoing)
    refuse(incoming, outgoing, why)
  }

  const enter = (
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    brought: Brought | undefined,
    address: string,
    continues?: () => void,
  ) => {
    let [isOver, isWaiting] = [false, false]
    const endWaiting = () => {
      isOver = true
      if (isWaiting) outgoing.off('close', goesAway)
    }
    const run = (place: Place) => {
      endWaiting()
      const connection: Connection = {
        address: incoming.socket.remoteAddress,
        verified: brought?.verified,
        weigh: (weight) => place.grow(weight),
        continues,
      }
      void answer(incoming, outgoing, connection).finally(() => {
        place.leave()
        bodies.forget(incoming)
      })
    }
    open.busy(incoming.socket)
    const leave = admitting.enter({ caller: brought?.caller, address }, run, (why) => {
      endWaiting()
      bodies.forget(incoming)
      refused(incoming, outgoing, why)
    })
    isWaiting = !isOver
    if (isWaiting) outgoing.on('close', goesAway)
    function goesAway() {
      bodies.forget(incoming)
      leave()
    }
  }
  const readThenEnter = (incoming: IncomingMessage, outgoing: ServerResponse, brought: Brought | undefined, address: string) => {
    loop.begin()
    bodies.read(incoming, brought?.caller !== undefined, (how: ReadAhead) => {
      if (how === 'read') enter(incoming, outgoing, brought, address)
      else if (how === 'full') refused(incoming, outgoing, 'overload')
      else if (how === 'large') refuse(incoming, outgoing, 'large')
      else if (how === 'slow') refused(incoming, outgoing, 'slow')
    })
  }

  return {
    connected: open.opened,
    close: loop.end,
    load: () => ({ ...admitting.load(), connections: open.count(), refused: { ...total } }),
    take: (incoming, outgoing, expects = false) => {
      const { socket, headers } = incoming
      const keepsAlive = outgoing.shouldKeepAlive
      outgoing.on('close', () => {
        open.idle(socket)
        ended?.(outgoing)
      })
      // Node tells by it that all of the answer is with the socket, also where answers before it had to go first.
      outgoing.on('prefinish', () => open.answered(socket, outgoing))
      const address = addressOf(incoming)
      const brought = headers.authorization === undefined ? undefined : callers.brought(headers.authorization)
      turnSecond()
      if (isHealth(incoming) && ++healths <= limits.healths_max) return void answer(incoming, outgoing, { address: socket.remoteAddress })
      const why = admitting.wouldRefuse({ caller: brought?.caller, address })
      if (why !== undefined) return refused(incoming, outgoing, why)
      loop.begin()
      if (expects) {
        // Whether it is sent at all, nobody knows before: unless it is wanted, no further request is read.
        outgoing.shouldKeepAlive = false
        const continues = () => {
          outgoing.shouldKeepAlive = keepsAlive
          outgoing.writeContinue()
        }
        return enter(incoming, outgoing, brought, address, continues)
      }
      // Node parses the rest of what has arrived before this: most bodies are then there, and need no further look. It tells their end only later.
      process.nextTick(() => {
        const declared = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : Number.NaN
        const isRead = incoming.complete || declared === incoming.readableLength || declared > limits.body_bytes_max
        const next = isRead ? enter : readThenEnter
        next(incoming, outgoing, brought, address)
      })
    },
  }
}
