import type { IncomingMessage } from 'node:http'

/** The memory of all bodies that have begun to arrive, in bytes. Callers that are not known have half of it, so that the rest is there for the known ones. */
const bodies_bytes_max = 67_108_864

/** How reading a body ended: it is there; it is too large; there is no memory for it; its client has gone. */
export type BodyRead = 'read' | 'large' | 'full' | 'gone'

export interface Bodies {
  /**
   * Reads the body of a request that takes no place meanwhile, and leaves it as `rawBody`.
   * @param isKnown false for a caller that is not known
   * @param done called once
   */
  read(incoming: IncomingMessage, isKnown: boolean, done: (how: BodyRead) => void): void
  /** Forgets a body that has been answered. */
  forget(incoming: IncomingMessage): void
}

/** @param bytes_max of one body */
export function bodyReader(bytes_max: number, all_bytes_max = Math.max(bodies_bytes_max, 4 * bytes_max)): Bodies {
  /** The bytes of each, until it is answered. */
  const held = new WeakMap<IncomingMessage, { bytes: number; readonly isKnown: boolean }>()
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
    forget,
    read: (incoming, isKnown, done) => {
      const chunks: Buffer[] = []
      const holding = { bytes: 0, isKnown }
      held.set(incoming, holding)
      const end = (how: BodyRead) => () => {
        incoming.off('data', take).off('end', whole).off('close', gone).off('error', gone)
        // Without a listener a later error of the connection would end the process.
        incoming.on('error', () => undefined)
        if (how === 'read') Object.assign(incoming, { rawBody: Buffer.concat(chunks) })
        else forget(incoming)
        done(how)
      }
      const [whole, gone, large, full] = [end('read'), end('gone'), end('large'), end('full')]
      const take = (chunk: Buffer) => {
        holding.bytes += chunk.length
        hold(chunk.length, isKnown)
        if (heldBytes > all_bytes_max || (!isKnown && ofStrangers > all_bytes_max / 2)) return full()
        if (holding.bytes > bytes_max) return large()
        chunks.push(chunk)
      }
      incoming.on('data', take).once('end', whole).once('close', gone).once('error', gone)
    },
  }
}
