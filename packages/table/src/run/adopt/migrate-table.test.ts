import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { putRaw, rawItem } from '../../../test/depot/raw.ts'
import { directSender, noWait } from '../../../test/depot/table.ts'
import type { Inputs, Operation, Outputs } from '../../dynamo/operation.ts'
import type { Sender } from '../../dynamo/sender.ts'
import { count, design, entity, get, number, opaqueId, queryOn, text, unique } from '../../index.ts'
import { type ConnectOptions, connect } from '../connect.ts'
import { ensureTable } from '../ensure-table.ts'
import { scanItems } from '../scan.ts'
import { type Migration, migrateJob, migrationInput, surveyMigration } from './migrate-table.ts'

// Two versions of a shop. What the second does not have any more: Badge, the name `title`, prices in whole euros, the list of gadgets.

const Badge = entity('Badge', { attributes: { badgeId: opaqueId() }, key: ['BADGE#{badgeId}', 'META'] })
const first = design({
  name: 'shop',
  table: 'shop',
  entities: {
    Badge,
    Product: entity('Product', {
      attributes: { id: opaqueId(), title: text(), price: number(), colour: opaqueId().optional() },
      key: ['PRODUCT#{id}', 'META'],
    }),
    Gadget: entity('Gadget', {
      attributes: { id: opaqueId() },
      key: ['GADGET#{id}', 'META'],
      indexes: { GSI1: ['GADGETS', 'GADGET#{id}'] },
    }),
  },
  patterns: { badge: get(Badge) },
})
const Product = entity('Product', {
  attributes: {
    id: opaqueId(),
    name: opaqueId().was('title'),
    price_cents: count().optional(),
    stock: count().default(0),
    colour: opaqueId().optional(),
  },
  key: ['PRODUCT#{id}', 'META'],
  indexes: { GSI2: ['COLOUR#{colour}', 'PRODUCT#{id}'], GSI3: ['PRODUCTS', 'NAME#{name}'] },
  schema: 1,
  upcast: { 0: ({ price, ...rest }) => ({ ...rest, price_cents: Number(price) * 100 }) },
})
const Gadget = entity('Gadget', { attributes: { id: opaqueId() }, key: ['GADGET#{id}', 'META'] })
const second = design({
  name: 'shop',
  table: 'shop',
  entities: { Product, Gadget, ProductName: unique('ProductName', Product, ['NAME#{name}', 'META']) },
  dropped: { Badge: ['BADGE#{badgeId}', 'META'] },
  patterns: { red: queryOn('GSI2', 'COLOUR#{colour}').returns(Product) },
})

type Send = <O extends Operation>(operation: O, input: Inputs[O], next: () => Promise<Outputs[O]>) => Promise<Outputs[O]>
/** A sender that sees each request, and may answer it otherwise. */
const through = (send: Send): Sender => ({
  send: (operation, input, options) => send(operation, input, () => directSender().send(operation, input, options)),
  close: () => {},
})

const connected = (table: string, options: ConnectOptions = {}) => {
  const common = { table, sender: directSender(), sleep: noWait, ...options }
  return { v1: connect(first, common), v2: connect(second, common) }
}
type Versions = ReturnType<typeof connected>

async function shopOfFirst(): Promise<Versions & { readonly name: string }> {
  const name = `migrated-${randomUUID()}`
  const versions = connected(name)
  await ensureTable(versions.v1.runtime)
  for (let index = 0; index < 5; index++)
    await versions.v1.Product.create({ id: `p${index}`, title: `t${index}`, price: index, ...(index < 2 ? { colour: 'red' } : {}) })
  await versions.v1.Badge.create({ badgeId: 'b' })
  await versions.v1.Gadget.create({ id: 'g' })
  return { ...versions, name }
}

const migrate = ({ v2 }: Versions, isFinal = false) =>
  v2.jobs.start(migrateJob, { subject: 'shop', input: migrationInput(v2.runtime, { isFinal }) })
const survey = ({ v2 }: Versions, isFinal = false) => surveyMigration(v2.runtime, { isFinal })
const left = ({ missing, former, indexes }: Migration) => ({ missing, former, indexes })

async function rawItems({ v1 }: Versions) {
  const all: Readonly<Record<string, unknown>>[] = []
  for await (const page of scanItems(v1.runtime)) all.push(...page)
  const unstamped = all.filter(({ Type }) => Type !== 'Job').map(({ writeId: _, version: __, ...item }) => item)
  return unstamped.sort((one, other) => (`${one.PK} ${one.SK}` < `${other.PK} ${other.SK}` ? -1 : 1))
}

const former = { former: { Badge: 1, Gadget: 1 }, indexes: { added: [], removed: ['GSI1'] } }

