import { numberSet, textSet } from '../../src/atomic.ts'
import { count, design, edge, entity, instant, list, map, mirror, number, query, stamp, text, unique } from '../../src/language.ts'

// A design of things that are counted: every kind of attribute that an atomic change knows, and everything that forbids one.

export const Shop = entity('Shop', { attributes: { shop: text(), name: text() }, key: ['SHOP#{shop}', 'META'] })

export const Ware = entity('Ware', {
  attributes: {
    shop: text(),
    id: text(),
    name: text(),
    code: text().optional(),
    shelf: text().optional(),
    stock: count().made(0),
    sold: number({ integer: true, max: 1000 }).optional(),
    price: number().optional(),
    tags: textSet(),
    sizes: numberSet().optional(),
    log: list(text(), { max: 6 }).optional(),
    first: text().optional(),
    counters: map().optional(),
    pin: text().optional().secret(),
    changedAt: stamp.onWrite(),
    label: text().optional(),
  },
  key: ['SHOP#{shop}', 'WARE#{id}'],
  indexes: { GSI1: ['SHELF#{shelf}', 'WARE#{id}'] },
  refers: { shop: Shop },
})
export const WareCode = unique('WareCode', Ware, ['CODE#{code}', 'META'])
export const WareEntry = mirror('WareEntry', Ware, ['WARES', '{shop}#{id}'], ['name'])

export const Cart = entity('Cart', {
  attributes: { shop: text(), id: text(), until: instant(), wares: count() },
  key: ['SHOP#{shop}', 'CART#{id}'],
  expires: 'until',
})

export const OrderNumber = entity('OrderNumber', {
  attributes: { shop: text(), last: count() },
  key: ['SHOP#{shop}', 'ORDER_NUMBER'],
  refers: { shop: Shop },
  sequence: 'last',
})
export const Order = entity('Order', {
  attributes: { shop: text(), number: text(), buyer: text() },
  key: ['SHOP#{shop}', 'ORDER#{number}'],
  refers: { shop: Shop },
})

export const { FanOfShop, ShopOfFan } = edge({
  ends: { shop: Shop },
  attributes: { fan: text(), visits: count().made(0), note: text().optional() },
  items: { FanOfShop: ['SHOP#{shop}', 'FAN#{fan}'], ShopOfFan: ['FAN#{fan}', 'SHOP#{shop}'] },
  copies: { ShopOfFan: { shopName: 'shop.name' } },
})

export const shop = design({
  name: 'shop',
  table: 'shop',
  entities: { Shop, Ware, WareCode, WareEntry, Cart, OrderNumber, Order, FanOfShop, ShopOfFan },
  patterns: {
    wares: query('SHOP#{shop}').returns(Shop, Ware, Cart, OrderNumber, Order, FanOfShop),
  },
  tenants: { by: 'shop' },
})
