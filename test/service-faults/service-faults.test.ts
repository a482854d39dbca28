import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { type CampaignEngine, startCampaignEngine } from '../campaign/campaign-engine.ts'
import { type Call, type FaultyService, startFaultyService } from './faulty-service.ts'
import { nothingIsLeft, revocables, revoke, until } from './revocations.ts'
import type { Weather } from './switched-proxy.ts'

// The service as it runs, on a real engine that fails: acceptance of issue 15. Each is started once, and goes through all of its faults.

const clients = 8

const allowed = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
const denied = { user: 'cleo@example.org', location: 'NYC001', page: 'dashboard' }
const newUser = () => ({ displayName: randomUUID(), userType: 'MEMBER' })

/** Works with a service on an engine of its own. */
async function withService(work: (service: FaultyService, engine: CampaignEngine) => Promise<void>): Promise<void> {
  const engine = await startCampaignEngine()
  try {
    const service = await startFaultyService(engine, `faults-${randomUUID()}`)
    await work(service, engine).finally(() => {
      service.proxy.weather = 'fair'
      return service.close()
    })
  } finally {
    await engine.close()
  }
}

/** What the clients have seen under one fault. */
interface Seen {
  /** Ids of users whose creation was acknowledged. */
  readonly written: string[]
  readonly statuses: Map<number, number>
}

/** A client that writes and asks, until it is told to stop, and sees no wrong answer. */
async function client(call: Call, seen: Seen, isOver: () => boolean): Promise<void> {
  for (let count = 0; count === 0 || !isOver(); count++) {
    const [made, yes, no] = await Promise.all([
      call('POST', 'rebac/entities/User', newUser()),
      call('POST', 'rebac/can', allowed),
      call('POST', 'rebac/can', { ...denied, consistency: count % 2 === 0 ? 'strong' : 'bounded' }),
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
async function under(call: Call, fault: () => Promise<unknown>): Promise<Seen> {
  const seen: Seen = { written: [], statuses: new Map() }
  let isOver = false
  const end = () => {
    isOver = true
  }
  await Promise.all([fault().finally(end), ...Array.from({ length: clients }, () => client(call, seen, () => isOver))])
  return seen
}

/** Everything works again, and everything that was acknowledged is there. */
async function recovered({ call, serving }: FaultyService, { written }: Seen): Promise<void> {
  await until(async () => (await call('POST', 'rebac/can', allowed)).body.allowed === true)
  await until(async () => (await call('POST', 'rebac/entities/User', newUser())).status === 201)
  for (const userId of written)
    expect(await call('GET', `rebac/entities/User?userId=${userId}`)).toMatchObject({ status: 200, body: { userId } })
  expect((await fetch(`${serving.address}/health/live`)).status).toBe(200)
  await until(async () => serving.load().running + serving.load().waiting === 0)
}

// Each has a service and an engine of its own.
describe('a service that is not restarted', { concurrent: true }, () => {
  test('answers without faults, and survives an engine that is killed and started again under load', async () => {
    await withService(async (service, engine) => {
      const { call } = service
      const calm = await under(call, async () => {})
      expect([...calm.statuses.keys()].sort()).toEqual([200, 201])
      const grants = await revocables(call, true)
      const seen = await under(call, async () => {
        const revoking = Promise.all(grants.map((grant) => revoke(call, grant, true)))
        await engine.restart()
        await engine.restart()
        await revoking
      })
      expect(seen.written.length).toBeGreaterThan(0)
      await recovered(service, calm)
      await recovered(service, seen)
      await nothingIsLeft(grants)
    })
  })

  test.each<Exclude<Weather, 'fair'>>(['throttled', 'slow', 'cut off'])(
    'survives a table that is %s, and what it acknowledges to have revoked then is denied',
    async (weather) => {
      await withService(async (service) => {
        const { call, proxy } = service
        const grants = await revocables(call, weather !== 'slow')
        proxy.weather = weather
        // One that is throttled or away for longer than the patience of a request answers none. A slow one answers each.
        const seen = weather === 'slow' ? undefined : await under(call, async () => {})
        if (seen !== undefined) expect([...seen.statuses.keys()]).toEqual([503])
        proxy.hasBreaks = true
        const later = await under(call, () => Promise.all(grants.map((grant) => revoke(call, grant, true))))
        proxy.weather = 'fair'
        if (weather === 'slow') expect(later.written.length).toBeGreaterThan(0)
        await recovered(service, later)
        await nothingIsLeft(grants)
      })
    },
  )
})
