import { beforeEach, describe, expect, test } from 'vitest'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { ConflictingSender, HoldingSender, LosingSender, WatchedSender } from '../../test/depot/senders.ts'
import { directSender } from '../../test/depot/table.ts'
import { Cart, Shop, Ware } from '../../test/shop/design.ts'
import { ownShop, type ShopTable, shopOf, ware } from '../../test/shop/table.ts'
import {
  above,
  add,
  addTo,
  append,
  attribute,
  below,
  contains,
  entry,
  exists,
  ifAbsent,
  isOneOf,
  not,
  or,
  removeFrom,
  subtract,
} from '../atomic.ts'
import { toItem } from '../dynamo/attribute-value.ts'
import { atLeast, atMost, beginsWith, between, checking, creating, equals, updating } from '../index.ts'

let table: ShopTable
beforeEach(async () => {
  table = await ownShop()
})

/** As a program writes that no type stops. */
const untyped = (change: object, how: object = {}): Promise<unknown> => table.Ware.update(ware, change as never, how)
const read = () => table.Ware.get(ware, { consistent: true })
const over = (sender: ConstructorParameters<typeof Object>[0], options = {}) =>
  shopOf(table.runtime.table, { sender: sender as never, ...options })

describe('an atomic change', () => {
  test('is one request without a read, which returns the new item', async () => {
    const sender = new WatchedSender()
    const changed = await over(sender).Ware.update(
      ware,
      {
        stock: subtract(2),
        sold: add(2),
        tags: addTo('c', 'a'),
        sizes: addTo(4, 3),
        log: append(['sold']),
        first: ifAbsent('now'),
        label: 'x',
      },
      { where: { stock: atLeast(2), tags: contains('b') } },
    )
    expect(sender.sent).toEqual(['UpdateItem'])
    expect(changed).toMatchObject({
      version: 2,
      stock: 3,
      sold: 2,
      tags: ['a', 'b', 'c'],
      sizes: [3, 4],
      log: ['sold'],
      first: 'now',
      label: 'x',
    })
    expect(await read()).toEqual(changed)
    expect(changed).not.toHaveProperty('writeId')
    const again = await table.Ware.update(ware, { first: ifAbsent('later'), tags: removeFrom('a', 'b', 'c'), label: null, stock: add(1) })
    expect(again).toMatchObject({ version: 3, stock: 4, tags: [], first: 'now' })
    expect(again).not.toHaveProperty('label')
    expect(again.changedAt >= changed.changedAt).toBe(true)
  })

  test.each([false, true])('that makes an item too large is refused as such, exact: %s', async (exact) => {
    await table.Ware.update(ware, { log: ['x'.repeat(300_000)] })
    const error = await refusal(table.Ware.update(ware, { log: append(['y'.repeat(120_000)]) }, { exact }))
    expect(error).toMatchObject({ code: 'TooLarge', details: { entity: 'Ware' } })
    expect(error.details).not.toHaveProperty('uncertain')
    const step = updating(Ware, ware, { log: append(['y'.repeat(120_000)]) })
    expect(await refusal(table.transact({ step }))).toMatchObject({ code: 'TooLarge', details: { entity: 'Ware' } })
    expect((await read())?.log).toHaveLength(1)
  })

  test('of an entry of a map needs the entry', async () => {
    await table.Ware.update(ware, { counters: { 'a.b': 3, text: 'x' } })
    const use = { counters: entry('a.b', subtract(2)) }
    const enough = { where: { counters: entry('a.b', atLeast(2)) } }
    expect(await table.Ware.update(ware, use, enough)).toMatchObject({ counters: { 'a.b': 1, text: 'x' } })
    expect(await codeOf(table.Ware.update(ware, use, enough))).toBe('CheckFailed')
    expect(await codeOf(table.Ware.update(ware, { counters: entry('none', add(1)) }))).toBe('CheckFailed')
    expect(await codeOf(table.Ware.update(ware, { counters: entry('text', add(1)) }))).toBe('CheckFailed')
  })

  test('is refused with the item that does not satisfy it, and no other request', async () => {
    const sender = new WatchedSender()
    const failed = await refusal(over(sender).Ware.update(ware, { stock: subtract(1) }, { where: { name: 'Other' } }))
    expect(failed).toMatchObject({ code: 'CheckFailed', category: 'conflict', details: { item: { stock: 5, name: 'Ware' } } })
    expect(sender.sent).toEqual(['UpdateItem'])
    expect(failed.details.uncertain).toBeUndefined()
    expect((await read())?.version).toBe(1)
  })

  test.each([
    ['less than its kind allows', { stock: subtract(6) }],
    ['more than its kind allows', { sold: add(1001) }],
    ['of an absent number below what its kind allows', { sold: subtract(Number.MAX_SAFE_INTEGER) }, 'done'],
    ['a longer list than its kind allows', { log: append(['2', '3', '4', '5', '6', '7']) }],
  ])('leaves no value that is %s', async (_what, change, done?: string) => {
    await table.Ware.update(ware, { log: ['1'] })
    expect(
      await table.Ware.update(ware, change).then(
        () => 'done',
        ({ code }) => code,
      ),
    ).toBe(done ?? 'CheckFailed')
  })

  test('never makes a number that is not exact', async () => {
    await table.Ware.update(ware, { stock: add(Number.MAX_SAFE_INTEGER - 5) })
    expect(await codeOf(table.Ware.update(ware, { stock: add(1) }))).toBe('CheckFailed')
    expect((await read())?.stock).toBe(Number.MAX_SAFE_INTEGER)
  })

  test('creates nothing, and changes nothing that is gone, going or expired', async () => {
    expect(await codeOf(table.Ware.update({ shop: 's', id: 'none' }, { stock: add(1) }))).toBe('NotFound')
    expect(await table.Ware.get({ shop: 's', id: 'none' })).toBeUndefined()
    let now = new Date('2026-01-01T00:00:00Z')
    const timed = over(directSender(), { now: () => now })
    await timed.Cart.create({ shop: 's', id: 'c', until: '2026-01-02T00:00:00Z', wares: 0 })
    await timed.Cart.update({ shop: 's', id: 'c' }, { wares: add(1) })
    now = new Date('2026-01-02T00:00:00Z')
    expect(await codeOf(timed.Cart.update({ shop: 's', id: 'c' }, { wares: add(1) }))).toBe('NotFound')
    await directSender().send('UpdateItem', {
      TableName: table.runtime.table,
      Key: toItem({ PK: 'SHOP#s', SK: 'WARE#w' }),
      UpdateExpression: 'SET deleting = :job',
      ExpressionAttributeValues: toItem({ ':job': 'J' }),
    })
    expect(await codeOf(table.Ware.update(ware, { stock: add(1) }))).toBe('BeingDeleted')
  })

  test('of a version loses to any other writer', async () => {
    await table.Ware.update(ware, { stock: add(1) }, { version: 1 })
    expect(await refusal(table.Ware.update(ware, { stock: add(1) }, { version: 1 }))).toMatchObject({
      code: 'VersionConflict',
      details: { version: 2 },
    })
  })

  test('of a tenant is of its own items', async () => {
    await table.Shop.create({ shop: 't', name: 'Other' })
    const other = shopOf(table.runtime.table, { tenant: 't' })
    expect(await codeOf(other.Ware.update(ware, { stock: add(1) }))).toBe('NotFound')
    expect(await codeOf(other.transact({ ware: updating(Ware, ware, { stock: add(1) }) }))).toBe('TransactionFailed')
    expect(await shopOf(table.runtime.table, { tenant: 's' }).Ware.update(ware, { stock: add(1) })).toMatchObject({ stock: 6 })
  })

  test.each([
    ['an attribute of the key', { id: ifAbsent('x') }, 'is part of the key: use move'],
    ['an attribute of an index key', { shelf: ifAbsent('x') }, 'is part of the key in GSI1: give it a value in an update of its own'],
    [
      'a value of an index key, beside',
      { shelf: 'x', stock: add(1) },
      'is part of the key in GSI1: give it a value in an update of its own',
    ],
    ['what a guard needs', { code: ifAbsent('x') }, 'is in the guard WareCode: give it a value in an update of its own'],
    ['what a lookup item has', { name: 'x', stock: add(1) }, 'is in the mirror WareEntry: give it a value in an update of its own'],
    ['fractions', { price: add(1) }, 'does not take .add., .* fractions, whose sums are not exact'],
    ['an amount that is none', { stock: add(0.5) }, 'an amount that is not a whole number'],
    ['an amount of text', { stock: add('1' as never) }, 'an amount that is not a whole number'],
    ['members of another kind', { tags: addTo(1) }, 'is not text'],
    ['a member that is not exact', { sizes: addTo(2 ** 53) }, 'beyond 2.53'],
    ['no members', { tags: addTo() }, 'is changed by no members'],
    ['text appended to a set', { tags: append(['x']) }, 'does not take .append.'],
    ['an item that is always there', { stock: ifAbsent(1) }, 'is never absent'],
    ['a stamp', { changedAt: ifAbsent('x') }, ''],
    ['an unknown attribute', { none: add(1) }, 'is not an attribute of Ware'],
    ['a comparison', { stock: atLeast(1) }, ''],
  ])('of %s is refused by a sentence', async (_what, change, sentence) => {
    const error = await refusal(untyped(change))
    expect(error.code).toBe('InvalidInput')
    expect(error.message).toMatch(new RegExp(sentence))
    expect((await read())?.version).toBe(1)
  })

  test('of what is copied elsewhere, or of a shop that names the tenant, is refused', async () => {
    const change = table.Shop.update as unknown as (id: object, change: object) => Promise<unknown>
    expect((await refusal(change({ shop: 's' }, { name: ifAbsent('x') }))).message).toMatch('is never absent')
    expect(await codeOf(table.repositoryNamed('Ware').move(ware, { stock: add(1) }))).toBe('InvalidInput')
  })

  test('of an edge changes each of its items', async () => {
    await table.FanOfShop.create({ shop: 's', fan: 'f' })
    expect(await table.ShopOfFan.update({ shop: 's', fan: 'f' }, { visits: add(2), note: ifAbsent('n') })).toMatchObject({ visits: 2 })
    expect(await table.FanOfShop.get({ shop: 's', fan: 'f' })).toMatchObject({ visits: 2, note: 'n', version: 2 })
    expect(await table.ShopOfFan.get({ shop: 's', fan: 'f' })).toMatchObject({ visits: 2, note: 'n', version: 2, shopName: 'Shop' })
  })

  test('of an item that another program damaged says so', async () => {
    await directSender().send('UpdateItem', {
      TableName: table.runtime.table,
      Key: toItem({ PK: 'SHOP#s', SK: 'WARE#w' }),
      UpdateExpression: 'SET tags = :text, stock = :text',
      ExpressionAttributeValues: toItem({ ':text': 'no set' }),
    })
    expect(await codeOf(table.Ware.update(ware, { stock: add(1) }))).toBe('MalformedItem')
    expect(await codeOf(table.Ware.update(ware, { tags: addTo('x') }))).toBe('MalformedItem')
    expect(await refusal(table.Ware.update(ware, { sold: add(1) }))).toMatchObject({ code: 'MalformedItem', details: { uncertain: true } })
  })
})

