import { beforeEach, describe, expect, test } from 'vitest'
import { ownTableOf } from '../../../../../test/engine/own-table.ts'
import { deleteRaw, putRaw, rawItem } from '../../../test/depot/raw.ts'
import { WatchedSender } from '../../../test/depot/senders.ts'
import { noWait } from '../../../test/depot/table.ts'
import { code, connect, design, edge, entity, mirror, opaqueId, text, unique } from '../../index.ts'
import { adoptJob, surveyTable } from './adopt-table.ts'

// Items as another program leaves them, adopted: what is completed, and what is told of the rest.

const why = { why: 'the document has no such item' }
const Shop = entity('Shop', {
  attributes: { shop: opaqueId(), name: text(), owner: opaqueId().optional() },
  key: ['SHOP#{shop}', 'META'],
})
const ShopName = unique('ShopName', Shop, ['SHOP_NAME#{name}', 'META'], [], why)
const ShopOfOwner = mirror('ShopOfOwner', Shop, ['OWNER#{owner}', 'SHOP#{shop}'], [], why)
const Product = entity('Product', {
  attributes: { shop: opaqueId(), product: opaqueId() },
  key: ['SHOP#{shop}', 'PRODUCT#{product}'],
  refers: { shop: Shop },
})
/** Keeps what it tells of a shop that is gone. */
const Report = entity('Report', {
  attributes: { report: opaqueId(), shop: opaqueId() },
  key: ['REPORT#{report}', 'META'],
  refers: { shop: { to: Shop, onRemove: 'keep' } },
})
const Place = entity('Place', { attributes: { place: code() }, key: ['PLACE#{place}', 'META'] })
const { ShopPlace, PlaceShop } = edge({
  ends: { shop: Shop, place: Place },
  attributes: {},
  items: { ShopPlace: ['SHOP#{shop}', 'PLACE#{place}'], PlaceShop: ['PLACE#{place}', 'SHOP#{shop}'] },
  additions: { PlaceShop: why.why },
})
/** The design writes it as three items, the document as one. */
const { Offer, PlaceOffer, OfferOfDay } = edge({
  ends: { shop: Shop, place: Place },
  attributes: { day: opaqueId().default('any') },
  items: {
    Offer: ['OFFERS#{shop}', 'PLACE#{place}'],
    PlaceOffer: ['PLACE_OFFERS#{place}', 'SHOP#{shop}'],
    OfferOfDay: ['OFFERS_BY_PLACE#{place}', 'OFFER#{shop}'],
  },
  additions: { PlaceOffer: why.why, OfferOfDay: why.why },
})
const Store = entity('Store', { attributes: { store: opaqueId(), slug: opaqueId(), title: text() }, key: ['STORE#{store}', 'META'] })
const StoreSlug = mirror('StoreSlug', Store, ['STORE_SLUG#{slug}', 'META'], ['title'], why)
/** Finds its store by a lookup item that the document lacks. */
const Sale = entity('Sale', {
  attributes: { sale: opaqueId(), slug: opaqueId(), title: text().from('slug') },
  key: ['SALE#{sale}', 'META'],
  refers: { slug: { to: StoreSlug, onRemove: 'keep' } },
})
const shops = design({
  name: 'shops',
  table: 'shops',
  entities: {
    Shop,
    ShopName,
    ShopOfOwner,
    Product,
    Report,
    Place,
    ShopPlace,
    PlaceShop,
    Offer,
    PlaceOffer,
    OfferOfDay,
    Store,
    StoreSlug,
    Sale,
  },
  patterns: {},
})

const opened = async () => {
  const table = await ownTableOf(shops)
  return table
}
let table: Awaited<ReturnType<typeof opened>>
beforeEach(async () => {
  table = await opened()
})

const adopt = () => table.jobs.start(adoptJob, { subject: 'shops', input: null })
const survey = () => surveyTable(table.runtime)
const itemOf = (PK: string, SK = 'META') => rawItem(table, PK, SK)
const shop = (id: string, name = id) => ({ PK: `SHOP#${id}`, SK: 'META', shop: id, name })

const left = { version: 1, isLeft: true }
const guard = (of: string) => ({ PK: 'SHOP_NAME#x', SK: 'META', Type: 'ShopName', shop: of, name: 'x', ...left })
const mirrored = (of: string) => ({ PK: 'OWNER#o', SK: `SHOP#${of}`, Type: 'ShopOfOwner', shop: of, owner: 'o', ...left })
const place = { PK: 'PLACE#A', SK: 'META' }
const added = { PK: 'PLACE#A', SK: 'SHOP#a', Type: 'PlaceShop', shop: 'a', place: 'A', ...left }

