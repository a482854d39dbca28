import { connect, type Socket } from 'node:net'
import { questionBytes } from './connection.js'
import { closedLoop, openLoop, quantile } from './open-loop.js'
import type { LoadedServer } from './server.js'

const kinds = {
  'half-open headers': { count: 3_000, text: 'POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nX-Slow: ' },
  'half-sent bodies': { count: 256, text: 'POST /v1/rebac/can HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{' },
} as const

/** Opens a connection that sends no more than this. @returns when it is gone, in milliseconds after it was opened */
function stall(port: number, text: string): { readonly socket: Socket; readonly gone: Promise<number> } {
  const socket = connect(port, '127.0.0.1')
  const began_ms = performance.now()
  socket.on('error', () => undefined).resume()
  socket.write(text)
  return { socket, gone: new Promise((resolve) => socket.once('close', () => resolve(performance.now() - began_ms))) }
}

/** Asks at half of the best rate while many connections stall, and waits until the server has ended them. */
export async function measureSlowClients({ port, path, question, key }: LoadedServer): Promise<readonly string[][]> {
  const request = questionBytes(path, question, key)
  const rate = (await closedLoop(port, 16, 3_000, request)).rate / 2
  const rows: string[][] = []
  for (const [name, { count, text }] of Object.entries(kinds)) {
    const stalled = Array.from({ length: count }, () => stall(port, text))
    const { latencies_ms, statuses, unsent } = await openLoop({ port, connections: 64, rate, count: Math.floor(rate * 4), request })
    const others = [...statuses].reduce((sum, [status, times]) => (status === 200 ? sum : sum + times), 0)
    const gone_ms = (await Promise.all(stalled.map(({ gone }) => gone))).sort((a, b) => a - b)
    rows.push([
      name,
      String(count),
      String(others),
      String(unsent),
      quantile(latencies_ms, 0.99).toFixed(1),
      ((gone_ms.at(-1) ?? Number.NaN) / 1000).toFixed(1),
    ])
  }
  return rows
}
