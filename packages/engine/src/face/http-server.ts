import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { crc32 } from 'node:zlib'
import { ServiceError } from '../errors.ts'
import { type Answer, answerOf, type Execute, refusal } from './json-protocol.ts'
import { type Credentials, checkSignature } from './signature.ts'

export interface Listening {
  /** For example `http://127.0.0.1:8000`. */
  readonly endpoint: string
  /** Requests are signed with these. */
  readonly credentials: Credentials
  /** Ends connections and gives the port back. */
  close(): Promise<void>
}

export interface ServerOptions {
  readonly port: number
  readonly credentials: Credentials
  readonly now_ms: () => number
}

/** A batch has at most 16 MB, and JSON makes more of it. */
const body_bytes_max = 40 * 1024 * 1024

/** DynamoDB's JSON protocol on the loopback interface, for programs that speak HTTP alone. */
export async function listenHttp(execute: Execute, { port, credentials, now_ms }: ServerOptions): Promise<Listening> {
  const server = createServer((request, response) => {
    void answered(request).then(
      (answer) => send(response, answer, randomUUID()),
      // A request that is lost has no answer.
      () => response.destroy(),
    )
  })

  async function answered(request: IncomingMessage): Promise<Answer> {
    const body = await bodyOf(request)
    const { method = 'GET', url = '/', headers } = request
    try {
      checkSignature({ method, url, headers, body }, credentials, now_ms())
    } catch (error) {
      if (error instanceof ServiceError) return refusal(error)
      throw error
    }
    return answerOf(execute, String(headers['x-amz-target']), body.toString())
  }

  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('The server has no port.')
  return {
    endpoint: `http://127.0.0.1:${address.port}`,
    credentials,
    async close() {
      server.close()
      server.closeAllConnections()
      if (server.listening) await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, { status, body }: Answer, requestId: string): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'content-type': 'application/x-amz-json-1.0',
    'content-length': bytes.length,
    'x-amz-crc32': String(crc32(bytes)),
    'x-amzn-requestid': requestId,
  })
  response.end(bytes)
}

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request) {
    bytes += chunk.length
    if (bytes > body_bytes_max) throw new Error('The request is too large.')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
