import { beginsWith, count, design, entity, flag, oneOf, query, stamp, text, uuid } from '@freehold/table'

/** An ordinary entity of a dozen attributes with one index. */
export const Order = entity('Order', {
  attributes: {
    customerId: uuid(),
    orderId: uuid(),
    status: oneOf('open', 'paid', 'sent', 'cancelled'),
    title: text(),
    note: text().optional(),
    currency: text(),
    amount: count(),
    quantity: count(),
    isGift: flag(),
    street: text(),
    city: text(),
    country: text(),
    createdAt: stamp.onCreate(),
    updatedAt: stamp.onWrite(),
  },
  key: ['CUSTOMER#{customerId}', 'ORDER#{orderId}'],
  indexes: { GSI1: ['STATUS#{status}', 'ORDER#{createdAt}#{orderId}'] },
})

export const orders = design({
  name: 'orders',
  table: 'bench_orders',
  entities: { Order },
  patterns: { ordersOfCustomer: query('CUSTOMER#{customerId}', beginsWith('ORDER#')).returns(Order) },
})

const id = (kind: number, index: number) => `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`
export const customer = (index: number): string => id(1, index)

/** What a caller gives to create an order. */
export function newOrder(index: number, customerId = customer(index)) {
  return {
    customerId,
    orderId: id(2, index),
    status: 'open' as const,
    title: 'Forty chairs for the hall',
    note: 'Deliver to the back entrance, between nine and noon',
    currency: 'EUR',
    amount: 184_000 + index,
    quantity: 40,
    isGift: false,
    street: 'Invalidenstrasse 43',
    city: 'Berlin',
    country: 'DE',
  }
}

/** The same order as a hand-written program would store it. */
export function storedOrder(index: number, customerId = customer(index)) {
  const order = newOrder(index, customerId)
  const now = new Date().toISOString()
  return {
    ...order,
    createdAt: now,
    updatedAt: now,
    PK: `CUSTOMER#${customerId}`,
    SK: `ORDER#${order.orderId}`,
    GSI1PK: `STATUS#${order.status}`,
    GSI1SK: `ORDER#${now}#${order.orderId}`,
    Type: 'Order',
    version: 1,
  }
}
