import type { DesignModule } from '@freehold/frame'
import { design, entity, get, oneOf, query, text, ulid, unique } from '@freehold/table'

// A program's own design, without flows: the pages show on it how items are written one by one.

const Shop = entity('Shop', {
  attributes: { shopId: ulid().made(), name: text(), status: oneOf('active', 'suspended').made('active') },
  key: ['SHOP#{shopId}', 'SHOP#{shopId}'],
})
const ShopName = unique('ShopName', Shop, ['SHOP_NAME#{name}', 'SHOP_NAME#{name}'])
const Post = entity('Post', {
  attributes: { postId: ulid().made(), name: text(), scope: oneOf('shop', 'global') },
  key: ['POST_SCOPE#{scope}', 'POST_NAME#{name}'],
})

const shops = design({
  name: 'shops',
  table: 'shops',
  description: 'Shops, and the posts that there are in them.',
  noIndexes: true,
  entities: { Shop, ShopName, Post },
  patterns: { shop: get(Shop), shopOfName: get(ShopName), post: get(Post), postsOfScope: query('POST_SCOPE#{scope}').returns(Post) },
})

export const shopsModule: DesignModule = { design: shops, summary: 'Shops, and the posts that there are in them.' }