test('a dry run tells what is to be done, a migration does it beside the former version, and the final one removes what only that needs', async () => {
  const shop = await shopOfFirst()
  await expect(ensureTable(shop.v2.runtime)).rejects.toThrow('no index GSI2, GSI3. `freehold migrate shop`')
  const before = await survey(shop)
  expect(left(before)).toEqual({
    ...former,
    missing: { Product: 5, ProductName: 5 },
    indexes: { added: ['GSI2', 'GSI3'], removed: ['GSI1'] },
  })
  expect(before.items).toBe(7)
  expect(before.readUnits).toBeGreaterThan(0)
  // Each product and its guard in a transaction.
  expect(before.writeUnits).toBe(5 * 2 * 2)

  await migrate(shop)
  expect(left(await survey(shop))).toEqual({ ...former, missing: {} })
  expect((await shop.v2.red({ colour: 'red' })).items).toMatchObject([
    { id: 'p0', name: 't0', price_cents: 0, stock: 0 },
    { id: 'p1', name: 't1', price_cents: 100 },
  ])
  await expect(shop.v2.Product.create({ id: 'new', name: 't1' })).rejects.toMatchObject({ code: 'AlreadyExists' })
  // The former version still has all that it had.
  expect(await shop.v1.Badge.get({ badgeId: 'b' })).toBeDefined()
  expect(await shop.v1.Product.get({ id: 'p1' })).toMatchObject({ title: 't1', price: 1 })

  await migrate(shop, true)
  expect(left(await survey(shop, true))).toEqual({ missing: {}, former: {}, indexes: { added: [], removed: [] } })
  expect(await shop.v1.Badge.get({ badgeId: 'b' })).toBeUndefined()
  await ensureTable(shop.v2.runtime)
  expect(await shop.v2.jobs.list()).toEqual([])
})

test('indexes are added one at a time, each once the last one is filled', async () => {
  const { name } = await shopOfFirst()
  const asked: string[] = []
  let looks = 0
  const sender = through(async (operation, input, next) => {
    if (operation !== 'UpdateTable' && operation !== 'DescribeTable') return next()
    if (operation === 'UpdateTable') {
      expect(looks).toBe(0)
      asked.push(JSON.stringify(input))
      looks = 3
      return next()
    }
    const output = await next()
    if (looks === 0) return output
    looks--
    const { Table } = output as Outputs['DescribeTable']
    const GlobalSecondaryIndexes = Table?.GlobalSecondaryIndexes?.map((index) => ({ ...index, IndexStatus: 'CREATING' }))
    return { Table: { ...Table, GlobalSecondaryIndexes } } as typeof output
  })
  await migrate(connected(name, { sender }))
  expect(asked).toEqual([expect.stringContaining('GSI2'), expect.stringContaining('GSI3')])
})

test('a migration that dies at any request is continued by another process, and leaves what one that is not disturbed leaves', async () => {
  const undisturbed = await shopOfFirst()
  let requests = 0
  const counting = through((_, __, next) => {
    requests++
    return next()
  })
  const worker = connected(undisturbed.name, { sender: counting })
  await migrate(worker)
  await migrate(worker, true)
  const whole = await rawItems(undisturbed)
  for (let dies = 1; dies < requests; dies += 3) {
    const shop = await shopOfFirst()
    let at = 0
    let now = Date.now()
    // A process that was killed sends nothing any more; half of the deaths are after the request has arrived.
    const dying = through(async (_, __, next) => {
      at++
      if (at > dies) throw Object.assign(new Error('dead'), { name: 'AccessDeniedException' })
      const output = await next()
      if (at === dies && dies % 2 === 0) throw Object.assign(new Error('dead'), { name: 'AccessDeniedException' })
      return output
    })
    const killed = connected(shop.name, { sender: dying, now: () => new Date(now) })
    await migrate(killed)
      .then(() => migrate(killed, true))
      .catch(() => undefined)
    now += 60_000
    const other = connected(shop.name, { now: () => new Date(now) })
    const { failed, held } = await other.v2.jobs.resume()
    expect({ failed, held, dies }).toEqual({ failed: [], held: [], dies })
    await migrate(other)
    await migrate(other, true)
    expect({ dies, items: await rawItems(shop) }).toEqual({ dies, items: whole })
  }
})

test('a write beside the migration wins', async () => {
  const { name, v1, v2 } = await shopOfFirst()
  let isBetween = true
  const sender = through(async (operation, _, next) => {
    if (operation === 'TransactWriteItems' && isBetween) {
      isBetween = false
      for (let index = 0; index < 5; index++) await v1.Product.update({ id: `p${index}` }, { title: `u${index}` })
    }
    return next()
  })
  await migrate(connected(name, { sender }))
  for (let index = 0; index < 5; index++) expect(await v2.Product.get({ id: `p${index}` })).toMatchObject({ name: `u${index}` })
  expect(left(await survey(connected(name)))).toMatchObject({ missing: {} })
})

test('a program of the former version does not end the migration that a new one left behind', async () => {
  const { v1, v2 } = await shopOfFirst()
  await v2.jobs.start(migrateJob, { subject: 'shop', input: migrationInput(v2.runtime, { isFinal: false }), wait: false })
  const before = new Date(Date.now() + 1000)
  const { done, failed } = await v1.jobs.resume({ before })
  expect({ done, failed: failed.map(({ error }) => error.message) }).toEqual({
    done: 0,
    failed: [expect.stringContaining('another version')],
  })
  expect(await v2.jobs.list()).toHaveLength(1)
})

