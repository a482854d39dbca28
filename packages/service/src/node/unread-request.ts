import { randomUUID } from 'node:crypto'
import { STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { preparedProblem } from '../http/prepared-problem.ts'
import { problem } from '../http/problem.ts'

/** A request that arrives too slowly (RFC 9110, section 15.5.9). */
export const tooSlow = problem('InvalidInput', 'The request arrived too slowly. Send all of it at once.', { status: 408 })

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
