import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { platform } from '@freehold/designs/platform'
import { rebac } from '@freehold/designs/rebac'
import { readItem, senderOf } from '@freehold/table/runtime'
import { restoreItems } from '@freehold/table/testing'
import { planOf, touch } from '../calls/plan.ts'
import { type Actor, marker } from './actor.ts'
import { address, newAddress, newProduct, product } from './items.ts'
import type { Situation } from './situation.ts'

// Programs beside the runtime: a client that sends again by itself, a backup, and writers of their own.

const { AccountAddress, Product } = platform.entities
const { Location, User, UserLocationEdge } = rebac.entities

const sdkAttempts = 3
const addressKey = { PK: `ACCOUNT#${address.accountId}`, SK: `ADDRESS#${address.id}` }
const productKey = { PK: { S: `PRODUCT#${product.id}` }, SK: { S: 'METADATA' } }

const userId = '01JB0000000000000000000001'
const locationId = '01JB0000000000000000000002'
const locationKey = { PK: { S: `LOCATION#${locationId}` }, SK: { S: 'META' } }

/** Changes an item past the runtime. */
async function changeRaw(
  actor: Actor,
  name: 'platform' | 'rebac',
  Key: typeof productKey,
  UpdateExpression: string,
  values: Readonly<Record<string, { S: string } | { N: string }>>,
) {
  const { sender, table: TableName } = (await actor.tables())[name].runtime
  const names = { '#0': 'huge', '#1': 'writeId', '#2': 'name' }
  const used = Object.fromEntries(Object.entries(names).filter(([placeholder]) => UpdateExpression.includes(placeholder)))
  const given = Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }
  await sender.send('UpdateItem', { TableName, Key, UpdateExpression, ExpressionAttributeNames: used, ...given })
}

export const otherPrograms: readonly Situation[] = [
  {
    name: "a caller's own client sends an update again, and another changes the item before",
    connecting: ({ endpoint }) => {
      const credentials = { accessKeyId: 'local', secretAccessKey: 'local' }
      return { sender: senderOf({ client: new DynamoDBClient({ endpoint, region: 'us-east-1', credentials, maxAttempts: sdkAttempts }) }) }
    },
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      script({ on: 'write', kind: 'lose-answer', after: () => theirs.update(Product, product, { name: marker }) })
      await ours.update(Product, product, { description: marker })
    },
  },
  {
    name: 'an update comes late, after its item was restored from a backup',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(AccountAddress, newAddress)
      const { runtime } = (await theirs.tables()).platform
      const saved = await readItem(runtime, addressKey, { consistent: true })
      script({ on: 'write', kind: 'hold-lone' })
      await ours.update(AccountAddress, address, { line2: marker })
      const touches = [touch(AccountAddress, 'remove', address, true), touch(AccountAddress, 'create', address, true)]
      await theirs.call(() =>
        planOf('platform', 'restore', touches, {}, async () => {
          // Of another incarnation, by which the comparison tells them apart.
          if (saved !== undefined) await restoreItems(runtime, [{ ...saved, createdAt: new Date().toISOString() }])
          return {}
        }),
      )
    },
  },
  {
    name: 'a part of a backup is restored, and the rest meets throttling',
    bounds: { patience_ms: 1200, attempt_ms: 1500, wait_ms: 1200 },
    run: async ({ ours, script }) => {
      const { runtime } = (await ours.tables()).platform
      // More than one batch holds.
      const addresses = Array.from({ length: 30 }, (_, number) => ({ ...newAddress, id: `address-${number}` }))
      const saved = addresses.map((each) => {
        const at = '2026-01-01T00:00:00.000Z'
        const own = { ...each, Type: AccountAddress.name, version: 1, createdAt: at, updatedAt: at }
        return { ...own, PK: addressKey.PK, SK: `ADDRESS#${each.id}` }
      })
      const touches = addresses.map((each) => touch(AccountAddress, 'may-create', each))
      script({ on: 'any' }, { on: 'any', kind: 'throttle', times: Number.POSITIVE_INFINITY })
      await ours.call(() =>
        planOf('platform', 'restore', touches, {}, async () => {
          await restoreItems(runtime, saved)
          return {}
        }),
      )
    },
  },
  {
    name: 'the answer to an update is lost, and another program makes the item unreadable',
    run: async ({ ours, theirs, script }) => {
      await theirs.create(Product, newProduct)
      const values = { ':0': { N: '12345678901234567890123456789012345678' }, ':1': { S: 'theirs' } }
      const spoil = () => changeRaw(theirs, 'platform', productKey, 'SET #0 = :0, #1 = :1', values)
      script({ on: 'write', kind: 'lose-answer', after: spoil })
      await ours.update(Product, product, { description: marker })
      await changeRaw(theirs, 'platform', productKey, 'REMOVE #0', {})
    },
  },
  {
    name: 'a creation copies what another program has written, and what does not fit',
    run: async ({ ours, theirs }) => {
      await theirs.create(User, { userId, displayName: marker })
      await theirs.create(Location, { locationId, locationCode: 'ALPHA', name: 'Hall' })
      await changeRaw(theirs, 'rebac', locationKey, 'SET #2 = :0', { ':0': { N: '7' } })
      await ours.create(UserLocationEdge, { userId, locationId }, false)
      await changeRaw(theirs, 'rebac', locationKey, 'SET #2 = :0', { ':0': { S: 'Hall' } })
    },
  },
]
