import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { senderOf } from '@freehold/table/runtime'
import { dyingSender } from '../../../packages/designs/test/dying-sender.ts'
import { platformFixtures } from '../calls/platform-calls.ts'
import type { FaultKind } from '../fault-deck.ts'
import type { Entry } from '../record.ts'
import { marker } from './actor.ts'
import { accountId, newProduct, product } from './items.ts'
import { later_ms, type Scene, type Situation } from './situation.ts'

// A write is committed, and what follows from it meets a fault.

const { User, Location, UserLocationEdge } = rebac.entities
const { Enterprise, EnterpriseProduct, License, Product } = platform.entities

const userId = '01JB0000000000000000000001'
const locationId = '01JB0000000000000000000002'
const edge = { userId, locationId }
const hurried = { patience_ms: 600, attempt_ms: 1000, wait_ms: 600 }

/** Somebody at a location: the edge has copies of both. */
async function joined({ theirs }: Scene): Promise<void> {
  await theirs.create(User, { userId, displayName: marker })
  await theirs.create(Location, { locationId, locationCode: 'ALPHA', name: marker })
  await theirs.create(UserLocationEdge, edge, false)
}

/** All requests after the first write. */
const after = (kind: FaultKind, form?: 'null') => [{ on: 'write' }, { on: 'any', kind, form, times: Number.POSITIVE_INFINITY }] as const

const isOkAndPending = ({ outcome }: Entry) => outcome.is === 'ok' && outcome.pending.length > 0

/** Somebody else goes on with all jobs, and ends after so many writes. */
async function resumeUntil({ ground, connect }: Scene, writes: number): Promise<void> {
  const endpoint = await ground.engine.endpoint()
  const own = senderOf({ endpoint })
  const { sender } = dyingSender(own, writes)
  const tables = connect(endpoint, { sender, now: () => new Date(Date.now() + later_ms) })
  await tables.platform.jobs.resume().catch(() => undefined)
  own.close()
}

const resume = async ({ later }: Scene) => {
  for (const table of (await later.tables()).all) await table.jobs.resume()
}

export const committed: readonly Situation[] = [
  ...(['throttle', 'deny', 'garble-request'] as const).map(
    (kind): Situation => ({
      name: `a change is committed, and its copies meet: ${kind}`,
      bounds: hurried,
      run: async (scene) => {
        await joined(scene)
        scene.script(...after(kind, 'null'))
        const changed = await scene.ours.update(Location, { locationId }, { name: marker })
        scene.expect(isOkAndPending(changed), 'A change that was committed is told as done, and its job as pending', changed)
      },
    }),
  ),
  {
    name: 'a removal is committed, and the rest of it meets throttling',
    bounds: hurried,
    run: async (scene) => {
      await joined(scene)
      scene.script(...after('throttle'))
      const removed = await scene.ours.remove(User, { userId })
      scene.expect(isOkAndPending(removed), 'A removal that was committed is told as done, and its job as pending', removed)
    },
  },
  {
    name: 'nobody waits for a removal',
    run: async (scene) => {
      await joined(scene)
      const removed = await scene.ours.remove(User, { userId }, { wait: false })
      scene.expect(isOkAndPending(removed), 'A job that nobody waits for is told as pending', removed)
    },
  },
  {
    name: 'another worker takes a removal back',
    run: async (scene) => {
      const { ours, theirs, script } = scene
      await theirs.create(Product, newProduct)
      await theirs.create(EnterpriseProduct, { enterpriseId: platformFixtures.enterprise, productId: product.id }, false)
      script({ on: 'write' }, { on: 'read', before: () => resume(scene) })
      await ours.remove(Product, product)
    },
  },
  {
    name: 'a worker is late to say that an item is in use, which another has begun to empty',
    run: async (scene) => {
      const { ours, theirs, script } = scene
      const enterpriseId = 'enterprise'
      const used = { accountId, id: 'license' }
      await theirs.create(Enterprise, { id: enterpriseId, name: marker })
      await theirs.create(License, { ...used, enterpriseId, endDate: '2099-12-31', seats: 1 })
      await theirs.create(Product, newProduct)
      await theirs.create(EnterpriseProduct, { enterpriseId, productId: product.id }, false)
      const overtake = async () => {
        await theirs.remove(License, used)
        // It takes the lease, removes what hangs on the item, and ends.
        await resumeUntil(scene, 2)
      }
      script({ on: 'write' }, { on: 'write', before: overtake })
      await ours.remove(Enterprise, { id: enterpriseId })
    },
  },
  {
    name: 'a caller throws when it is told of progress',
    connecting: () => ({
      onProgress: () => {
        throw new Error('a fault of the caller')
      },
    }),
    run: async (scene) => {
      await joined(scene)
      scene.expectDone(await scene.ours.update(Location, { locationId }, { name: marker }))
    },
  },
  {
    name: 'a worker is silent until what it removes was removed by another and made anew',
    run: async (scene) => {
      const { ours, script, expectThere } = scene
      await joined(scene)
      const again = async () => {
        await resume(scene)
        await scene.theirs.create(User, { userId, displayName: marker })
        await scene.theirs.create(UserLocationEdge, edge, false)
      }
      script({ on: 'write' }, { on: 'Query', before: again })
      await ours.remove(User, { userId })
      await expectThere(UserLocationEdge, edge)
    },
  },
]
