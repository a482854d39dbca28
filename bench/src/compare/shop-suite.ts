import { newOrder } from '../orders.js'
import { newArticle, newEvent, orderId, shopOf } from '../shop.js'
import { created, numbers, type Suite, turn } from './operation.js'

const operations = [
  'get',
  'getMany of 25',
  'query of 25',
  'create, lone',
  'create, in an index',
  'create with 2 guards',
  'create, append-only',
  'update, lone',
  'update of an index key',
  'remove of a leaf',
  'transaction of 4',
] as const

const customers = 100
/** The first order of customer `n` is order `n`. */
const ordersOfEach = 25
/** Updates take turns on these, which are far more than are under way at once. */
const updated = 512
/** Where the indexes of each kind of write begin, so that none meets another. */
const from = { updated: 1_000_000, created: 2_000_000, removed: 4_000_000, transacted: 6_000_000 }
const statuses = ['open', 'paid'] as const

const ordersOf = (customer: number) =>
  numbers(ordersOfEach).map((nth) => {
    const { customerId } = orderId(customer)
    return { ...newOrder(customer), customerId, orderId: orderId(nth === 0 ? customer : 100_000 + customer * 100 + nth).orderId }
  })

/** The runtime, over a design of the bench's own. */
export const shopSuite: Suite<(typeof operations)[number]> = {
  name: 'table',
  operations,
  open: async ({ table: language }, { endpoint, table: name }) => {
    const { connect, creating, ensureTable } = language
    const shop = shopOf(language)
    const table = connect(shop, { dynamo: { endpoint }, table: name })
    await ensureTable(table.runtime)
    for (const customer of numbers(customers)) await created(table.Order.createMany(ordersOf(customer)))
    const idsOfCustomers = numbers(customers).map((customer) =>
      ordersOf(customer).map(({ customerId, orderId }) => ({ customerId, orderId })),
    )
    const changing = numbers(updated, from.updated)
    await created(table.Order.createMany(changing.map((index) => newOrder(index))))
    await created(table.Draft.createMany(changing.map((index) => newOrder(index))))
    const ordering = (index: number) => creating(shop.entities.Order, newOrder(from.transacted + index))
    return {
      get: { run: (index) => table.Order.get(orderId(index % customers)) },
      'getMany of 25': { run: (index) => table.Order.getMany(turn(idsOfCustomers, index)) },
      'query of 25': {
        run: (index) => table.ordersOfCustomer({ customerId: orderId(index % customers).customerId }, { limit: ordersOfEach }),
      },
      'create, lone': { run: (index) => table.Draft.create(newOrder(from.created + index)) },
      'create, in an index': { run: (index) => table.Order.create(newOrder(from.created + index)) },
      'create with 2 guards': { run: (index) => table.Article.create(newArticle(index)) },
      'create, append-only': { run: (index) => table.Event.create(newEvent(index)) },
      'update, lone': {
        run: (index) => table.Draft.update(orderId(turn(changing, index)), { note: `Note ${String(index).padStart(9, '0')}` }),
      },
      'update of an index key': {
        run: (index) => table.Order.update(orderId(turn(changing, index)), { status: turn(statuses, Math.floor(index / updated) + 1) }),
      },
      'remove of a leaf': {
        prepare: (first, count) => created(table.Draft.createMany(numbers(count, from.removed + first).map((index) => newOrder(index)))),
        run: (index) => table.Draft.remove(orderId(from.removed + index)),
      },
      'transaction of 4': {
        run: (index) => {
          const first = 4 * index
          return table.transact({ a: ordering(first), b: ordering(first + 1), c: ordering(first + 2), d: ordering(first + 3) })
        },
      },
    }
  },
}