describe('an atomic change whose answer is lost', () => {
  const change = { stock: subtract(1) }

  test('is not sent again: its stamp shows that it was applied', async () => {
    const sender = new LosingSender(0, 'after')
    expect(await over(sender).Ware.update(ware, change)).toMatchObject({ stock: 4, version: 2 })
    expect((await read())?.stock).toBe(4)
  })

  test('is uncertain if the stamp of another is there, and if it never arrived', async () => {
    const late = new HoldingSender()
    const lost = await refusal(over(late).Ware.update(ware, change))
    expect(lost).toMatchObject({ code: 'Unavailable', details: { uncertain: true } })
    await late.deliver()
    expect((await read())?.stock).toBe(4)
    expect((await refusal(over(new LosingSender(0, 'before')).Ware.update(ware, change))).details.uncertain).toBe(true)
    expect((await read())?.stock).toBe(4)
  })

  const losses = ['before', 'after', 'after, and the token is forgotten'] as const

  test.each(losses)('%s is applied once if it is exact', async (loss) => {
    expect(await over(new LosingSender(0, loss)).Ware.update(ware, change, { exact: true })).toMatchObject({ stock: 4 })
    expect((await read())?.stock).toBe(4)
  })

  test.each(losses)('%s is applied once as a step', async (loss) => {
    const steps = { ware: updating(Ware, ware, change), shop: updating(Shop, { shop: 's' }, { name: 'New' }) }
    expect(await over(new LosingSender(0, loss)).transact(steps)).toEqual({
      ware: undefined,
      shop: expect.objectContaining({ name: 'New' }),
    })
    expect((await read())?.stock).toBe(4)
  })

  test('goes as a transaction through a client that may send it several times', async () => {
    const sender = new WatchedSender()
    expect(await over(Object.assign(sender, { mayResend: true })).Ware.update(ware, change)).toMatchObject({ stock: 4 })
    expect(sender.sent).toEqual(['TransactWriteItems', 'GetItem'])
  })
})

