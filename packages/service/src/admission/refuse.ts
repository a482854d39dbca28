import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tooLarge } from '../http/body.ts'
import { busy, requestIdMax } from '../http/handle.ts'
import { preparedProblem } from '../http/prepared-problem.ts'
import { problemOf } from '../http/problem.ts'
import { besideHeader } from '../node/beside-header.ts'
import { leaveUnread } from '../node/incoming-body.ts'
import { authzenPaths } from '../routes/authzen.ts'

/** AuthZEN's own identifier of a request is sent back. */
function idOf({ url = '', headers }: IncomingMessage, id: string): string {
  const named = url.startsWith(authzenPaths) ? headers['x-request-id'] : undefined
  return typeof named === 'string' && named.length <= requestIdMax ? named : id
}

/** Refuses a request by an answer that was made before: no Request is made, and no body is read. */
export type Refuse = (incoming: IncomingMessage, outgoing: ServerResponse, why: 'busy' | 'large') => void

/** @param body_bytes_max what the answer to a larger body tells */
export function refusing(body_bytes_max: number): Refuse {
  const answers = { busy: preparedProblem(busy), large: preparedProblem(problemOf(tooLarge(body_bytes_max))) }
  return (incoming, outgoing, why) => {
    if (outgoing.headersSent || outgoing.destroyed) return
    const { status, headers, bodyOf } = answers[why]
    const id = randomUUID()
    leaveUnread(incoming, outgoing)
    const told = idOf(incoming, id)
    outgoing.writeHead(status, [...headers, 'X-Request-Id', told])
    outgoing.end(besideHeader(told, bodyOf(id)))
  }
}
