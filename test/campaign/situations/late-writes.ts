import { platform } from '@freehold/designs/platform'
import { marker } from './actor.ts'
import { address, newAddress, newProduct, product } from './items.ts'
import type { Situation } from './situation.ts'

// A request comes after its client has sent it again and was answered.

const { AccountAddress, Product } = platform.entities

export const lateWrites: readonly Situation[] = [
  {
    name: 'a creation comes after its repeat, and after a removal',
    run: async ({ ours, theirs, script }) => {
      script({ on: 'write', kind: 'hold-lone' })
      await ours.create(Product, newProduct)
      await theirs.remove(Product, product)
    },
  },
  {
    name: 'an update comes after its repeat, and after the item was made anew',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(AccountAddress, newAddress)
      script({ on: 'write', kind: 'hold-lone' })
      await ours.update(AccountAddress, address, { line2: marker })
      await theirs.remove(AccountAddress, address)
      await theirs.create(AccountAddress, newAddress)
    },
  },
]
