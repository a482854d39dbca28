import { platform } from '@freehold/designs'
import { creating, updating } from '@freehold/table'
import { placeOf, touch } from '../calls/plan.ts'
import { platformFixtures } from '../calls/platform-calls.ts'
import { toldItem } from '../outcome-of.ts'
import type { Entry } from '../record.ts'
import { type Actor, marker } from './actor.ts'
import { accountId, address, newAddress, newProduct, product } from './items.ts'
import type { Situation } from './situation.ts'

// A request or an answer is lost, and others write the item before it is sent again.

const { AccountAddress, License, Product, Role } = platform.entities
const { license } = platformFixtures

/** What is written in the same millisecond looks alike. */
const standingClock = () => {
  const now = new Date()
  return { now: () => now }
}

/** Reads, adds one, and writes that version. */
function count(actor: Actor): Promise<Entry> {
  const id = { accountId, id: license }
  const place = placeOf(License, id)
  return actor.call('platform', 'License counted', () => ({
    touches: [touch(License, 'update', id, true)],
    counting: { place, path: ['seatsUsed'], by: 1 },
    steps: 2,
    run: async () => {
      const table = (await actor.tables()).platform
      const { seatsUsed = 0, version = 0 } = (await table.License.get(id, { consistent: true })) ?? {}
      const item = await table.License.update(id, { seatsUsed: seatsUsed + 1 }, { version })
      return { items: { [place]: toldItem(item) }, count: item.seatsUsed, result: item }
    },
  }))
}

/** Two changes of named versions in one transaction. */
function changeTwo(actor: Actor): Promise<Entry> {
  const [one, other] = [{ id: 'one' }, { id: 'other' }]
  const touches = [touch(Product, 'update', one, true), touch(Product, 'update', other, true)]
  const [here = '', there = ''] = touches.map(({ place }) => place)
  return actor.call('platform', 'transact two products', (own) => ({
    input: { description: own },
    touches,
    run: async () => {
      const change = { description: own }
      const how = { version: 1 }
      const result = await (await actor.tables()).platform.transact({
        one: updating(Product, one, change, how),
        other: updating(Product, other, change, how),
      })
      return { items: { [here]: toldItem(result.one), [there]: toldItem(result.other) }, result }
    },
  }))
}

export const lostWrites: readonly Situation[] = [
  {
    name: 'a creation, of what is there and looks alike, is lost',
    connecting: standingClock,
    run: async ({ ours, theirs, script }) => {
      const alike = { ...product, name: 'alike' }
      await theirs.create(Product, alike)
      script({ on: 'write', kind: 'lose-request' })
      await ours.create(Product, alike)
    },
  },
  {
    name: 'two count together, and one request is lost',
    connecting: standingClock,
    run: async ({ ours, theirs, script }) => {
      script({ on: 'write', kind: 'lose-request', after: () => count(theirs) })
      await count(ours)
    },
  },
  {
    name: 'a removal is lost while another removes the item',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(AccountAddress, newAddress)
      script({ on: 'write', kind: 'lose-request', after: () => theirs.remove(AccountAddress, address) })
      await ours.remove(AccountAddress, address)
    },
  },
  {
    name: 'the answer to a creation is lost, and another removes the item',
    run: async ({ ours, theirs, script }) => {
      script({ on: 'write', kind: 'lose-answer', after: () => theirs.remove(Product, product) })
      await ours.create(Product, newProduct)
    },
  },
  ...(['lose-request', 'lose-answer'] as const).map(
    (kind): Situation => ({
      name: `${kind === 'lose-request' ? 'an update' : 'the answer to an update'} is lost, and the item is made anew`,
      run: async ({ ours, theirs, script }) => {
        await theirs.create(AccountAddress, newAddress)
        const again = async () => {
          await theirs.remove(AccountAddress, address)
          await theirs.create(AccountAddress, newAddress)
        }
        script({ on: 'write', kind, after: again })
        await ours.update(AccountAddress, address, { line2: marker })
      },
    }),
  ),
  {
    name: 'the answer to an update is lost, and another changes the item',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'lose-answer', after: () => theirs.update(Product, product, { name: marker }) })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'the answer to an update of a named version is lost, and another changes the item',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'lose-answer', after: () => theirs.update(Product, product, { name: marker }) })
      await ours.update(Product, product, { description: marker }, { version: 1 })
    },
  },
  {
    name: 'the answer to a transaction of named versions is lost with its token, and another changes its items',
    run: async ({ ours, theirs, script }) => {
      for (const id of ['one', 'other']) await theirs.create(Product, { id, name: marker })
      const change = async () => {
        for (const id of ['one', 'other']) await theirs.update(Product, { id }, { name: marker })
      }
      script({ on: 'write', kind: 'restart', after: change })
      await changeTwo(ours)
    },
  },
  {
    name: 'the answer to an update is lost, and its repeats are throttled to the end',
    bounds: { patience_ms: 800, attempt_ms: 800, wait_ms: 800 },
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'lose-answer' }, { on: 'write', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'of many creations at once, some are done one by one before a fault',
    bounds: { patience_ms: 800, attempt_ms: 800, wait_ms: 800 },
    run: async ({ ours, theirs, script }) => {
      const ids = ['first', 'taken', 'third']
      await theirs.create(Role, { id: 'taken', name: marker })
      // All together, and then the first alone; the second alone, and all that follows, is throttled.
      script({ on: 'write', times: 2 }, { on: 'write', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      const table = (await ours.tables()).platform
      const making = table.Role.createMany(ids.map((id) => ({ id, name: `many ${id}` })))
      // Each is a call of its own, which is told what became of its item.
      await Promise.all(
        ids.map((id, index) =>
          ours.call('platform', 'Role.createMany', () => ({
            input: { id },
            touches: [touch(Role, 'create', { id }, true)],
            steps: ids.length,
            run: async () => {
              const { item, error } = (await making)[index] ?? {}
              if (error !== undefined) throw error
              return { items: { [placeOf(Role, { id })]: toldItem(item) }, result: item }
            },
          })),
        ),
      )
    },
  },
  {
    name: 'answers are lost, and nobody else writes',
    run: async ({ ours, expectDone, script, theirs }) => {
      const kind = 'lose-answer'
      const calls = [
        () => ours.create(Product, newProduct),
        () => ours.update(Product, product, { description: marker }),
        () => ours.create(AccountAddress, newAddress),
        () => ours.remove(AccountAddress, address),
        () =>
          ours.call('platform', 'transact two', (own) => ({
            input: { own },
            touches: ['one', 'other'].map((id) => touch(Product, 'create', { id }, true)),
            run: async () => {
              const table = (await ours.tables()).platform
              await table.transact({
                one: creating(Product, { id: 'one', name: own }),
                other: creating(Product, { id: 'other', name: own }),
              })
              return {}
            },
          })),
      ]
      await theirs.tables()
      for (const call of calls) {
        script({ on: 'write', kind })
        expectDone(await call())
      }
    },
  },
]
