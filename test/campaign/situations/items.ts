import { platformFixtures } from '../calls/platform-calls.ts'
import { marker } from './actor.ts'

// Items that situations are about. A product goes alone, and hangs on nothing; an address refers to its account, and nothing hangs on it.

export const { account: accountId } = platformFixtures
export const product = { id: 'product' }
export const newProduct = { ...product, name: marker }
export const address = { accountId, id: 'address' }
export const newAddress = { ...address, line1: marker, city: 'Berlin', country: 'DE' }
