import { setTimeout as pause } from 'node:timers/promises'
import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { senderOf } from '@freehold/table/runtime'
import { planOf } from '../calls/plan.ts'
import { isRefused } from '../record.ts'
import { marker } from './actor.ts'
import { newProduct, product } from './items.ts'
import type { Scene, Situation } from './situation.ts'

// No call goes beyond its bound, and nothing is sent that was given up.

const { Product } = platform.entities
const { User, Location, UserLocationEdge } = rebac.entities

const always = { times: Number.POSITIVE_INFINITY } as const
const hurried = { patience_ms: 800, attempt_ms: 400, wait_ms: 500 }

/** More than the connections, each of which a request that is not answered holds for as long as its attempt may take. */
const reads = 60
const connections = 2

async function readMany({ ours }: Scene): Promise<void> {
  const table = (await ours.tables()).platform
  const run = async () => ({ result: await table.Product.get(product) })
  await Promise.all(Array.from({ length: reads }, () => ours.call(() => planOf('platform', 'Product.get', [], product, run))))
}

const ulid = (number: number) => `01JB${String(number).padStart(22, '0')}`

/** The clock that the process reads is set back by an hour soon after the work has begun, until that has ended. */
async function setBack(work: () => Promise<unknown>): Promise<void> {
  const { now } = Date
  const hour_ms = 3_600_000
  const back = pause(100).then(() => {
    Date.now = () => now() - hour_ms
  })
  await Promise.all([work(), back]).finally(() => {
    Date.now = now
  })
}

export const time: readonly Situation[] = [
  {
    name: 'an engine hangs, and more is read than there are connections',
    bounds: hurried,
    connecting: () => ({ dynamo: { maxSockets: connections } }),
    run: async (scene) => {
      scene.script({ on: 'any', kind: 'hang-request', ...always })
      await readMany(scene)
    },
  },
  {
    name: 'every answer drips',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'any', kind: 'drip', ...always })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'others are always faster',
    // With more patience than any one pause takes.
    bounds: { ...hurried, patience_ms: 1200 },
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', ...always, before: () => theirs.update(Product, product, { name: marker }) })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'the clock of the machine is set back while the table is throttled',
    bounds: hurried,
    run: async ({ ours, script }) => {
      script({ on: 'any', kind: 'throttle', ...always })
      await setBack(() => ours.create(Product, newProduct))
    },
  },
  {
    name: 'a caller waits for copies that take long',
    bounds: hurried,
    // So few write units a second that the copies take half a minute.
    connecting: () => ({ jobWriteUnits_per_s: 2 }),
    run: async ({ ours, theirs }) => {
      const locationId = ulid(0)
      await theirs.create(Location, { locationId, locationCode: 'ALPHA', name: marker })
      for (let number = 1; number <= 8; number++) {
        await theirs.create(User, { userId: ulid(number), displayName: marker })
        await theirs.create(UserLocationEdge, { userId: ulid(number), locationId }, false)
      }
      await ours.update(Location, { locationId }, { name: marker })
    },
  },
  {
    name: 'a connection becomes free after a write was given up',
    bounds: hurried,
    // All connections of one sender, of which a reader with more patience holds the only one.
    connecting: ({ endpoint }) => ({ sender: senderOf({ endpoint, maxSockets: 1 }) }),
    run: async ({ ours, theirs, script, expect, ground }) => {
      await theirs.create(Product, newProduct)
      const { platform: table } = await ours.tables()
      const patient = { ...table.runtime, attempt_ms: 3 * (ground.bounds.patience_ms + ground.bounds.attempt_ms), patience_ms: 0 }
      let hold = () => {}
      const isHeld = new Promise<void>((resolve) => {
        hold = resolve
      })
      script({ on: 'read', kind: 'hang-request', before: async () => hold() })
      const reading = patient.sender.send(
        'GetItem',
        { TableName: patient.table, Key: { PK: { S: 'a' }, SK: { S: 'a' } } },
        { timeoutMs: patient.attempt_ms },
      )
      const held = reading.catch(() => undefined)
      await isHeld
      const given = await ours.create(Product, { id: 'given-up', name: marker })
      expect(isRefused(given), 'A write that never left is refused for certain', given)
      await held
      // Requests that still wait for the connection get it now.
      await ours.create(Product, { id: 'after', name: marker })
    },
  },
  {
    name: 'credentials come after a write was given up',
    bounds: hurried,
    connecting: () => ({
      dynamo: {
        credentials: () => pause(3 * (hurried.patience_ms + hurried.attempt_ms), { accessKeyId: 'late', secretAccessKey: 'late' }),
      },
    }),
    run: async ({ ours, expect }) => {
      const given = await ours.create(Product, newProduct)
      expect(isRefused(given), 'A write that never left is refused for certain', given)
      await pause(3 * (hurried.patience_ms + hurried.attempt_ms))
      await ours.create(Product, { id: 'after', name: marker })
    },
  },
]
