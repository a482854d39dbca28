import { randomUUID } from 'node:crypto'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import { createService, openKeys, type Serving, serveOnNode } from '@freehold/service'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { loadOrganisation } from '../../packages/cli/src/sample/load-organisation.ts'
import { type CampaignEngine, startCampaignEngine } from '../campaign/campaign-engine.ts'
import { type SwitchedProxy, startSwitchedProxy } from './switched-proxy.ts'

// The service as it runs, on a real engine that fails: acceptance of issue 15. It is started once, and goes through all of it.

/** How long the service tries a request again, in milliseconds. */
const patience_ms = 3_000
const clients = 8
/** So many answers of each client make a fault. */
const answers_min = 3
const recovery = { timeout: 60_000, interval: 100 } as const

const allowed = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
const denied = { user: 'cleo@example.org', location: 'NYC001', page: 'dashboard' }

let engine: CampaignEngine
let proxy: SwitchedProxy
let serving: Serving
let key = ''
let close = () => {}

beforeAll(async () => {
  engine = await startCampaignEngine()
  proxy = await startSwitchedProxy(engine.endpoint)
  const dynamo = { endpoint: proxy.endpoint }
  const table = connect(rebac, { dynamo, patience_ms })
  await ensureTable(table.runtime)
  await loadOrganisation(table)
  const keys = await openKeys({ dynamo, patience_ms })
  key = (await keys.newKey('load')).text
  // Without flows, entities are written as they are.
  const { flows: _, ...module } = rebacModule
  const service = createService({ tables: new Map([[rebac.name, { module, table }]]), keys, log: () => undefined })
  serving = await serveOnNode(service, { port: 0 })
  close = () => {
    table.close()
    keys.close()
  }
}, 60_000)
afterAll(async () => {
  await serving?.close()
  close()
  await proxy?.close()
  await engine?.close()
}, 60_000)

async function call(
  method: string,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> {
  const json = body === undefined ? {} : { body: JSON.stringify(body) }
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  const answer = await fetch(`${serving.address}/v1/rebac/${path}`, { method, headers, ...json })
  return { status: answer.status, body: JSON.parse(await answer.text()) }
}

/** What the clients have seen under one fault. */
interface Seen {
  /** Ids of users whose creation was acknowledged. */
  readonly written: string[]
  readonly statuses: Map<number, number>
}

/** A client that writes and asks, until it is told to stop, and sees no wrong answer. */
async function client(seen: Seen, isOver: () => boolean): Promise<void> {
  for (let count = 0; count < answers_min || !isOver(); count++) {
    const name = randomUUID()
    const [made, yes, no] = await Promise.all([
      call('POST', 'entities/User', { displayName: name, userType: 'MEMBER' }),
      call('POST', 'can', allowed),
      call('POST', 'can', { ...denied, consistency: count % 2 === 0 ? 'strong' : 'bounded' }),
    ])
    if (made.status === 201) seen.written.push(String(made.body.userId))
    expect([201, 503]).toContain(made.status)
    // A denial of the allowed one says that it could not be decided.
    if (yes.body.allowed !== true) expect(yes).toMatchObject({ status: 503 })
    expect(no.body.allowed).not.toBe(true)
    for (const { status } of [made, yes, no]) seen.statuses.set(status, (seen.statuses.get(status) ?? 0) + 1)
  }
}

/** Lets clients work while a fault lasts. */
async function under(fault: () => Promise<void>): Promise<Seen> {
  const seen: Seen = { written: [], statuses: new Map() }
  let isOver = false
  const working = Promise.all(Array.from({ length: clients }, () => client(seen, () => isOver)))
  await fault()
  isOver = true
  await working
  return seen
}

/** Everything works again, and everything that was acknowledged is there. */
async function recovered({ written }: Seen): Promise<void> {
  await expect.poll(async () => (await call('POST', 'can', allowed)).body.allowed, recovery).toBe(true)
  await expect
    .poll(async () => (await call('POST', 'entities/User', { displayName: randomUUID(), userType: 'MEMBER' })).status, recovery)
    .toBe(201)
  for (const userId of written) expect(await call('GET', `entities/User?userId=${userId}`)).toMatchObject({ status: 200, body: { userId } })
  expect((await fetch(`${serving.address}/health/live`)).status).toBe(200)
  await expect.poll(() => serving.load(), recovery).toMatchObject({ running: 0, waiting: 0 })
}

describe('a service that is not restarted', { timeout: 180_000 }, () => {
  test('answers without faults', async () => {
    const seen = await under(async () => {})
    expect([...seen.statuses.keys()].sort()).toEqual([200, 201])
    await recovered(seen)
  })

  test('survives an engine that is killed and started again under load', async () => {
    const seen = await under(async () => {
      await engine.restart()
      await engine.restart()
    })
    expect(seen.written.length).toBeGreaterThan(0)
    await recovered(seen)
  })

  test.each(['throttled', 'slow', 'cut off'] as const)('survives a table that is %s', async (weather) => {
    proxy.weather = weather
    const seen = await under(async () => {})
    proxy.weather = 'fair'
    // A table that is slow or away for longer than the patience of a request answers none in time.
    if (weather !== 'slow') expect(seen.statuses.get(503) ?? 0).toBeGreaterThan(0)
    await recovered(seen)
  })
})
