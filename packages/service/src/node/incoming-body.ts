import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Awaitable } from '@freehold/table/runtime'
import { allowedLength, brokenOff, hasNoBody, noBody, tooLarge } from '../http/body.ts'
import type { RequestHeaders } from '../http/service-request.ts'

/** A body of this size is read and dropped, which keeps the connection. For a larger one that would cost more than another connection. */
const dropped_bytes_max = 65_536
/** How long the rest of such a body may take. */
const dropped_ms_max = 500

/** Reads the body of a request that has not arrived whole. */
function readChunks(incoming: IncomingMessage, bytes_max: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (done: () => void) => {
      incoming.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
      // What follows an error is left to `leaveUnread`.
      incoming.pause()
      done()
    }
    const take = (chunk: Buffer) => {
      bytes += chunk.byteLength
      chunks.push(chunk)
      if (bytes > bytes_max) settle(() => reject(tooLarge(bytes_max)))
    }
    const end = () => settle(() => resolve(Buffer.concat(chunks, bytes)))
    const breakOff = () => settle(() => reject(brokenOff()))
    incoming.on('data', take).on('end', end).on('error', breakOff).on('close', breakOff)
  })
}

/**
 * Reads the body of a request, and stops as soon as it is larger than allowed. One that has arrived whole, as most have, is taken in one step, which
 * takes a third of the time. One that admission has read is there.
 * @param continues called before, if the declared length is allowed
 * @throws TooLarge, InvalidInput if the body is incomplete
 */
export function readIncoming(
  incoming: IncomingMessage,
  headers: RequestHeaders,
  bytes_max: number,
  continues?: () => void,
): Awaitable<Uint8Array> {
  if (hasNoBody(incoming.method ?? '')) return noBody
  const declared = allowedLength(headers, bytes_max)
  continues?.()
  if ('rawBody' in incoming && incoming.rawBody instanceof Buffer) {
    if (incoming.rawBody.byteLength > bytes_max) throw tooLarge(bytes_max)
    return incoming.rawBody
  }
  // Nothing more is told of a connection that is closed.
  if (incoming.destroyed) throw brokenOff()
  if (declared === undefined || declared !== incoming.readableLength) return readChunks(incoming, bytes_max)
  return incoming.read() ?? noBody
}

/**
 * Says what becomes of a body that nobody wants: called before the headers of the answer are written. A short one is dropped; with a long one the connection ends.
 * What does not end soon is cut off.
 */
export function leaveUnread(incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (incoming.complete && incoming.readableLength === 0) return
  const { 'content-length': length = '0', 'transfer-encoding': chunked } = incoming.headers
  if (!incoming.complete && (chunked !== undefined || Number(length) > dropped_bytes_max)) outgoing.shouldKeepAlive = false
  outgoing.once('finish', () => {
    if (incoming.destroyed) return
    incoming.resume()
    if (incoming.complete) return
    const timer = setTimeout(() => incoming.socket.destroySoon(), dropped_ms_max).unref()
    for (const end of ['end', 'error', 'close']) incoming.once(end, () => clearTimeout(timer))
  })
}
