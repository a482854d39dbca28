import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { type AdmissionLimits, admissionUnlessGiven, type FrontLoad, front, type Refusals } from './admission/front.ts'
import type { Handle } from './http/service-request.ts'
import { nodeFace } from './node/node-face.ts'
import { type Bound, listenOn } from './node/port.ts'
import { atQuietTurn } from './node/quiet-turn.ts'
import { answerUnread, headers_max, refuseHeaders } from './node/unread-request.ts'

/** How long a client may take to read the last answer, and to end its side. */
const lingering_ms_max = 500

/**
 * Makes a connection end after its last answer so that the client reads that: its other side is read on until the client ends it, or for a while. The system resets a
 * connection of which something was not read, and what the client has not read is then lost.
 */
function endLingering(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed || socket.writableEnded) return
    const timer = setTimeout(() => socket.destroy(), lingering_ms_max).unref()
    socket.once('close', () => clearTimeout(timer)).end()
    socket.resume()
  }
}

export interface ServingOptions {
  /** 127.0.0.1 by default. A server for other machines needs TLS in front. */
  readonly host?: string
  /** 0 for any free port. */
  readonly port: number
  /** Where another process listens instead, which hands over its connections (see `sharePort`). */
  readonly bound?: Bound | undefined
  /** How long running requests may take when the server closes, in milliseconds, 10,000 by default. */
  readonly grace_ms?: number
  /** The limits of admission that differ from the defaults. */
  readonly limits?: Partial<AdmissionLimits> | undefined
  /** How long a client may take to send a whole request, in milliseconds, 30,000 by default, and its headers a third of that. */
  readonly request_ms?: number | undefined
  /** How long a connection is kept between two requests, in milliseconds, 65,000 by default: a load balancer of AWS keeps it for a minute, and must be the first to end it. */
  readonly idle_ms?: number | undefined
  /** The most connections, 4,096 by default. */
  readonly connections_max?: number | undefined
  /** Called about once a second while requests are refused, which have no log line of their own. */
  readonly told?: ((refusals: Refusals) => void) | undefined
}

/** A listening server. */
export interface Serving extends Bound {
  /** What runs and waits now. */
  load(): FrontLoad
  /** Serves a connection that another process has accepted and not read. */
  take(socket: Socket): void
  /**
   * Accepts no more connections and answers every request that is sent on an open one, with `Connection: close`. Idle connections end after five seconds. What is left is ended after `grace_ms`. It may be called again.
   */
  close(): Promise<void>
}

/** A client that has found an idle connection sends its request within this time, in milliseconds. */
const endingIdle_ms_max = 5_000
/** Node looks for slow clients once a second, and not each half minute. */
const serverOptions = { connectionsCheckingInterval: 1_000, maxHeaderSize: 16_384, requireHostHeader: false } as const

/** A service, or anything else that answers requests as one does. */
export interface Serveable {
  readonly handle: Handle
}

/**
 * Serves it over HTTP/1.1.
 * @throws FreeholdError `Unavailable` if the port is in use or not allowed
 */
export async function serveOnNode({ handle }: Serveable, options: ServingOptions): Promise<Serving> {
  const { host = '127.0.0.1', port, grace_ms = 10_000, request_ms = 30_000, idle_ms = 65_000, connections_max, told } = options
  const limits = { ...admissionUnlessGiven, ...options.limits }
  const underWay = new Set<ServerResponse>()
  const leave = (outgoing: ServerResponse) => underWay.delete(outgoing)
  const { take, connected, load } = front({ limits, connections_max, told, ended: leave, answer: nodeFace(handle) })
  const latest = new WeakMap<Socket, ServerResponse>()
  let isEnding = false
  const begin = (expects: boolean) => (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { socket } = incoming
    // The answer before ends the connection (RFC 9112, section 9.6): nobody would learn that this request was done.
    if (latest.get(socket)?.shouldKeepAlive === false) return
    latest.set(socket, outgoing)
    underWay.add(outgoing)
    if (isEnding) outgoing.shouldKeepAlive = false
    if (refuseHeaders(incoming, outgoing)) outgoing.on('close', () => leave(outgoing))
    else take(incoming, outgoing, expects)
  }
  const timeouts = { requestTimeout: request_ms, headersTimeout: Math.ceil(request_ms / 3), keepAliveTimeout: idle_ms }
  const server = createServer({ ...serverOptions, ...timeouts }, begin(false))
  // Enough for it to tell that there are too many.
  server.maxHeadersCount = 2 * headers_max
  server.on('checkContinue', begin(true))
  server.on('checkExpectation', begin(false))
  const sockets = new Set<Socket>()
  let accepted = 0
  let emptied = () => {}
  server.on('connection', (socket) => {
    accepted++
    sockets.add(
      socket.once('close', () => {
        sockets.delete(socket)
        if (sockets.size === 0) emptied()
      }),
    )
    endLingering(socket)
    connected(socket)
  })
  server.on('clientError', (error, socket) => {
    const hasBegun = [...underWay].some((outgoing) => outgoing.socket === socket && outgoing.headersSent)
    answerUnread(error, socket, hasBegun)
  })
  const bound = options.bound ?? (await listenOn(server, host, port))
  // Node looks for slow clients from this event on.
  if (options.bound !== undefined) server.emit('listening')

  // Node would end idle connections at once, also those whose next request is on its way.
  server.closeIdleConnections = () => undefined
  const endIdle = () => {
    const busy = new Set([...underWay].map(({ socket }) => socket))
    for (const socket of sockets) if (!busy.has(socket)) socket.destroySoon()
  }
  const sayEnding = () => {
    isEnding = true
    for (const outgoing of underWay) if (!outgoing.headersSent) outgoing.shouldKeepAlive = false
  }
  // Node's own close waits for connections that it has accepted, and not for those that were handed over.
  const whenEmpty = (call: () => void) => {
    emptied = call
    if (sockets.size === 0) call()
  }
  const end = () =>
    new Promise<void>((resolve) => {
      const timers = [setTimeout(endIdle, Math.min(idle_ms, endingIdle_ms_max)), setTimeout(() => server.closeAllConnections(), grace_ms)]
      const stop = () => {
        server.close()
        // Clients that are told so connect anew at once, so that the port is closed before.
        sayEnding()
        whenEmpty(() => {
          timers.map(clearTimeout)
          resolve()
        })
      }
      // A process that listens for this one has closed its port before.
      if (options.bound !== undefined) stop()
      else atQuietTurn(() => accepted, stop)
    })
  let ended: Promise<void> | undefined
  return {
    ...bound,
    load,
    take: (socket) => {
      // As Node opens those that it accepts for HTTP: a client may end its side before it has its answer.
      socket.allowHalfOpen = true
      server.emit('connection', socket)
    },
    close: () => {
      ended ??= end()
      return ended
    },
  }
}
