import { expect } from 'vitest'
import type { EffectsOf } from './effect.ts'
import { narrow, type ServedBy } from './served.ts'

const ask = { user: 'ada@example.org', location: 'NYC001', page: 'reports' }

/** Sends requests at once over one connection. @returns the status of each */
async function statusesOf(server: ServedBy, count: number, path = '/v1'): Promise<readonly string[]> {
  const socket = (await server.socket()).setEncoding('latin1')
  const get = (more: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n${more}\r\n`
  let received = ''
  socket.on('data', (text) => {
    received += text
  })
  socket.write(`${get('').repeat(count - 1)}${get('Connection: close\r\n')}`)
  await new Promise((resolve) => socket.once('close', resolve))
  return Array.from(received.matchAll(/HTTP\/1\.1 (\d+) /g), ([, status = '']) => status)
}

export const limits: EffectsOf<'Limits of requests'> = {
  bodyBytesMax: async () => {
    const { call, bodyBytesMax } = await narrow()
    const body = JSON.stringify(ask)
    expect((await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax))).status).toBe(200)
    const refused = await call('POST', '/v1/rebac/can', body.padEnd(bodyBytesMax + 1))
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining(`${bodyBytesMax} bytes`) })
  },
  // A request that is answered without a key is one that was not refused.
  runningMax: async () => {
    const server = await narrow()
    const answered = (await statusesOf(server, 40)).filter((status) => status === '401')
    expect(answered).toHaveLength(server.runningMax * 9)
    expect((await statusesOf(server, 40)).filter((status) => status === '503')).toHaveLength(40 - server.runningMax * 9)
  },
}
