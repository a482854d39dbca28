import type { Socket } from 'node:net'

/** All that comes back until the server closes the connection. */
export async function untilClosed(socket: Socket): Promise<string> {
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  await new Promise((resolve) => socket.once('close', resolve))
  return received
}
