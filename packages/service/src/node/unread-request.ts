import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { preparedProblem } from '../http/prepared-problem.ts'
import { problem } from '../http/problem.ts'

/** A request that arrives too slowly (RFC 9110, section 15.5.9). */
export const tooSlow = problem('InvalidInput', 'The request arrived too slowly. Send all of it at once.', { status: 408 })

/** More headers than any client and its proxies send. */
export const headers_max = 256
const tooMany = preparedProblem(problem('TooLarge', `There are more than ${headers_max} headers. Send fewer.`, { status: 431 }))

/** Node itself would answer both without a body: RFC 9112, section 3.2, and RFC 9110, section 10.1.1. */
const noHost = preparedProblem(problem('InvalidInput', 'The Host header is missing. Send it.'))
const otherExpect = preparedProblem(
  problem('InvalidInput', 'The Expect header can only be 100-continue. Leave it out, or send that.', { status: 417 }),
)

/**
 * Refuses a request by its headers, and ends the connection. Node leaves out headers beyond its own limit in silence: they could be a condition, or what the
 * last proxy says of the client.
 * @returns true if it was refused
 */
export function refuseHeaders({ rawHeaders, headers: { host, expect }, httpVersion }: IncomingMessage, outgoing: ServerResponse): boolean {
  const refused =
    rawHeaders.length > 2 * headers_max
      ? tooMany
      : host === undefined && httpVersion === '1.1'
        ? noHost
        : expect !== undefined && httpVersion === '1.1' && !/^100-continue$/i.test(expect)
          ? otherExpect
          : undefined
  if (refused === undefined) return false
  const { status, headers, bodyOf } = refused
  const id = randomUUID()
  outgoing.shouldKeepAlive = false
  outgoing.writeHead(status, [...headers, 'X-Request-Id', id]).end(bodyOf(id))
  return true
}

/** The answers to requests that Node cannot read, by its code. */
const answers = new Map(
  Object.entries({
    ERR_HTTP_REQUEST_TIMEOUT: tooSlow,
    HPE_HEADER_OVERFLOW: problem('TooLarge', 'The headers are too large, with the path and its query. Send fewer or shorter ones.', {
      status: 431,
    }),
    HPE_CHUNK_EXTENSIONS_OVERFLOW: problem('TooLarge', 'The extensions of the chunks are too large. Send none.', { status: 413 }),
  }).map(([code, answer]) => [code, preparedProblem(answer)]),
)
const notHttp = preparedProblem(problem('InvalidInput', 'The request is not valid HTTP/1.1.'))

/**
 * Answers a request that Node could not read with a problem, as all others are answered, and ends the connection. Node itself would send a bare status.
 * @param hasBegun true if an answer of the connection is on its way: another one in the middle of it would be taken for a part of it
 */
export function answerUnread({ code = '' }: NodeJS.ErrnoException, socket: Duplex, hasBegun: boolean): void {
  if (socket.writable && !hasBegun) {
    const { status, headers, bodyOf } = answers.get(code) ?? notHttp
    const id = randomUUID()
    const told = [...headers, 'X-Request-Id', id, 'Connection', 'close'].map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`))
    socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${told.join('')}\r\n${bodyOf(id)}`)
  }
  socket.destroy()
}