describe('atomic steps', () => {
  test('are applied with the others, or not at all', async () => {
    const steps = (id: string) => ({
      ware: updating(Ware, ware, { stock: subtract(3) }, { where: { stock: atLeast(3) } }),
      cart: creating(Cart, { shop: 's', id, until: '2099-01-01T00:00:00Z', wares: 3 }),
    })
    await table.transact(steps('1'))
    const failed = await refusal(table.transact(steps('2')))
    expect(failed.details.failures).toMatchObject({ ware: { code: 'CheckFailed', details: { item: { stock: 2 } } } })
    expect(await table.Cart.get({ shop: 's', id: '2' })).toBeUndefined()
  })

  test('of one item meet each other at AWS, and none is lost or done twice', async () => {
    const conflicting = over(new ConflictingSender())
    const buy = (id: number) =>
      conflicting.transact({
        ware: updating(Ware, ware, { stock: subtract(1) }, { where: { stock: above(0) } }),
        cart: creating(Cart, { shop: 's', id: `${id}`, until: '2099-01-01T00:00:00Z', wares: 1 }),
      })
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, id) =>
        buy(id).then(
          () => 'bought',
          ({ details }) => details.failures.ware.code,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'bought')).toHaveLength(5)
    expect(outcomes.filter((outcome) => outcome === 'CheckFailed')).toHaveLength(15)
    expect((await read())?.stock).toBe(0)
  })
})

