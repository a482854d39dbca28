import { Agent, type IncomingMessage, request } from 'node:http'
import type { FaultAnswer } from './fault-answer.ts'

/** A request as it came, to be sent on once, later, or never. */
export interface Received {
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export async function bodyOf(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export interface Forwarder {
  /** Rejects where the engine is killed meanwhile: the request may have been done. */
  send(endpoint: string, received: Received): Promise<FaultAnswer>
  close(): void
}

/** Sends requests on to the engine, over connections that are kept. */
export function forwarder(): Forwarder {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  return {
    send: (endpoint, { headers, body }) =>
      new Promise((resolve, reject) => {
        const sent = request(
          endpoint,
          { method: 'POST', agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
          (answer) => bodyOf(answer).then((text) => resolve({ status: answer.statusCode ?? 500, body: text }), reject),
        )
        sent.on('error', reject).end(body)
      }),
    close: () => agent.destroy(),
  }
}