describe('adopt completes', () => {
  test('what lacks nothing but its version: it gets one', async () => {
    await putRaw(table, { ...shop('a'), Type: 'Shop' }, { PK: 'PLACE#A', SK: 'META', Type: 'Place', place: 'A' })
    expect((await survey()).missing).toEqual({ Shop: 1, ShopName: 1, Place: 1 })
    await adopt()
    expect(await itemOf('SHOP#a')).toMatchObject({ version: 1 })
    expect(await itemOf('PLACE#A')).toMatchObject({ version: 1 })
    expect((await survey()).missing).toEqual({})
  })

  test.each([
    ['without a version', { Type: 'ShopName' }],
    ['without a Type', { version: 1 }],
  ])('a guard %s', async (_, more) => {
    await putRaw(table, shop('a'), { PK: 'SHOP_NAME#a', SK: 'META', shop: 'a', name: 'a', ...more })
    expect((await survey()).missing).toMatchObject({ ShopName: 1 })
    await adopt()
    expect(await itemOf('SHOP_NAME#a')).toMatchObject({ Type: 'ShopName', version: expect.any(Number), shop: 'a' })
    expect((await survey()).missing).toEqual({})
  })

  test.each([
    ['removed', []],
    ['changed', [shop('b', 'other')]],
  ])('a guard of an owner that another program has %s: the next owner has it', async (_, others) => {
    await putRaw(table, shop('a'), ...others, { PK: 'SHOP_NAME#a', SK: 'META', Type: 'ShopName', version: 3, shop: 'b', name: 'a' })
    expect(await survey()).toMatchObject({ missing: { ShopName: 2 + others.length }, problemsCount: 0 })
    await adopt()
    expect(await itemOf('SHOP_NAME#a')).toMatchObject({ shop: 'a' })
    expect(await survey()).toMatchObject({ missing: {}, problemsCount: 0 })
  })

  test.each<[string, readonly object[], Readonly<Record<string, number>>]>([
    ['an added guard and lookup item without their owner', [guard('gone'), mirrored('gone')], { ShopName: 1, ShopOfOwner: 1 }],
    [
      'those of an owner that has another value by now',
      [shop('a', 'now'), guard('a'), mirrored('a')],
      { Shop: 1, ShopName: 2, ShopOfOwner: 1 },
    ],
    [
      'the added item of an edge that another program has removed',
      [shop('a'), place, added],
      { Shop: 1, ShopName: 1, Place: 1, PlaceShop: 1 },
    ],
  ])('a table by removing what is left behind: %s', async (_, items, missing) => {
    await putRaw(table, ...(items as Readonly<Record<string, unknown>>[]))
    expect(await survey()).toMatchObject({ missing, problemsCount: 0 })
    await adopt()
    expect(await survey()).toMatchObject({ missing: {}, problemsCount: 0 })
    for (const { PK, SK, isLeft } of items as readonly { PK: string; SK: string; isLeft?: true }[])
      expect([PK, (await itemOf(PK, SK)) === undefined]).toEqual([PK, isLeft === true])
    expect(await itemOf('SHOP#a', 'PLACE#A')).toBeUndefined()
  })

  test('what an item finds by a lookup item that is missing, too', async () => {
    await putRaw(table, { PK: 'SALE#1', SK: 'META', slug: 's' }, { PK: 'STORE#1', SK: 'META', slug: 's', title: 'one' })
    await adopt()
    expect(await itemOf('SALE#1')).toMatchObject({ version: 2, title: 'one' })
    expect(await survey()).toMatchObject({ missing: {}, problemsCount: 0 })
  })

  test('every item of an edge, and takes all away that lie beside one which is gone', async () => {
    const offer = { PK: 'OFFERS#a', SK: 'PLACE#A' }
    await putRaw(table, shop('a'), place, offer)
    await adopt()
    const others = [
      { PK: 'PLACE_OFFERS#A', SK: 'SHOP#a' },
      { PK: 'OFFERS_BY_PLACE#A', SK: 'OFFER#a' },
    ] as const
    const there = async () => (await Promise.all([offer, ...others].map(({ PK, SK }) => itemOf(PK, SK)))).map((each) => each?.day)
    expect(await there()).toEqual(['any', 'any', 'any'])
    await table.OfferOfDay.update({ shop: 'a', place: 'A' }, { day: 'today' })
    expect(await there()).toEqual(['today', 'today', 'today'])
    for (const [gone, left] of [others, others.toReversed()]) {
      await deleteRaw(table, gone?.PK ?? '', gone?.SK ?? '')
      await deleteRaw(table, offer.PK, offer.SK)
      expect(await survey()).toMatchObject({ missing: { [left?.PK.startsWith('PLACE') ? 'PlaceOffer' : 'OfferOfDay']: 1 } })
      await adopt()
      expect(await there()).toEqual([undefined, undefined, undefined])
      await putRaw(table, { ...offer, day: 'again' })
      await adopt()
      expect(await there()).toEqual(['again', 'again', 'again'])
    }
  })

  test.each([
    ['what another program keeps in it beside stays', 'a', { note: 'new' }, { version: 1, shop: 'a', note: 'new' }],
    ['one that another owner has taken stays with that', 'gone', { shop: 'b' }, { shop: 'b', note: 'old' }],
  ])('a guard as it is by then: %s', async (_, owner, change, after) => {
    const old = { ...guard(owner), version: undefined, note: 'old' }
    await putRaw(table, shop('a', 'x'), old)
    let isChanged = false
    const beside: WatchedSender = new WatchedSender(async (operation) => {
      if (isChanged || operation !== 'TransactWriteItems' || !beside.sent.includes('Scan')) return
      isChanged = true
      await putRaw(table, shop('b', 'x'), { ...old, ...change })
    })
    const other = connect(shops, { table: table.runtime.table, sender: beside, sleep: noWait })
    await other.jobs.start(adoptJob, { subject: 'shops', input: null })
    expect(isChanged).toBe(true)
    expect(await itemOf('SHOP_NAME#x')).toMatchObject(after)
  })

  test('an item that may outlive what it refers to, and tells no problem', async () => {
    await putRaw(table, { PK: 'REPORT#r', SK: 'META', shop: 'gone' })
    expect(await survey()).toMatchObject({ missing: { Report: 1 }, problemsCount: 0 })
    await adopt()
    expect(await itemOf('REPORT#r')).toMatchObject({ Type: 'Report', report: 'r', version: 1 })
    expect(await survey()).toMatchObject({ missing: {}, problemsCount: 0 })
  })
})

