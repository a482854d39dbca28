import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '@freehold/table/runtime'
import type { Connection } from '../http/connection.ts'
import { problem } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'
import type { Handle, RequestHeaders, SentAnswer } from '../http/service-request.ts'
import { besideHeader } from './beside-header.ts'
import { leaveUnread, readIncoming } from './incoming-body.ts'
import { isHost, readTarget } from './request-target.ts'

/** Headers as they came. Node's own `headers` have the first of two values of some, where `Headers` have both. */
function headersOf(raw: readonly string[]): RequestHeaders {
  return {
    get: (name) => {
      let found: string | null = null
      for (let at = 0; at < raw.length; at += 2) {
        const each = raw[at]
        if (each === undefined || each.length !== name.length || (each !== name && each.toLowerCase() !== name)) continue
        found = found === null ? (raw[at + 1] ?? '') : `${found}, ${raw[at + 1]}`
      }
      return found
    },
  }
}

/** An answer without the service: there is no request that it could take, or it failed itself. */
function sentOf({ status, body, headers = {} }: Answer): SentAnswer {
  return { status, headers, text: JSON.stringify(body) }
}

const notInUrl = sentOf(problem('InvalidInput', 'The request line or the Host header is not valid in a URL.'))
const failed = sentOf(problem('Unavailable', 'The service failed.', { status: 500 }))

/** The answer to what Node has read of a request. It makes neither a Request nor a Response, which take several times as long as all that is done here. */
function answerOf(handle: Handle, incoming: IncomingMessage, connection: Connection): Awaitable<SentAnswer> {
  const { method = '', url = '', rawHeaders } = incoming
  const headers = headersOf(rawHeaders)
  const host = headers.get('host') ?? ''
  const target = host === '' || isHost(host) ? readTarget(url) : undefined
  if (target === undefined) return notInUrl
  const { address, verified, continues } = connection
  const readBody = (bytes_max: number) => readIncoming(incoming, headers, bytes_max, continues)
  return handle({ method, path: target.path, search: target.search, headers, address, verified, readBody })
}

function send(incoming: IncomingMessage, outgoing: ServerResponse, { status, headers, text, bytes }: SentAnswer): void {
  // Names and values in turn: Node would copy an object's.
  const told: string[] = []
  for (const name of Object.keys(headers)) told.push(name, headers[name] ?? '')
  const content = bytes ?? text
  if (content !== undefined) told.push('Content-Length', `${Buffer.byteLength(content)}`)
  leaveUnread(incoming, outgoing)
  outgoing.writeHead(status, told).end(typeof content === 'string' ? besideHeader(headers['X-Request-Id'], content) : content)
}

/** The face for Node: a listener of its server. @returns a function whose promise resolves when the answer was handed to the connection */
export function nodeFace(handle: Handle): (incoming: IncomingMessage, outgoing: ServerResponse, connection?: Connection) => Promise<void> {
  return async (incoming, outgoing, connection = { address: incoming.socket.remoteAddress }) => {
    try {
      send(incoming, outgoing, await answerOf(handle, incoming, connection))
    } catch {
      if (outgoing.headersSent) outgoing.destroy()
      else send(incoming, outgoing, failed)
    }
  }
}