describe('where', () => {
  const asked = async (where: object) =>
    table.transact({ ware: checking(Ware, ware, { where: where as never }) }).then(
      () => true,
      ({ details }) => (details.failures.ware.code === 'CheckFailed' ? false : details.failures.ware.message),
    )

  test.each([
    [{ stock: 5, name: 'Ware', label: null }, true],
    [{ stock: below(5) }, false],
    [{ stock: between(5, 9), name: beginsWith('Wa') }, true],
    [{ name: beginsWith('wa') }, false],
    [{ name: contains('ar'), tags: contains('a') }, true],
    [{ tags: contains('x') }, false],
    [{ label: exists() }, false],
    [{ label: not(exists()), first: not('x') }, true],
    [or({ stock: 1 }, { name: 'Ware', stock: atMost(5) }), true],
    [not(or({ stock: 1 }, { name: 'Ware' })), false],
    [{ stock: or(1, 5) }, true],
    [{ tags: ['b', 'a', 'b'] }, true],
    [{ sizes: [] }, true],
    [{ counters: entry('x', 1) }, false],
    [{ first: equals(attribute('label')) }, false],
    [{ stock: undefined }, true],
  ])('%j is asked of an item', async (where, answer) => {
    expect(await asked(where)).toBe(answer)
    const outcome = async (work: Promise<unknown>) =>
      work.then(
        () => true,
        ({ code }) => (code === 'CheckFailed' ? false : code),
      )
    expect(await outcome(table.Ware.update(ware, { label: 'y' }, { where: { label: null, ...where } as never }))).toBe(
      'operator' in where ? 'InvalidInput' : answer,
    )
    await table.Ware.update(ware, { label: null })
    expect(await outcome(table.Ware.remove(ware, { where: where as never }))).toBe(answer)
  })

  test.each([
    [{ stock: atLeast('5') }],
    [{ none: 1 }],
    [{ stock: between(9, 5) }],
    [{ tags: atLeast('a') }],
    [{ name: { operator: '>=', operands: ['x'] } }],
    [{ stock: subtract(1) }],
    [or()],
    [{ stock: below(attribute('stock')) }],
    [or(...Array.from({ length: 101 }, (_, stock) => ({ stock })))],
    [or(...Array.from({ length: 6 }, (_, from) => ({ stock: isOneOf(...Array.from({ length: 100 }, (_, each) => from * 100 + each)) })))],
    [{ counters: { attribute: 'stock' }, pin: atLeast({}) }],
    [{ constructor: 'x' }],
    [{ toString: atLeast(1) }],
    [JSON.parse('{"__proto__": 1}')],
    [{ stock: below(attribute('constructor')) }],
    [{ counters: { x: 1e126 } }],
    [{ counters: entry('x', 1e126) }],
    [{ counters: entry('x', '\ud800') }],
    [{ stock: isOneOf() }],
    [{ stock: isOneOf(...Array.from({ length: 101 }, (_, each) => each)) }],
    [{ name: beginsWith('') }],
    [{ stock: beginsWith('5') }],
    [{ name: contains('') }],
    [{ stock: contains(5) }],
    [{ counters: entry('x', contains('y')) }],
    [{ counters: entry('x', above(true)) }],
    [{ counters: entry('x', above(attribute('stock'))) }],
    [{ counters: entry('', 1) }],
    [{ name: entry('x', 1) }],
    [{ name: above(attribute('stock')) }],
    [{ stock: or() }],
    [Array.from({ length: 60 }).reduce<object>((where) => not(where), { stock: 1 })],
    [{ stock: Array.from({ length: 60 }).reduce<object>((test) => not(test), above(1)) }],
    [atLeast({ stock: 1 })],
  ])('%j is refused', async (where) => {
    expect(await asked(where)).toMatch(/^Ware: /)
    expect((await refusal(table.wares({ shop: 's' }, { where: where as never }))).message).toMatch(/^wares: /)
  })

  test('a map equals itself once it is stored, whether the item is read first or not', async () => {
    const counters = Object.assign(Object.create(null), { x: -0, y: { z: [-0] } })
    const written = await table.Ware.update(ware, { counters })
    expect(written.counters).toStrictEqual({ x: 0, y: { z: [0] } })
    for (const where of [{ counters }, { counters: entry('x', -0) }, { counters: entry('y', { z: [-0] }) }]) {
      expect((await table.Ware.update(ware, { name: 'read first' }, { where })).name).toBe('read first')
      expect((await table.Ware.update(ware, { stock: add(1) }, { where })).name).toBe('read first')
      expect((await table.wares({ shop: 's' }, { where })).items).toHaveLength(1)
    }
  })
})

