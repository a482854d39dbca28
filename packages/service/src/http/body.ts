import { FreeholdError } from '@freehold/table'
import { invalidInput } from '@freehold/table/runtime'
import type { RequestHeaders } from './service-request.ts'

export function tooLarge(bytes_max: number): FreeholdError {
  const message = `is larger than ${bytes_max} bytes`
  return new FreeholdError('TooLarge', `The body ${message}. Send less at once.`, { issues: [{ path: [], message }] })
}

/** The error for a client that disconnected, or sent less than its Content-Length. */
export function brokenOff(): FreeholdError {
  return invalidInput('The body', [{ path: [], message: 'ended before it was complete' }])
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value
  } catch {
    throw brokenOff()
  }
}

export const noBody = new Uint8Array()

/** True for a request whose body is not looked for: looking would take most of its time. */
export function hasNoBody(method: string): boolean {
  return method === 'GET' || method === 'HEAD'
}

/** The declared length of a request in bytes. Undefined if there is none, or if it is not a number. */
function declaredLength(headers: RequestHeaders): number | undefined {
  const length = headers.get('content-length')
  return length !== null && /^\d+$/.test(length) ? Number(length) : undefined
}

/** The declared length of a body, which may be read. Throws TooLarge. */
export function allowedLength(headers: RequestHeaders, bytes_max: number): number | undefined {
  const declared = declaredLength(headers)
  if (declared !== undefined && declared > bytes_max) throw tooLarge(bytes_max)
  return declared
}

async function readStream(body: ReadableStream<Uint8Array>, bytes_max: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  for (let chunk = await nextChunk(reader); chunk !== undefined; chunk = await nextChunk(reader)) {
    bytes += chunk.byteLength
    if (bytes > bytes_max) {
      reader.cancel().catch(() => undefined)
      throw tooLarge(bytes_max)
    }
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, bytes)
}

/**
 * Reads the body of a Request, and stops as soon as it is larger than allowed. A body with a declared length is read in one step, since the server
 * enforces the length, and that takes half the time.
 * @throws TooLarge, InvalidInput if the body is incomplete
 */
export async function readBody(request: Request, bytes_max: number): Promise<Uint8Array> {
  if (hasNoBody(request.method)) return noBody
  const declared = allowedLength(request.headers, bytes_max)
  if (declared === undefined) return request.body === null ? noBody : readStream(request.body, bytes_max)
  const body = await request.arrayBuffer().catch(() => {
    throw brokenOff()
  })
  if (body.byteLength > bytes_max) throw tooLarge(bytes_max)
  return new Uint8Array(body)
}
