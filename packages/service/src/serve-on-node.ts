import cluster from 'node:cluster'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { FreeholdError } from '@freehold/table'
import { getRequestListener, RequestError } from '@hono/node-server'
import { type FrontLoad, front, type Refusals } from './admission/front.ts'
import { type AdmissionLimits, admissionUnlessGiven } from './admission/limits.ts'
import type { Connection } from './http/connection.ts'
import type { Handle } from './http/service-request.ts'
import { endLingering } from './node/end-lingering.ts'
import { failed, nodeFace, notInUrl } from './node/node-face.ts'
import { atQuietTurn } from './node/quiet-turn.ts'
import { answerUnread, headers_max, refuseHeaders } from './node/unread-request.ts'

export interface ServingOptions {
  /** 127.0.0.1 by default. A server for other machines needs TLS in front. */
  readonly host?: string
  /** 0 for any free port. */
  readonly port: number
  /** How long running requests may take when the server closes, in milliseconds, 10,000 by default. */
  readonly grace_ms?: number
  /** The limits of admission that differ from the defaults. */
  readonly limits?: Partial<AdmissionLimits> | undefined
  /** How long a client may take to send a whole request, in milliseconds, 30,000 by default. It is never less than what headers may take. */
  readonly request_ms?: number | undefined
  /** The largest headers of a request, in bytes, 16,384 by default. */
  readonly header_bytes_max?: number | undefined
  /** The number of proxies in front that add to `X-Forwarded-For`, by which clients are told apart. By default 0. */
  readonly trustedProxies?: number | undefined
  /** Called about once a second while requests are refused, which have no log line of their own. */
  readonly told?: ((refusals: Refusals) => void) | undefined
}

/** A listening server. */
export interface Serving {
  /** For example `http://127.0.0.1:3000`. */
  readonly address: string
  readonly port: number
  /** What runs and waits now. */
  load(): FrontLoad
  /**
   * Accepts no more connections and answers every request that is sent on an open one, with `Connection: close`. Idle connections end as they always do, after
   * `idle_ms_max`. What is left is ended after `grace_ms`. It may be called again.
   */
  close(): Promise<void>
}

/** Bounds for slow clients. A request itself may take as long as it needs. Node looks for slow ones once a second, and not each half minute. */
const serverOptions = { connectionsCheckingInterval: 1_000 } as const

/** How long the port of workers may take to be closed after the last of them has asked for it. */
const portOfWorkers_ms = 100

/** A service, or an app of any other kind that has `fetch`. */
export type Serveable =
  | { readonly handle: Handle }
  | { readonly handle?: never; fetch(request: Request, connection: Connection): Response | Promise<Response> }

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse, connection: Connection) => Promise<void>

function listenerOf(app: Serveable, hostname: string): Listener {
  if (app.handle !== undefined) return nodeFace(app.handle)
  const connections = new WeakMap<object, Connection>()
  const listener = getRequestListener((request, { incoming }) => app.fetch(request, connections.get(incoming) ?? {}), {
    hostname,
    overrideGlobalObjects: false,
    errorHandler: (error) => {
      const { text, ...sent } = error instanceof RequestError ? notInUrl : failed
      return new Response(text, sent)
    },
  })
  return (incoming, outgoing, connection) => {
    connections.set(incoming, connection)
    connection.continues?.()
    return listener(incoming, outgoing)
  }
}

/** The error of a server that cannot listen, by Node's code. */
function cannotListen(cause: NodeJS.ErrnoException, host: string, port: number): FreeholdError {
  const why =
    cause.code === 'EADDRINUSE'
      ? `Port ${port} of ${host} is in use: stop the program there, or choose another port`
      : cause.code === 'EACCES'
        ? `Port ${port} of ${host} is not allowed for this user: choose one from 1024 on`
        : `It is not possible to listen on port ${port} of ${host}: choose an address of this machine`
  return new FreeholdError('Unavailable', `${why}.`, { host, port }, { cause })
}

/**
 * Serves an app over HTTP/1.1.
 * @throws FreeholdError `Unavailable` if the port is in use or not allowed
 */
export async function serveOnNode(app: Serveable, options: ServingOptions): Promise<Serving> {
  const { host = '127.0.0.1', port, grace_ms = 10_000, limits: given = {}, trustedProxies, told } = options
  const { request_ms = 30_000, header_bytes_max: maxHeaderSize = 16_384 } = options
  const limits = { ...admissionUnlessGiven, ...given }
  const underWay = new Set<ServerResponse>()
  const leave = (outgoing: ServerResponse) => underWay.delete(outgoing)
  const { take, connected, load, close } = front({ limits, trustedProxies, told, ended: leave, answer: listenerOf(app, host) })
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
  // Node refuses a limit of headers beyond that of the request.
  const requestTimeout = Math.max(request_ms, limits.headers_ms_max)
  const timeouts = { requestTimeout, headersTimeout: limits.headers_ms_max, keepAliveTimeout: limits.idle_ms_max }
  const server = createServer({ ...serverOptions, ...timeouts, maxHeaderSize, requireHostHeader: false }, begin(false))
  // Enough for it to tell that there are too many.
  server.maxHeadersCount = 2 * headers_max
  server.on('checkContinue', begin(true))
  server.on('checkExpectation', begin(false))
  const sockets = new Set<Socket>()
  let accepted = 0
  server.on('connection', (socket) => {
    accepted++
    sockets.add(socket.once('close', () => sockets.delete(socket)))
    endLingering(socket)
    connected(socket)
  })
  server.on('clientError', (error, socket) => {
    const hasBegun = [...underWay].some((outgoing) => outgoing.socket === socket && outgoing.headersSent)
    answerUnread(error, socket, hasBegun)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => reject(cannotListen(error, host, port)))
    server.listen(port, host, resolve)
  })
  // A server that listens on TCP has an AddressInfo. The other types are for pipes and closed servers.
  const bound = server.address() as AddressInfo

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
  const end = () =>
    new Promise<void>((resolve) => {
      const timers = [setTimeout(endIdle, limits.idle_ms_max), setTimeout(() => server.closeAllConnections(), grace_ms)]
      atQuietTurn(
        () => accepted,
        () => {
          server.close(() => {
            timers.map(clearTimeout)
            close()
            resolve()
          })
          // Clients that are told so connect anew at once, so that the port is closed before: that of a worker by its supervisor, once all workers have asked for it.
          if (cluster.isWorker) setTimeout(sayEnding, portOfWorkers_ms)
          else sayEnding()
        },
      )
    })
  let ended: Promise<void> | undefined
  return {
    address: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    port: bound.port,
    load,
    close: () => {
      ended ??= end()
      return ended
    },
  }
}