test('an item that a program without an index has changed is not in the index under its former value, and has its present one', async () => {
  const shop = await shopOfFirst()
  await migrate(shop)
  const red = async () => (await shop.v2.red({ colour: 'red' })).items.map(({ id }) => id)
  await shop.v1.Product.update({ id: 'p0' }, { colour: 'blue' })
  await shop.v1.Product.update({ id: 'p1' }, { colour: null })
  expect(await shop.v2.Product.get({ id: 'p0' })).toMatchObject({ colour: 'blue' })
  expect(await shop.v2.Product.get({ id: 'p1' })).not.toHaveProperty('colour')
  expect(await red()).toEqual([])
  await shop.v2.Product.update({ id: 'p0' }, { stock: 3 })
  await migrate(shop)
  expect((await shop.v2.red({ colour: 'blue' })).items).toMatchObject([{ id: 'p0', stock: 3 }])
  expect((await rawItems(shop)).filter(({ GSI2PK }) => GSI2PK !== undefined)).toHaveLength(1)
})

test('an item whose reference has outlived its target is migrated, too', async () => {
  const table = `migrated-${randomUUID()}`
  const version = (name: string, former: readonly string[]) => {
    const Maker = entity('Maker', { attributes: { maker: opaqueId() }, key: ['MAKER#{maker}', 'META'] })
    const named = former.reduce((attribute, each) => attribute.was(each), opaqueId())
    const Toy = entity('Toy', {
      attributes: { id: opaqueId(), maker: opaqueId(), [name]: named },
      key: ['TOY#{id}', 'META'],
      refers: { maker: { to: Maker, onRemove: 'keep' } },
    })
    const toys = design({ name: 'toys', table: 'toys', entities: { Maker, Toy }, patterns: { toy: get(Toy) } })
    return connect(toys, { table, sender: directSender(), sleep: noWait })
  }
  const [v1, v2] = [version('title', []), version('name', ['title'])]
  await ensureTable(v1.runtime)
  await v1.Maker.create({ maker: 'm' })
  await v1.Toy.create({ id: 't', maker: 'm', title: 'bear' } as never)
  await v1.Maker.remove({ maker: 'm' })
  await v2.jobs.start(migrateJob, { subject: 'toys', input: migrationInput(v2.runtime, { isFinal: false }) })
  expect(await version('name', []).Toy.get({ id: 't' })).toMatchObject({ name: 'bear' })
})

test('an upcast sees what a program of the former version changes afterwards: its write takes the stamp of the new form away', async () => {
  const table = `migrated-${randomUUID()}`
  const version = (shape: Partial<Parameters<typeof entity>[1]>, more: object = {}) => {
    const Toy = entity('Toy', {
      attributes: { id: opaqueId(), price: number(), note: text().optional(), ...more },
      key: ['TOY#{id}', 'META'],
      ...shape,
    })
    const toys = design({ name: 'toys', table: 'toys', entities: { Toy }, patterns: { toy: get(Toy) } })
    return connect(toys, { table, sender: directSender(), sleep: noWait })
  }
  const v1 = version({})
  const v2 = version({ schema: 1, upcast: { 0: (item) => ({ ...item, cents: Number(item.price) * 100 }) } }, { cents: count() })
  const id = { id: 't' }
  await ensureTable(v1.runtime)
  await v1.Toy.create({ ...id, price: 1 })
  await v2.jobs.start(migrateJob, { subject: 'toys', input: migrationInput(v2.runtime, { isFinal: false }) })
  expect(await rawItem(v2, 'TOY#t', 'META')).toMatchObject({ cents: 100, schema: 1 })
  await v1.Toy.update(id, { price: 3 })
  expect(await v2.Toy.get(id)).toMatchObject({ price: 3, cents: 300 })
  await v2.Toy.update(id, { note: 'new' })
  expect(await rawItem(v2, 'TOY#t', 'META')).toMatchObject({ cents: 300, schema: 1, note: 'new' })
  // What completes an item changes nothing, and leaves the stamp.
  await v1.jobs.start(migrateJob, { subject: 'toys', input: migrationInput(v1.runtime, { isFinal: false }) })
  expect(await rawItem(v2, 'TOY#t', 'META')).toMatchObject({ cents: 300, schema: 1 })
  await putRaw(v2, { ...(await rawItem(v2, 'TOY#t', 'META')), schema: 2 })
  await v2.jobs.start(migrateJob, { subject: 'toys', input: migrationInput(v2.runtime, { isFinal: false }) })
  expect(await rawItem(v2, 'TOY#t', 'META')).toMatchObject({ schema: 2 })
  await putRaw(v2, { ...(await rawItem(v2, 'TOY#t', 'META')), schema: 'theirs' })
  await v1.Toy.update(id, { price: 4 })
  expect(await rawItem(v2, 'TOY#t', 'META')).toMatchObject({ schema: 'theirs' })
})
