import type { IncomingMessage } from 'node:http'
import type { Awaitable } from '@freehold/table/runtime'
import { allowedLength, brokenOff, hasNoBody, noBody, tooLarge } from '../http/body.ts'
import type { RequestHeaders } from '../http/service-request.ts'

/** How much of a body that nobody wanted is taken off a connection, so that its client reads the answer and may send the next request. */
const unread = { bytes_max: 67_108_864, ms_max: 500 } as const

/** Reads the body of a request that has not arrived whole. */
function readChunks(incoming: IncomingMessage, bytes_max: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    const settle = (done: () => void) => {
      incoming.off('data', take).off('end', end).off('error', breakOff).off('close', breakOff)
      // What follows an error is left to `takeUnread`.
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
 * @throws TooLarge, InvalidInput if the body is incomplete
 */
export function readIncoming(incoming: IncomingMessage, headers: RequestHeaders, bytes_max: number): Awaitable<Uint8Array> {
  if (hasNoBody(incoming.method ?? '')) return noBody
  const declared = allowedLength(headers, bytes_max)
  if ('rawBody' in incoming && incoming.rawBody instanceof Buffer) {
    if (incoming.rawBody.byteLength > bytes_max) throw tooLarge(bytes_max)
    return incoming.rawBody
  }
  // Nothing more is told of a connection that is closed.
  if (incoming.destroyed) throw brokenOff()
  if (declared === undefined || declared !== incoming.readableLength) return readChunks(incoming, bytes_max)
  return incoming.read() ?? noBody
}

/** Takes the rest of a body that nobody wanted, once its request is answered. One that does not end soon is cut off with its connection. */
export function takeUnread(incoming: IncomingMessage): void {
  if (incoming.destroyed) return
  incoming.resume()
  if (incoming.complete) return
  let bytes = 0
  const take = (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > unread.bytes_max) cut()
  }
  const timer = setTimeout(() => cut(), unread.ms_max)
  timer.unref()
  const stop = () => {
    clearTimeout(timer)
    incoming.off('data', take)
  }
  const cut = () => {
    stop()
    incoming.socket.destroySoon()
  }
  incoming.on('data', take)
  for (const end of ['end', 'error', 'close']) incoming.once(end, stop)
}
