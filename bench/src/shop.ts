import type * as Language from '@freehold/table'
import { newOrder } from './orders.js'

/**
 * A design of the bench's own, written in the language of any build of the runtime: the designs that are published with a build may change
 * between two commits, and this one does not.
 */
export function shopOf({
  beginsWith,
  count,
  design,
  entity,
  flag,
  instant,
  mirror,
  oneOf,
  query,
  stamp,
  text,
  unique,
  uuid,
}: typeof Language) {
  const attributes = {
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
  }
  /** Lone: no guard, no mirror, no index, and nothing hangs on it. */
  const Draft = entity('Draft', {
    attributes: { customerId: uuid(), orderId: uuid(), ...attributes },
    key: ['DRAFTS#{customerId}', 'ORDER#{orderId}'],
  })
  /** The same in an index. */
  const Order = entity('Order', {
    attributes: { customerId: uuid(), orderId: uuid(), ...attributes },
    key: ['CUSTOMER#{customerId}', 'ORDER#{orderId}'],
    indexes: { GSI1: ['STATUS#{status}', 'ORDER#{createdAt}#{orderId}'] },
  })
  const Article = entity('Article', {
    attributes: { articleId: uuid(), sku: text(), ean: text(), name: text(), price: count(), createdAt: stamp.onCreate() },
    key: ['ARTICLE#{articleId}', 'META'],
  })
  const ArticleSku = unique('ArticleSku', Article, ['SKU#{sku}', 'SKU#{sku}'])
  const ArticleEan = unique('ArticleEan', Article, ['EAN#{ean}', 'EAN#{ean}'])
  const ArticleEntry = mirror('ArticleEntry', Article, ['DIRECTORY#ARTICLE', 'ARTICLE#{articleId}'], ['name'])
  const Event = entity('Event', {
    attributes: { eventId: uuid(), customerId: uuid(), at: instant().made(), action: text(), subject: text(), address: text() },
    key: ['EVENTS#{customerId}', 'EVENT#{at}#{eventId}'],
    appendOnly: true,
  })
  return design({
    name: 'shop',
    table: 'bench_shop',
    entities: { Draft, Order, Article, ArticleSku, ArticleEan, ArticleEntry, Event },
    patterns: { ordersOfCustomer: query('CUSTOMER#{customerId}', beginsWith('ORDER#')).returns(Order) },
  })
}

/** What names an order or a draft. */
export function orderId(index: number) {
  const { customerId, orderId } = newOrder(index)
  return { customerId, orderId }
}

const id = (kind: number, index: number) => `${String(kind).padStart(8, '0')}-0000-4000-8000-${String(index).padStart(12, '0')}`

export function newArticle(index: number) {
  const number = String(index).padStart(9, '0')
  return { articleId: id(3, index), sku: `CHAIR-${number}`, ean: `4006${number}`, name: `Chair ${number}`, price: 4900 }
}

/** As much as an audit says of a change. */
export function newEvent(index: number) {
  const { customerId } = newOrder(index)
  return { eventId: id(4, index), customerId, action: 'order.paid', subject: newOrder(index).orderId, address: '203.0.113.17' }
}
