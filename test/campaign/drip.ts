import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import { setTimeout as after } from 'node:timers/promises'
import type { FaultAnswer } from './fault-answer.ts'

/** Long enough that a client which only watches the pause between two parts goes far beyond what a call may take. */
const parts = 90

/**
 * Answers a byte at a time, each well within what an attempt may take, the whole far beyond it. Ends when the client has gone.
 * White space before JSON means nothing, so that every answer has as many parts.
 */
export async function drip(response: ServerResponse, { status, body }: FaultAnswer, attempt_ms: number): Promise<void> {
  const length = parts + Buffer.byteLength(body)
  response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0', 'content-length': length })
  const gone = new AbortController()
  void once(response, 'close').then(() => gone.abort())
  for (let part = 0; part < parts && !gone.signal.aborted; part++) {
    response.write(' ')
    await after(attempt_ms / 3, undefined, { signal: gone.signal }).catch(() => undefined)
  }
  response.end(body)
}
