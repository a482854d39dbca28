import { atLeast, connect, count, creating, design, entity, list, query, text, updating } from '@freehold/table'
import { add, addTo, append, attribute, below, ifAbsent, isOneOf, not, or, subtract, textSet } from '@freehold/table/atomic'
import { ensureTable } from '@freehold/table/runtime'

export const Ware = entity('Ware', {
  attributes: {
    shop: text(),
    id: text(),
    stock: count(),
    ordered: count().made(0),
    tags: textSet(),
    log: list(text()).optional(),
    firstBuyer: text().optional(),
  },
  key: ['SHOP#{shop}', 'WARE#{id}'],
})

/** The last number of an invoice, by shop. */
export const InvoiceNumber = entity('InvoiceNumber', {
  attributes: { shop: text(), last: count() },
  key: ['SHOP#{shop}', 'INVOICE_NUMBER'],
  sequence: 'last',
})

export const Invoice = entity('Invoice', {
  attributes: { shop: text(), number: text(), buyer: text() },
  key: ['SHOP#{shop}', 'INVOICE#{number}'],
})

export const shop = design({
  name: 'shop',
  table: 'shop',
  noIndexes: true,
  entities: { Ware, InvoiceNumber, Invoice },
  patterns: { shopWithAll: query('SHOP#{shop}').returns(Ware, InvoiceNumber, Invoice) },
})

/** The code of counting.md, in its order. A test runs it. */
export async function counting(endpoint: string, name: string) {
  const table = connect(shop, { dynamo: { endpoint }, table: name })
  await ensureTable(table.runtime)
  await table.Ware.create({ shop: 'leeds', id: 'lamp', stock: 9, tags: ['new'] })

  const lamp = { shop: 'leeds', id: 'lamp' }
  const sold = await table.Ware.update(
    lamp,
    { stock: subtract(1), tags: addTo('sold'), log: append(['one to Ada']), firstBuyer: ifAbsent('Ada') },
    { where: { stock: atLeast(1) } },
  )

  await table.transact({
    lamp: updating(Ware, lamp, { ordered: add(2) }, { where: { ordered: below(attribute('stock')) } }),
    invoice: creating(Invoice, { shop: 'leeds', number: 'draft', buyer: 'Bob' }),
  })

  const exact = await table.Ware.update(lamp, { stock: subtract(1) }, { exact: true })

  const { items } = await table.shopWithAll({ shop: 'leeds' }, { where: or({ stock: below(10) }, { buyer: not(isOneOf('Ada', 'Bob')) }) })

  const { first, results } = await table.take(InvoiceNumber, { shop: 'leeds' }, (number) => ({
    invoice: creating(Invoice, { shop: 'leeds', number: `${number}`, buyer: 'Cyd' }),
  }))

  table.close()
  return { sold, exact, items, first, results }
}
