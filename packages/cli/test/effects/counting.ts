import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { endpoint } from '../../../../test/engine/endpoint.ts'

export interface Counting {
  readonly endpoint: string
  /** The requests that were not forwarded, the most that were there at once, and the connections that were made. */
  readonly counts: { kept: number; atOnce: number; connections: number }
  close(): void
}

/** What is done with a request, by its operation: it is forwarded to the engine, forwarded after half a second, refused for now, or never answered. */
export type Treating = (operation: string, body: string) => 'forward' | 'delay' | 'throttle' | 'hang'

/** A DynamoDB that counts requests. */
export async function counting(treat: Treating): Promise<Counting> {
  const counts = { kept: 0, atOnce: 0, connections: 0 }
  let underWay = 0
  const server = createServer(async (request, response) => {
    counts.atOnce = Math.max(counts.atOnce, ++underWay)
    response.once('close', () => underWay--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const treated = treat(String(request.headers['x-amz-target']).replace(/^.*\./, ''), Buffer.concat(chunks).toString())
    if (treated === 'throttle' || treated === 'hang') counts.kept++
    if (treated === 'hang') return
    if (treated === 'throttle') {
      response.writeHead(400).end('{"__type":"ThrottlingException"}')
      return
    }
    if (treated === 'delay') await setTimeout(500)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    // DynamoDB's headers have one value each.
    const answer = await fetch(endpoint, { method: 'POST', headers: headers as Record<string, string>, body: Buffer.concat(chunks) })
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(Buffer.from(await answer.arrayBuffer()))
  })
  // A server that says how long it keeps a connection is believed in place of the setting.
  server.keepAliveTimeout = 0
  server.on('connection', () => counts.connections++)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    counts,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
