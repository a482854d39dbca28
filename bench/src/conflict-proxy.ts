import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { UnderWay } from '@freehold/table/testing'
import { inputOf } from './own-process.js'

// A loopback proxy in a process of its own, so that its CPU is nobody's: it lets through what meets no transaction under way.

export interface Proxied {
  readonly endpoint: string
  readonly cancelled: number
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

async function main(): Promise<void> {
  // Given by the bench that starts it. `latency_ms`: so much longer is each request under way, as it would be at AWS.
  const { endpoint, latency_ms = 0 } = inputOf() as { readonly endpoint: string; readonly latency_ms?: number }
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const underWay = new UnderWay()

  const forward = (message: IncomingMessage, body: string): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const headers = { ...message.headers, 'content-length': Buffer.byteLength(body) }
      const forwarded = request(endpoint, { method: 'POST', agent, headers }, (response) => {
        read(response).then((text) => resolve({ status: response.statusCode ?? 500, text }), reject)
      })
      forwarded.on('error', reject).end(body)
    })

  const serve = async (message: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await read(message)
    const operation = String(message.headers['x-amz-target'] ?? '').replace(/^.*\./, '')
    const answer = (status: number, text: string) => response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' }).end(text)
    const entered = underWay.enter(operation, body === '' ? {} : JSON.parse(body))
    if ('refused' in entered) {
      const { code, ...more } = entered.refused
      answer(
        400,
        JSON.stringify({ __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: `${code}, by the proxy of the bench`, ...more }),
      )
      return
    }
    try {
      if (latency_ms > 0) await setTimeout(latency_ms)
      const { status, text } = await forward(message, body)
      answer(status, text)
    } finally {
      entered.leave()
    }
  }

  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const proxied = (): Proxied => ({ endpoint: `http://127.0.0.1:${port}`, cancelled: underWay.conflicts })
  process.on('message', () => process.send?.(proxied()))
  process.on('disconnect', () => process.exit(0))
}

await main()
