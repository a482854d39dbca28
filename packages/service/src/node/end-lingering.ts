import type { Socket } from 'node:net'

/** How long a client may take to read the last answer, and to end its side. */
const lingering_ms_max = 500

/**
 * Makes a connection end after its last answer so that the client reads that: its other side is read on until the client ends it, or for a while. The system resets a
 * connection of which something was not read, and what the client has not read is then lost.
 */
export function endLingering(socket: Socket): void {
  socket.destroySoon = () => {
    if (socket.destroyed || socket.writableEnded) return
    const timer = setTimeout(() => socket.destroy(), lingering_ms_max).unref()
    socket.once('close', () => clearTimeout(timer)).end()
    socket.resume()
  }
}
