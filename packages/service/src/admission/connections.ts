import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { AdmissionLimits } from './limits.ts'

/** Beyond this Node's timers end at once. */
const timer_ms_max = 2 ** 31 - 1

export interface Connections {
  /** A connection was opened. */
  opened(socket: Socket): void
  /** Its request has arrived whole. */
  busy(socket: Socket): void
  /** An answer was handed over to it. The client takes it in time, or loses the connection. */
  answered(socket: Socket, outgoing: ServerResponse): void
  /**
   * Its request is refused by this answer, and no further one is read for a while. To read and refuse one takes a tenth of the CPU of a `can`: clients that ask on
   * at once would take that from all others.
   */
  rest(socket: Socket, outgoing: ServerResponse): void
  /** Its request was answered. */
  idle(socket: Socket): void
  count(): number
}

/**
 * Bounds the open connections. Where there is one too many, the one goes that has been without a whole request for longest: slow and half-open
 * connections are ended before any that works. An address with more than its part of the connections loses one of its own.
 */
export function connections({
  connections_max: max,
  headers_ms_max,
  body_rate_min,
  rest_ms,
}: Pick<AdmissionLimits, 'connections_max' | 'headers_ms_max' | 'body_rate_min' | 'rest_ms'>): Connections {
  const open = new Map<string, number>()
  let count = 0
  /** By address; the longest idle first. A Map or Set keeps the order in which entries were added. */
  const idle = new Set<Socket>()
  const addresses = new WeakMap<Socket, string>()
  const addressOf = (socket: Socket) => addresses.get(socket) ?? ''

  const victimFor = (address: string): Socket | undefined => {
    const isAbove = (open.get(address) ?? 0) > max / open.size
    if (isAbove) for (const socket of idle) if (addressOf(socket) === address) return socket
    const [longest] = idle
    return longest
  }
  return {
    count: () => count,
    opened: (socket) => {
      const address = socket.remoteAddress ?? ''
      addresses.set(socket, address)
      open.set(address, (open.get(address) ?? 0) + 1)
      count++
      socket.once('close', () => {
        const left = (open.get(address) ?? 0) - 1
        if (left > 0) open.set(address, left)
        else open.delete(address)
        count--
        idle.delete(socket)
      })
      if (count > max) {
        const victim = victimFor(address) ?? socket
        idle.delete(victim)
        victim.destroy()
        if (victim === socket) return
      }
      idle.add(socket)
    },
    busy: (socket) => idle.delete(socket),
    answered: (socket, outgoing) => {
      const bytes = socket.writableLength
      // The system has taken all of it: the client need not read it for the answer to be done.
      if (bytes === 0) return
      const timer = setTimeout(() => socket.destroy(), Math.min(timer_ms_max, headers_ms_max + (bytes / body_rate_min) * 1000)).unref()
      outgoing.once('close', () => clearTimeout(timer))
    },
    rest: (socket, outgoing) => {
      if (rest_ms === 0) return
      outgoing.once('close', () => {
        // Node reads on by itself when it drops the body of the request, just after this.
        setImmediate(() => {
          if (socket.destroyed) return
          socket.pause()
          setTimeout(() => socket.resume(), rest_ms).unref()
        })
      })
    },
    idle: (socket) => {
      if (!socket.destroyed) idle.add(socket)
    },
  }
}
