import { platform } from '@freehold/designs/platform'
import { creating, updating } from '@freehold/table'
import { callOf, planOf, touch } from '../calls/plan.ts'
import { counting } from '../calls/platform-calls.ts'
import { toldItem } from '../outcome-of.ts'
import { type Entry, isRefused } from '../record.ts'
import { type Actor, marker } from './actor.ts'
import { address, newAddress, newProduct, product } from './items.ts'
import type { Situation } from './situation.ts'

// A request or an answer is lost, and others write the item before it is sent again.

const { AccountAddress, Product, Role } = platform.entities

/** Enough for a second attempt on a slow machine. */
const hurried = { patience_ms: 1200, attempt_ms: 1500, wait_ms: 1200 }

/** Items that are written in the same millisecond look alike. */
const standingClock = () => {
  const now = new Date()
  return { now: () => now }
}

const count = async (actor: Actor): Promise<Entry> => {
  const table = (await actor.tables()).platform
  return actor.call(() => counting(table))
}

/** Two changes of named versions in one transaction. */
async function changeTwo(actor: Actor): Promise<Entry> {
  const table = (await actor.tables()).platform
  const [one, other] = [{ id: 'one' }, { id: 'other' }]
  const touches = [touch(Product, 'update', one, true), touch(Product, 'update', other, true)]
  const [here = '', there = ''] = touches.map(({ place }) => place)
  return actor.call((own) => {
    const change = { description: own }
    const run = async () => {
      const how = { version: 1 }
      const result = await table.transact({ one: updating(Product, one, change, how), other: updating(Product, other, change, how) })
      return { items: { [here]: toldItem(result.one), [there]: toldItem(result.other) }, result }
    }
    return planOf('platform', 'transact two products', touches, change, run)
  })
}

async function createTwo(actor: Actor): Promise<Entry> {
  const table = (await actor.tables()).platform
  const ids = ['one', 'other'] as const
  return actor.call((name) => {
    const [one, other] = ids.map((id) => creating(Product, { id, name }))
    const touches = ids.map((id) => touch(Product, 'create', { id }, true))
    return planOf('platform', 'create two products', touches, { name }, async () => {
      if (one !== undefined && other !== undefined) await table.transact({ one, other })
      return {}
    })
  })
}

/** Many creations at once, each of which is told of as a call of its own. */
async function createMany(actor: Actor, ids: readonly string[]): Promise<void> {
  const table = (await actor.tables()).platform
  const making = table.Role.createMany(ids.map((id) => ({ id, name: `many ${id}` })))
  const created = async (id: string, index: number) => {
    const touched = touch(Role, 'create', { id }, true)
    const run = async () => {
      const { item, error } = (await making)[index] ?? {}
      if (error !== undefined) throw error
      return item
    }
    await actor.call(() => callOf('platform', 'Role.createMany', touched, { id }, run, { steps: ids.length }))
  }
  await Promise.all(ids.map(created))
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
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'lose-answer' }, { on: 'write', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'the answer to a transaction is lost, and its repeat is cancelled for a reason that is no condition',
    run: async ({ ours, script }) => {
      // Between the two the tokens of the engine are probed, by two transactions.
      script({ on: 'write', kind: 'lose-answer' }, { on: 'write', times: 2 }, { on: 'write', kind: 'cancel' })
      await ours.create(AccountAddress, newAddress)
    },
  },
  {
    name: 'of many creations at once, some are done one by one before a fault',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      const ids = ['first', 'taken', 'third']
      await theirs.create(Role, { id: 'taken', name: marker })
      // All together, and then the first alone; the second alone, and all that follows, is throttled.
      script({ on: 'write', times: 2 }, { on: 'write', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await createMany(ours, ids)
    },
  },
  {
    name: 'of many creations in several transactions, one is done and the others meet throttling',
    bounds: hurried,
    run: async ({ ours, script }) => {
      script({ on: 'write' }, { on: 'write', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await createMany(
        ours,
        // More than one transaction holds.
        Array.from({ length: 40 }, (_, number) => `role-${number}`),
      )
    },
  },
  {
    name: 'a read is lost, and its repeats are throttled to the end',
    bounds: hurried,
    run: async ({ ours, script, expect }) => {
      const table = (await ours.tables()).platform
      script({ on: 'read', kind: 'lose-request' }, { on: 'read', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      const read = await ours.call(() =>
        planOf('platform', 'Product.get', [], product, async () => ({ result: await table.Product.get(product) })),
      )
      expect(isRefused(read), 'A read has changed nothing, so its fault is certain', read)
    },
  },
  {
    name: 'answers are lost, and nobody else writes',
    run: async ({ ours, expectDone, script }) => {
      const kind = 'lose-answer'
      const calls = [
        () => ours.create(Product, newProduct),
        () => ours.update(Product, product, { description: marker }),
        () => ours.create(AccountAddress, newAddress),
        () => ours.remove(AccountAddress, address),
        () => createTwo(ours),
      ]
      for (const call of calls) {
        script({ on: 'write', kind })
        expectDone(await call())
      }
    },
  },
]
