import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { admissionUnlessGiven, front } from './front.ts'

test('each request ends once: answered, refused, told of its health, or left by its client', async () => {
  const begun: ServerResponse[] = []
  const ended: ServerResponse[] = []
  const lets: (() => void)[] = []
  const limits = { ...admissionUnlessGiven, running_max: 1, waiting_max: 1 }
  const { take, connected } = front({
    limits,
    ended: (outgoing) => ended.push(outgoing),
    answer: async ({ url }, outgoing) => {
      if (url === '/v1') await new Promise<void>((resolve) => lets.push(resolve))
      outgoing.end('done')
    },
  })
  const server = createServer((incoming, outgoing) => {
    begun.push(outgoing)
    take(incoming, outgoing)
  })
  server.on('connection', connected)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const ask = (path: string) => fetch(`http://127.0.0.1:${port}${path}`).then(({ status }) => status)

  const running = ask('/v1')
  await expect.poll(() => lets.length).toBe(1)
  const waiting = connect(port, '127.0.0.1', () => waiting.write('GET /v1 HTTP/1.1\r\nHost: a\r\n\r\n'))
  await expect.poll(() => begun.length).toBe(2)
  expect([await ask('/v1'), await ask('/health')]).toEqual([503, 200])
  waiting.destroy()
  await expect.poll(() => ended.length).toBe(3)
  expect(ended).not.toContain(begun[0])
  lets[0]?.()
  expect(await running).toBe(200)
  await expect.poll(() => ended.length).toBe(4)
  expect(new Set(ended)).toEqual(new Set(begun))
  server.closeAllConnections()
  server.close()
})