describe('adopt tells, before and after, with the key, the reason and a command', () => {
  const removing = (PK: string, SK = 'META') =>
    `aws dynamodb delete-item --table-name ${table.runtime.table} --key '{"PK":{"S":"${PK}"},"SK":{"S":"${SK}"}}'`
  const removed = (PK: string, SK?: string) => ` If nobody needs it, remove it: ${removing(PK, SK)}.`

  test.each<[string, readonly object[], () => { readonly entity: string; readonly code: string; readonly message: string }]>([
    [
      'an item without its target',
      [{ PK: 'SHOP#a', SK: 'PRODUCT#p' }],
      () => ({
        entity: 'Product',
        code: 'MissingEnd',
        message: `The Product at 'SHOP#a' / 'PRODUCT#p' needs the Shop at 'SHOP#a' / 'META', which is absent or being deleted.${removed('SHOP#a', 'PRODUCT#p')}`,
      }),
    ],
    [
      'an edge without an end',
      [shop('a'), { PK: 'SHOP#a', SK: 'PLACE#B' }],
      () => ({
        entity: 'ShopPlace',
        code: 'MissingEnd',
        message: `The ShopPlace at 'SHOP#a' / 'PLACE#B' needs the Place at 'PLACE#B' / 'META', which is absent or being deleted.${removed('SHOP#a', 'PLACE#B')}`,
      }),
    ],
    [
      'two owners of one value',
      [
        shop('a', 'same'),
        { ...shop('b', 'same'), version: 1 },
        { PK: 'SHOP_NAME#same', SK: 'META', Type: 'ShopName', version: 1, shop: 'b' },
      ],
      () => ({
        entity: 'ShopName',
        code: 'AlreadyExists',
        message: `The ShopName at 'SHOP_NAME#same' / 'META' is of another owner, the Shop at 'SHOP#b' / 'META', and the Shop at 'SHOP#a' / 'META' needs it, too. Remove one of the two: ${removing('SHOP#b')} or ${removing('SHOP#a')}.`,
      }),
    ],
    [
      'an item that contradicts itself',
      [{ ...shop('a'), shop: 'b' }],
      () => ({
        entity: 'Shop',
        code: 'MalformedItem',
        message: `The item 'SHOP#a' / 'META' is no Shop: its PK says shop "a", and the attribute beside it says another.${removed('SHOP#a')}`,
      }),
    ],
    [
      'an item that lacks what its design needs',
      [{ PK: 'SHOP#a', SK: 'META' }],
      () => ({
        entity: 'Shop',
        code: 'MalformedItem',
        message: `The item 'SHOP#a' / 'META' is no Shop: name is missing.${removed('SHOP#a')}`,
      }),
    ],
    [
      'an item of no entity',
      [{ PK: 'FOO', SK: "it's" }],
      () => ({
        entity: 'none',
        code: 'MalformedItem',
        message: `The item at 'FOO' / 'it's' is of no entity by its keys. If nobody needs it, remove it: ${removing('FOO', "it'\\''s")}.`,
      }),
    ],
    [
      'a value in a key that is looked for otherwise',
      [{ PK: 'PLACE#b', SK: 'META' }],
      () => ({
        entity: 'Place',
        code: 'InvalidInput',
        message: `The Place at 'PLACE#b' / 'META' has the place "b", which is looked for as "B": create it so.${removed('PLACE#b')}`,
      }),
    ],
  ])('%s', async (_, items, told) => {
    await putRaw(table, ...(items as Readonly<Record<string, unknown>>[]))
    expect((await survey()).problems).toContainEqual(expect.objectContaining(told()))
    await adopt()
    const { problems, problemsCount } = await survey()
    expect(problems).toEqual([expect.objectContaining(told())])
    expect(problemsCount).toBe(1)
  })
})

test('the first hundred problems are told, and all are counted', async () => {
  await putRaw(table, ...Array.from({ length: 101 }, (_, index) => ({ PK: 'FOO', SK: String(index) })))
  expect(await survey()).toMatchObject({ problems: { length: 100 }, problemsCount: 101 })
})
