import type { DesignModule } from '@freehold/frame'
import { accessOf, through } from '@freehold/frame/access'
import { type ActingUser, type FlowContext, type FlowHost, flowsFor, liveItem, offerFlows } from '@freehold/frame/flow'
import { beginsWith, count, design, edge, entity, get, oneOf, query, stamp, type Table, text, ulid } from '@freehold/table'

// ── The design: what lies in the table, and how it is read ──

const stamps = { createdAt: stamp.onCreate(), updatedAt: stamp.onWrite() }

export const Person = entity('Person', {
  attributes: { personId: ulid().made(), name: text(), status: oneOf('active', 'blocked').made('active'), ...stamps },
  key: ['PERSON#{personId}', 'META'],
})

export const Shop = entity('Shop', { attributes: { shopId: ulid().made(), name: text(), ...stamps }, key: ['SHOP#{shopId}', 'META'] })

/** What a person is at a shop. It lies twice, so that it is found from both ends. */
export const { Post, ShopPost } = edge({
  ends: { personId: Person, shopId: Shop },
  attributes: { role: oneOf('owner', 'clerk'), ...stamps },
  items: { Post: ['PERSON#{personId}', 'POST#{shopId}'], ShopPost: ['SHOP#{shopId}', 'POST#{personId}'] },
})

export const Product = entity('Product', {
  attributes: { shopId: ulid(), productId: ulid().made(), name: text(), price_cents: count(), ...stamps },
  key: ['SHOP#{shopId}', 'PRODUCT#{productId}'],
  refers: { shopId: Shop },
})

export const shop = design({
  name: 'shop',
  table: 'shop',
  description: 'Shops, what they sell, and who works there.',
  noIndexes: true,
  entities: { Person, Shop, Post, ShopPost, Product },
  patterns: {
    person: get(Person),
    shop: get(Shop),
    postsOfPerson: query('PERSON#{personId}', beginsWith('POST#')).returns(Post),
    postsOfShop: query('SHOP#{shopId}', beginsWith('POST#')).returns(ShopPost),
    productsOfShop: query('SHOP#{shopId}', beginsWith('PRODUCT#')).returns(Product),
  },
})

// ── Access: who may do what where. The five questions follow, and what the writes of a flow rest on ──

const access = accessOf(shop, {
  subject: Person,
  place: Shop,
  action: oneOf('price', 'sell'),
  where: { Person: { status: 'active' } },
  grants: through(Post).by('role', { clerk: ['sell'], owner: '*' }),
})

// ── The flow: what is done by somebody who may ──

type AtShop = { readonly shopId: string }
type Context = FlowContext<Table<typeof shop>, ActingUser, AtShop>

const host: FlowHost<Table<typeof shop>, ActingUser, AtShop> = access.host(({ shopId }: AtShop) => shopId)

const scope = async (context: Context, { shopId }: AtShop): Promise<AtShop> => {
  await liveItem(context, Shop, { shopId })
  return { shopId }
}

const flows = {
  addProduct: flowsFor<Context>(host)
    .itemFlows(Product, { scope })
    .create({
      name: 'addProduct',
      summary: 'Adds a product to a shop, with its price.',
      given: ['shopId', 'name', 'price_cents'],
      needs: { module: 'shop', action: 'price', resource: 'product', at: 'shop' },
      scope,
    }),
}

export const shopModule = {
  design: shop,
  summary: 'Shops, what they sell, and who works there.',
  access,
  decider: access.decider,
  authzen: access.authzen,
  flows: offerFlows<Context, typeof flows>(host, flows, { actorNamed: async (_table, name) => ({ kind: 'user', user_id: name }) }),
} satisfies DesignModule<typeof shop, ReturnType<typeof access.decider>, typeof flows>
