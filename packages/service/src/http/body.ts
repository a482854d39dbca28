import { FreeholdError } from '@freehold/table'
import { refusal } from './refusal.ts'

function tooLarge(bytes_max: number): FreeholdError {
  const message = `is larger than ${bytes_max} bytes`
  return new FreeholdError('TooLarge', `The body ${message}. Send less at once.`, { issues: [{ path: [], message }] })
}

async function nextChunk(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value
  } catch {
    // The client went away, or sent less than its Content-Length says.
    throw refusal('The body', [{ path: [], message: 'ended before it was whole' }])
  }
}

/**
 * Reads a body, and stops as soon as it is larger than allowed, whatever its Content-Length says.
 * @throws TooLarge, InvalidInput where it breaks off
 */
export async function readBody({ headers, body }: Pick<Request, 'headers' | 'body'>, bytes_max: number): Promise<Uint8Array> {
  if (Number(headers.get('content-length') ?? 0) > bytes_max) throw tooLarge(bytes_max)
  if (body === null) return new Uint8Array()
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
