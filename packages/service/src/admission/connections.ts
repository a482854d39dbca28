import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most connections of one process. Each takes a file of the system, which has no endless number of them. */
const connections_max = 4_096
/** How long a client may take to read an answer, in milliseconds. */
export const taking_ms_max = 60_000
/** How long nothing is read from a connection whose request was refused for want of a place, in milliseconds. */
const rest_ms = 200

export interface Connections {
  /** A connection was opened. */
  opened(socket: Socket): void
  /** Its request has arrived whole. */
  busy(socket: Socket): void
  /** An answer was handed over to it. The client takes it in time, or loses the connection: Node has no timeout for that. */
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

/** Bounds the open connections. Where there is one too many, that one goes which has been without a whole request for longest: a slow one before any that works. */
export function connections(max = connections_max): Connections {
  let count = 0
  /** The longest idle first. A Set keeps the order in which entries were added. */
  const idle = new Set<Socket>()
  return {
    count: () => count,
    opened: (socket) => {
      count++
      socket.once('close', () => {
        count--
        idle.delete(socket)
      })
      if (count > max) {
        const [victim = socket] = idle
        idle.delete(victim)
        victim.destroy()
        if (victim === socket) return
      }
      idle.add(socket)
    },
    busy: (socket) => idle.delete(socket),
    answered: (socket, outgoing) => {
      // The system has taken all of it: the client need not read it for the answer to be done.
      if (socket.writableLength === 0) return
      const timer = setTimeout(() => socket.destroy(), taking_ms_max).unref()
      outgoing.once('close', () => clearTimeout(timer))
    },
    rest: (socket, outgoing) => {
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
