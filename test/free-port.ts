import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that a system gives to connections: one of those may be taken between this question and its use. */
const first = 20_000
const count = 12_000

let next = process.pid * 97

/** A port that is free, another one for each call. Worker processes begin at different ones. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = first + (next++ % count)
    const server = createServer().listen(port, '127.0.0.1')
    const isFree = await new Promise<boolean>((resolve) =>
      server.once('listening', () => resolve(true)).once('error', () => resolve(false)),
    )
    if (!isFree) continue
    server.close()
    await once(server, 'close')
    return port
  }
}
