import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { failureOf } from './error.ts'
import type { Sender } from './sender.ts'
import { senderOf } from './sender-of.ts'

// An attempt ends at its limit, whatever it waits for. Where something is to happen before that, the clock stands still until then.

const get = { TableName: 't', Key: { PK: { S: 'a' } } } as const
const ends: (() => void)[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const end of ends.splice(0)) end()
})

/** What answers each request, and how many have come. */
async function answering(answer: (response: ServerResponse) => void, maxSockets?: number): Promise<{ sender: Sender; seen(): number }> {
  let seen = 0
  const server = createServer((request, response) => {
    seen++
    request.resume()
    request.on('end', () => answer(response))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const sender = senderOf({ endpoint: `http://127.0.0.1:${port}`, ...(maxSockets === undefined ? {} : { maxSockets }) })
  ends.push(() => {
    sender.close()
    server.closeAllConnections()
    server.close()
  })
  return { sender, seen: () => seen }
}

const stopClock = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })

const failed = (sending: Promise<unknown>) =>
  sending.then(
    () => 'answered',
    (cause: unknown) => failureOf(cause).kind,
  )

describe('an attempt that gets no whole answer in time is lost', () => {
  test('where no head comes', async () => {
    stopClock()
    const { sender } = await answering(() => vi.advanceTimersByTime(50))
    expect(await failed(sender.send('GetItem', get, { timeoutMs: 50 }))).toBe('lost')
  })

  test('where the body drips, each drop in time', async () => {
    stopClock()
    const { sender } = await answering((response) => {
      response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' })
      const drip = setInterval(() => response.write(' ', () => vi.advanceTimersByTime(10)), 5)
      response.on('close', () => clearInterval(drip))
    })
    expect(await failed(sender.send('GetItem', get, { timeoutMs: 60 }))).toBe('lost')
  })
})

describe('an attempt that gets no connection in time', () => {
  test('was never sent, and is not sent later', async () => {
    const nothing = () => {}
    let release = nothing
    const { sender, seen } = await answering((response) => {
      release = () => response.writeHead(200).end('{}')
    }, 1)
    const first = failed(sender.send('GetItem', get, { timeoutMs: 10_000 }))
    const waiting = await Promise.all([1, 2, 3].map(() => failed(sender.send('GetItem', get, { timeoutMs: 30 }))))
    expect(waiting).toEqual(['unreached', 'unreached', 'unreached'])
    // The limits of the others may have passed before the first request arrived.
    while (release === nothing) await new Promise((resolve) => setImmediate(resolve))
    release()
    release = nothing
    expect(await first).toBe('answered')
    const last = failed(sender.send('GetItem', get, { timeoutMs: 10_000 }))
    while (release === nothing) await new Promise((resolve) => setImmediate(resolve))
    release()
    expect([await last, seen()]).toEqual(['answered', 2])
  })
})

describe('an attempt whose credentials never come', () => {
  test('was never sent', async () => {
    const credentials = () => new Promise<never>(() => {})
    const sender = senderOf({ endpoint: 'http://127.0.0.1:9', region: 'us-east-1', credentials })
    ends.push(() => sender.close())
    expect(await failed(sender.send('GetItem', get, { timeoutMs: 30 }))).toBe('unreached')
  })
})
