import { setTimeout } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { codeOf, refusal } from '../../test/depot/refused.ts'
import { ConflictingSender, LosingSender, WatchedSender } from '../../test/depot/senders.ts'
import { Order, OrderNumber, Ware } from '../../test/shop/design.ts'
import { ownShop, type ShopTable, shopOf, ware } from '../../test/shop/table.ts'
import { subtract } from '../atomic.ts'
import type { Sender } from '../dynamo/sender.ts'
import { atLeast, creating, updating } from '../index.ts'

let table: ShopTable
beforeEach(async () => {
  table = await ownShop()
})

const shop = { shop: 's' }
const order = (of: ShopTable, buyer: string) =>
  of.take(OrderNumber, shop, (first) => ({ order: creating(Order, { ...shop, number: `${first}`, buyer }) }))
const over = (sender: Sender) => shopOf(table.runtime.table, { sender })

async function numbers(): Promise<number[]> {
  const found: number[] = []
  for await (const item of table.wares.all(shop, { consistent: true })) if (item.Type === 'Order') found.push(Number(item.number))
  return found.sort((a, b) => a - b)
}

test('numbers follow each other from 1, and are told with the results', async () => {
  expect(await order(table, 'a')).toMatchObject({ first: 1, results: { order: { number: '1', buyer: 'a' } } })
  const three = await table.take(OrderNumber, shop, (first) => ({ order: creating(Order, { ...shop, number: `${first}`, buyer: 'b' }) }), {
    count: 3,
  })
  expect(three.first).toBe(2)
  expect((await order(table, 'c')).first).toBe(5)
  expect(Object.keys(three.results)).toEqual(['order'])
})

test('a number that is not used is not taken', async () => {
  const failing = () =>
    table.take(OrderNumber, shop, (first) => ({
      order: creating(Order, { ...shop, number: `${first}`, buyer: 'x' }),
      ware: updating(Ware, ware, { stock: subtract(6) }, { where: { stock: atLeast(6) } }),
    }))
  await order(table, 'a')
  expect((await refusal(failing())).details.failures).toMatchObject({ ware: { code: 'CheckFailed' } })
  expect((await order(table, 'b')).first).toBe(2)
})

test('several processes at once leave no gap and take none twice, with conflicts as at AWS', async () => {
  const conflicting = new ConflictingSender()
  // A process knows the turns of its own sender only.
  const processes = [1, 2, 3].map(() => {
    const sender: Sender = { send: (operation, input) => conflicting.send(operation, input), close: () => {} }
    // Their pauses are real, since processes without any would meet each other for as long as one may try.
    return shopOf(table.runtime.table, { sender, sleep: (ms) => setTimeout(ms) })
  })
  await Promise.all(Array.from({ length: 30 }, (_, index) => order(processes[index % 3] ?? table, `${index}`)))
  expect(await numbers()).toEqual(Array.from({ length: 30 }, (_, index) => index + 1))
})

test('calls of one process go in order, and only the first reads the counter', async () => {
  const sender = new WatchedSender()
  const one = over(sender)
  const taken = await Promise.all(Array.from({ length: 10 }, (_, index) => order(one, `${index}`)))
  expect(taken.map(({ first }) => first)).toEqual(Array.from({ length: 10 }, (_, index) => index + 1))
  expect(sender.sent.filter((operation) => operation === 'GetItem')).toHaveLength(1)
  expect(sender.sent).toHaveLength(11)
})

test.each([0, 1])('a lost answer repeats no number and leaves no gap (write %s)', async (skipped) => {
  const losing = over(new LosingSender(skipped, 'after'))
  for (const buyer of ['a', 'b', 'c']) await order(losing, buyer)
  expect(await numbers()).toEqual([1, 2, 3])
})

test('only taking numbers changes a sequence', async () => {
  await order(table, 'a')
  expect(await codeOf(table.OrderNumber.update(shop, { last: 7 }))).toBe('Immutable')
  expect(await codeOf(table.OrderNumber.remove(shop))).toBe('Immutable')
  expect(await codeOf(table.take(Ware, ware, () => ({})))).toBe('InvalidInput')
  await table.Shop.remove(shop)
  expect(await table.OrderNumber.get(shop)).toBeUndefined()
})