describe('a filter of a list', () => {
  test('leaves out what does not satisfy it, and fills its pages', async () => {
    for (let index = 0; index < 30; index++)
      await table.Ware.create({ shop: 's', id: `x${index}`, name: `n${index % 3}`, stock: index, tags: [] })
    const where = { name: isOneOf('n0', 'n1'), stock: atLeast(10) }
    const first = await table.wares({ shop: 's' }, { where, limit: 8 })
    expect(first.items).toHaveLength(8)
    const second = await table.wares({ shop: 's' }, { where, limit: 8, cursor: first.cursor })
    const stocks = [...first.items, ...second.items].map((item) => (item.Type === 'Ware' ? item.stock : -1))
    expect(stocks.sort((a, b) => a - b)).toEqual([10, 12, 13, 15, 16, 18, 19, 21, 22, 24, 25, 27, 28])
    expect(second.cursor).toBeUndefined()
    const other = { where: { ...where, stock: atLeast(11) }, limit: 8, cursor: first.cursor }
    expect(await codeOf(table.wares({ shop: 's' }, other))).toBe('InvalidCursor')
    const all: unknown[] = []
    for await (const item of table.wares.all({ shop: 's' }, { where: { name: 'n2' } })) all.push(item)
    expect(all).toHaveLength(10)
  })

  test('asks for no secret that is not named', async () => {
    await table.Ware.update(ware, { pin: 'p1' })
    const where = { pin: beginsWith('p') }
    expect((await refusal(table.wares({ shop: 's' }, { where }))).message).toMatch('secret')
    expect((await table.wares({ shop: 's' }, { where, secrets: ['pin'] })).items).toHaveLength(1)
  })
})
