import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tooLarge } from '../http/body.ts'
import { requestIdMax } from '../http/handle.ts'
import { type PreparedProblem, preparedProblem } from '../http/prepared-problem.ts'
import { problemOf } from '../http/problem.ts'
import { besideHeader } from '../node/beside-header.ts'
import { leaveUnread } from '../node/incoming-body.ts'
import { tooSlow } from '../node/unread-request.ts'
import { authzenPaths } from '../routes/authzen.ts'
import type { Refusal } from './admission.ts'
import { refusalOf } from './refusal.ts'

/** AuthZEN's own identifier of a request is sent back. */
function idOf({ url = '', headers }: IncomingMessage, id: string): string {
  const named = url.startsWith(authzenPaths) ? headers['x-request-id'] : undefined
  return typeof named === 'string' && named.length <= requestIdMax ? named : id
}

/** Refuses a request by an answer that was made before: no Request is made, and no body is read. */
export type Refuse = (incoming: IncomingMessage, outgoing: ServerResponse, why: Refusal | 'large' | 'slow') => void

/** @param body_bytes_max what the answer to a larger body tells */
export function refusing(body_bytes_max: number): Refuse {
  const answers: Readonly<Record<Refusal | 'large' | 'slow', PreparedProblem>> = {
    share: preparedProblem(refusalOf('share')),
    overload: preparedProblem(refusalOf('overload')),
    large: preparedProblem(problemOf(tooLarge(body_bytes_max))),
    slow: preparedProblem(tooSlow),
  }
  return (incoming, outgoing, why) => {
    if (outgoing.headersSent || outgoing.destroyed) return
    const { status, headers, bodyOf } = answers[why]
    const id = randomUUID()
    leaveUnread(incoming, outgoing)
    if (why === 'slow') outgoing.shouldKeepAlive = false
    const told = idOf(incoming, id)
    outgoing.writeHead(status, [...headers, 'X-Request-Id', told])
    outgoing.end(besideHeader(told, bodyOf(id)))
  }
}
