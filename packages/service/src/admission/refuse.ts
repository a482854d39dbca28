import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tooLarge } from '../http/body.ts'
import { headersOfAll, requestIdMax } from '../http/handle.ts'
import { problemOf } from '../http/problem.ts'
import type { Answer } from '../http/route.ts'
import { authzenPaths } from '../routes/authzen.ts'
import type { Refusal } from './admission.ts'
import { refusalOf } from './refusal.ts'

/** An answer that was made before, but for the id of its request. */
interface Prepared {
  readonly status: number
  readonly before: string
  readonly after: string
  readonly headers: readonly string[]
}

function prepared({ status, body, headers }: Answer): Prepared {
  const mark = 'the id'
  const [before = '', after = ''] = JSON.stringify({ ...Object(body), instance: `urn:uuid:${mark}` }).split(mark)
  const length = before.length + randomUUID().length + after.length
  return {
    status,
    before,
    after,
    headers: [...Object.entries({ ...headersOfAll, ...headers, 'Content-Length': length })].flat().map(String),
  }
}

/** A body of this size is read and dropped, which keeps the connection. For a larger one that would cost more than another connection. */
const dropped_bytes_max = 65_536

/** AuthZEN's own identifier of a request is sent back. */
function idOf({ url = '', headers }: IncomingMessage, id: string): string {
  const named = url.startsWith(authzenPaths) ? headers['x-request-id'] : undefined
  return typeof named === 'string' && named.length <= requestIdMax ? named : id
}

/** Refuses a request by an answer that was made before: no Request is made, and no body is read. */
export type Refuse = (incoming: IncomingMessage, outgoing: ServerResponse, why: Refusal | 'large') => void

/** @param body_bytes_max what the answer to a larger body tells */
export function refusing(body_bytes_max: number): Refuse {
  const large = prepared(problemOf(tooLarge(body_bytes_max)))
  const answers: Readonly<Record<Refusal | 'large', Prepared>> = {
    ...{ share: prepared(refusalOf('share')), overload: prepared(refusalOf('overload')), large },
  }
  return (incoming, outgoing, why) => {
    if (outgoing.headersSent || outgoing.destroyed) return
    const { status, before, after, headers } = answers[why]
    const id = randomUUID()
    const { 'content-length': length = '0', 'transfer-encoding': chunked } = incoming.headers
    if (!incoming.complete && (chunked !== undefined || Number(length) > dropped_bytes_max)) outgoing.shouldKeepAlive = false
    outgoing.writeHead(status, [...headers, 'X-Request-Id', idOf(incoming, id)])
    outgoing.end(`${before}${id}${after}`)
  }
}
