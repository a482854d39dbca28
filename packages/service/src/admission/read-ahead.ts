import type { IncomingMessage } from 'node:http'
import type { AdmissionLimits } from './limits.ts'

/** How reading a body ended: it is there; it is too large; there is no memory for it; it is too slow; its client has gone. */
export type ReadAhead = 'read' | 'large' | 'full' | 'slow' | 'gone'

export interface BodyReader {
  /**
   * Reads the body of a request that takes no place meanwhile, and leaves it as `rawBody`, where Hono's server finds it.
   * @param isKnown false for a caller that is not known: all of these have half of the memory, so that the rest is there for the known ones
   * @param done called once
   */
  read(incoming: IncomingMessage, isKnown: boolean, done: (how: ReadAhead) => void): void
  /** Forgets a body that has been answered. */
  forget(incoming: IncomingMessage): void
  /** Ends bodies that arrive too slowly. To be called now and then. */
  endSlow(): void
  isReading(): boolean
}

interface Reading {
  readonly began_ms: number
  bytes: number
  readonly end: (how: ReadAhead) => void
}

/** @param now_ms a monotonic clock */
export function bodyReader(
  { body_bytes_max, bodies_bytes_max, body_rate_min, body_grace_ms }: AdmissionLimits,
  now_ms: () => number,
): BodyReader {
  /** Bodies that arrive, and the bytes of each until it is answered. */
  const underWay = new Map<IncomingMessage, Reading>()
  const held = new WeakMap<IncomingMessage, { readonly bytes: number; readonly isKnown: boolean }>()
  let [heldBytes, ofStrangers] = [0, 0]
  const hold = (bytes: number, isKnown: boolean) => {
    heldBytes += bytes
    if (!isKnown) ofStrangers += bytes
  }
  const forget = (incoming: IncomingMessage) => {
    const found = held.get(incoming)
    if (found === undefined) return
    hold(-found.bytes, found.isKnown)
    held.delete(incoming)
  }
  return {
    isReading: () => underWay.size > 0,
    forget,
    endSlow: () => {
      const at_ms = now_ms()
      for (const { began_ms, bytes, end } of underWay.values()) {
        const taken_ms = at_ms - began_ms
        if (taken_ms > body_grace_ms && bytes < (taken_ms / 1000) * body_rate_min) end('slow')
      }
    },
    read: (incoming, isKnown, done) => {
      const chunks: Buffer[] = []
      const end = (how: ReadAhead) => {
        if (!underWay.delete(incoming)) return
        incoming.off('data', take).off('end', whole).off('close', gone).off('error', gone)
        // Without a listener a later error of the connection would end the process.
        incoming.on('error', () => undefined)
        if (how === 'read') Object.assign(incoming, { rawBody: Buffer.concat(chunks) })
        else forget(incoming)
        done(how)
      }
      const reading: Reading = { began_ms: now_ms(), bytes: 0, end }
      const take = (chunk: Buffer) => {
        reading.bytes += chunk.length
        hold(chunk.length, isKnown)
        held.set(incoming, { bytes: reading.bytes, isKnown })
        if (heldBytes > bodies_bytes_max || (!isKnown && ofStrangers > bodies_bytes_max / 2)) return end('full')
        if (reading.bytes > body_bytes_max) return end('large')
        chunks.push(chunk)
      }
      const whole = () => end('read')
      const gone = () => end('gone')
      underWay.set(incoming, reading)
      incoming.on('data', take).once('end', whole).once('close', gone).once('error', gone)
    },
  }
}
