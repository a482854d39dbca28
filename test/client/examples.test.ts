import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { designModules } from '@freehold/designs'
import { decideRebac } from '@freehold/designs/rebac'
import { getRequestListener } from '@hono/node-server'
import { afterAll, describe, expect, test } from 'vitest'
import { expressApp } from '../../examples/express.ts'
import { honoApp } from '../../examples/hono.ts'
import { serveOnNode } from '../../packages/service/src/index.ts'
import { startService } from '../../packages/service/test/serving.ts'
import { loadExamples } from '../docs/organisation.ts'

// The applications of examples/ are started, and asked over HTTP.

const servers: Server[] = []
const addresses = new Map<string, string>()

/** Starts an application on any free port. @returns its address */
async function listening(app: RequestListener | ReturnType<typeof honoApp>): Promise<string> {
  const server = createServer(typeof app === 'function' ? app : getRequestListener(app.fetch))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const service = await startService({ module: designModules.get('rebac') ?? {} })
await loadExamples(service.table)
const serving = await serveOnNode(service.app, { port: 0, grace_ms: 0 })
addresses.set('hono', await listening(honoApp({ url: serving.address, key: service.key })))
addresses.set('express', await listening(expressApp(decideRebac(service.table.runtime).can)))
afterAll(async () => {
  await serving.close()
  for (const server of servers) {
    server.close()
    server.closeAllConnections()
  }
})

const ask = async (app: string, path: string, user?: string) => {
  const response = await fetch(`${addresses.get(app)}${path}`, { headers: user === undefined ? {} : { 'x-user': user } })
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() }
}

describe.each(['hono', 'express'])('the application with %s', (app) => {
  test('lets a user in who may, and no other', async () => {
    expect(await ask(app, '/NYC001/reports', 'ada@example.org')).toMatchObject({
      status: 200,
      text: 'The reports of NYC001 for ada@example.org',
    })
    expect(await ask(app, '/NYC001/reports', 'ben@example.org')).toMatchObject({
      status: 403,
      type: expect.stringContaining('application/problem+json'),
    })
    expect((await ask(app, '/NYC001/reports', 'nobody@example.org')).status).toBe(403)
    expect((await ask(app, '/NYC001/nowhere', 'ada@example.org')).status).toBe(403)
  })

  test('asks who nobody is, and denies what is no question', async () => {
    expect((await ask(app, '/NYC001/reports')).status).toBe(401)
    expect((await ask(app, '/NYC001/reports', 'not an address')).status).toBe(403)
    expect((await ask(app, '/NYC001/reports', 'x'.repeat(5000))).status).toBe(403)
  })
})

test('without a decision nobody gets in', async () => {
  const nobody = await listening(honoApp({ url: 'http://127.0.0.1:1', key: service.key }))
  const response = await fetch(`${nobody}/NYC001/reports`, { headers: { 'x-user': 'ada@example.org' } })
  expect(response.status).toBe(503)
})
