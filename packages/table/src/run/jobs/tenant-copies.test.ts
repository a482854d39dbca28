import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rawItem } from '../../../test/depot/raw.ts'
import { directSender, noWait } from '../../../test/depot/table.ts'
import { code, design, entity, mirror, opaqueId, text } from '../../language.ts'
import { connect } from '../connect.ts'
import { ensureTable } from '../ensure-table.ts'

const Firm = entity('Firm', { attributes: { firm: code() }, key: ['FIRM#{firm}', 'META'] })
const Product = entity('Product', {
  attributes: { firm: code(), product: opaqueId(), name: text() },
  key: ['FIRM#{firm}', 'PRODUCT#{product}'],
  refers: { firm: Firm },
})
const Listing = entity('Listing', {
  attributes: { id: opaqueId(), firm: code().optional(), seller: code(), product: opaqueId(), name: text().from('product') },
  key: ['LISTING#{id}', 'META'],
  refers: { product: { to: Product, by: { firm: 'seller' } } },
})
const ListingOf = mirror('ListingOf', Listing, ['LISTINGS#{seller}#{product}', 'LISTING#{id}'], ['firm'])
const market = design({
  name: 'market',
  table: 'market',
  entities: { Firm, Product, Listing, ListingOf },
  patterns: {},
  tenants: { by: 'firm', shared: [Listing, ListingOf] },
})

test('a copy in an item without a tenant follows the change that a tenant makes', async () => {
  const table = connect(market, { table: `market-${randomUUID()}`, sender: directSender(), sleep: noWait })
  await ensureTable(table.runtime)
  await table.Firm.create({ firm: 'A' })
  await table.Product.create({ firm: 'A', product: 'p', name: 'one' })
  await table.Listing.create({ id: 'l', seller: 'A', product: 'p' })
  const changed = await table.forTenant('A').Product.update({ firm: 'A', product: 'p' }, { name: 'two' })
  expect(changed).not.toHaveProperty('pending')
  expect(await rawItem(table, 'LISTING#l', 'META')).toMatchObject({ name: 'two' })
  expect(await table.jobs.list()).toEqual([])
})
