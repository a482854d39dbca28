import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openEngine } from '@freehold/engine'
import { openModule } from '@freehold/frame'
import { prove } from '@freehold/table/prove'
import { ensureTable } from '@freehold/table/runtime'
import { shopModule } from './shop.ts'

test('the owner of a shop adds products, and a clerk does not', async () => {
  assert.deepEqual(prove(shopModule.design).findings, [])

  const engine = await openEngine({ memory: true })
  const { table, decide, flows, close } = openModule(shopModule, { engine })
  try {
    await ensureTable(table.runtime)
    const { shopId } = await table.Shop.create({ name: 'Harbour' })
    const { personId: ada } = await table.Person.create({ name: 'Ada' })
    const { personId: bob } = await table.Person.create({ name: 'Bob' })
    await table.Post.create({ personId: ada, shopId, role: 'owner' })
    await table.Post.create({ personId: bob, shopId, role: 'clerk' })
    const as = (user_id: string) => flows({ actor: { kind: 'user', user_id } })

    assert.equal((await decide.can({ person: bob, shop: shopId, action: 'sell' })).allowed, true)
    assert.equal((await decide.can({ person: bob, shop: shopId, action: 'price' })).reason?.code, 'NoPost')

    const tea = { shopId, name: 'Tea', price_cents: 450 }
    await assert.rejects(as(bob).addProduct(tea), { code: 'Denied' })
    const { productId } = await as(ada).addProduct(tea)
    const { items } = await table.productsOfShop({ shopId })
    assert.deepEqual(
      items.map((each) => each.productId),
      [productId],
    )
  } finally {
    close()
    await engine.close()
  }
})
