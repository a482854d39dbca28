import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import type { GarbledForm } from '../garbled.ts'
import { marker } from './actor.ts'
import { address, newAddress, newProduct, product } from './items.ts'
import type { Situation } from './situation.ts'

// Something that is not DynamoDB answers.

const { AccountAddress, Product } = platform.entities
const { EmailIdentity, User } = rebac.entities

const always = { times: Number.POSITIVE_INFINITY } as const
const hurried = { patience_ms: 600, attempt_ms: 1000, wait_ms: 600 }

/** A write that is not done, and each answer to it is the same. */
const unwritten = (form: GarbledForm): Situation => ({
  name: `a creation is not done, and is answered: ${form}`,
  bounds: hurried,
  run: async ({ ours, script }) => {
    script({ on: 'write', kind: 'garble-request', form, ...always })
    await ours.create(Product, newProduct)
  },
})

export const garbledAnswers: readonly Situation[] = [
  unwritten('list'),
  unwritten('null'),
  unwritten('item null'),
  {
    name: 'a removal is not done, and is answered as a read',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      await theirs.create(AccountAddress, newAddress)
      script({ on: 'write', kind: 'garble-request', form: 'item null', ...always })
      await ours.remove(AccountAddress, address)
    },
  },
  {
    name: 'an update is done, and is answered: no JSON',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'garble-answer', form: 'no JSON', ...always })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'what is there is answered as nothing',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'read', kind: 'garble-request', form: 'item null', ...always })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'what hangs on an item is answered as an empty list',
    bounds: hurried,
    run: async ({ ours, theirs, script }) => {
      const userId = '01JB0000000000000000000001'
      await theirs.create(User, { userId, displayName: marker })
      await theirs.create(EmailIdentity, { email: 'one@example.org', userId, provider: 'google' }, false)
      script({ on: 'Query', kind: 'garble-request', form: 'list', ...always })
      await ours.remove(User, { userId })
    },
  },
  ...[Product, AccountAddress].map(
    (entity): Situation => ({
      name: `the refusal of a change of ${entity.name} has lost its item`,
      bounds: hurried,
      run: async ({ ours, theirs, script }) => {
        const [id, values] = entity === Product ? [product, newProduct] : [address, newAddress]
        await theirs.create(entity, values)
        script({ on: 'write', kind: 'garble-request', form: 'refusal of nothing', ...always })
        await (entity === Product ? ours.update(entity, id, { description: marker }) : ours.remove(entity, id))
      },
    }),
  ),
]
