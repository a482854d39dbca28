import type { DesignModule } from '@freehold/designs'
import * as ask from '@freehold/designs/decision'
import {
  type ActingUser,
  denied,
  type FlowContext,
  type FlowHost,
  flowsFor,
  liveItem,
  offerFlows,
  pageOfValues,
} from '@freehold/designs/flow'
import { beginsWith, checking, count, design, edge, entity, get, oneOf, query, stamp, type Table, text, ulid } from '@freehold/table'

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

// ── The question: may this person do this at this shop? ──

const actionsOf = { clerk: ['sell'], owner: ['price', 'sell'] } as const
const person = ask.field(text(), ask.nameOf(Person, 'personId'))
const place = ask.field(text(), ask.nameOf(Shop, 'shopId'))
const action = oneOf(...actionsOf.owner)
type Pair = { readonly person: string; readonly shop: string }
type Asked = Pair & { readonly action: 'price' | 'sell' }

/** Reads a person, a shop and the post of one at the other, of many pairs in one round trip. */
async function findAll(sources: ask.Sources, pairs: readonly Pair[]) {
  const all = pairs.map((asked) => ({
    asked,
    person: ask.wanted(Person, { personId: asked.person }),
    shop: ask.wanted(Shop, { shopId: asked.shop }),
    post: ask.wanted(Post, { personId: asked.person, shopId: asked.shop }),
  }))
  const loaded = await ask.loadRecords(
    sources,
    all.flatMap((each) => [each.person, each.shop, each.post]),
  )
  return all.map(({ asked, ...wanted }) => {
    const found = { person: loaded(wanted.person), shop: loaded(wanted.shop), post: loaded(wanted.post) }
    const isActive = found.person.state === 'found' && found.person.item.status === 'active' && found.shop.state === 'found'
    const role = isActive && found.post.state === 'found' ? found.post.item.role : undefined
    return { asked, ...found, role, actions: role === undefined ? [] : actionsOf[role] }
  })
}

async function why(sources: ask.Sources, asked: Asked): Promise<ask.Why> {
  const found = await findAll(sources, [asked])
  const allowing = found.filter(({ actions }) => actions.some((each) => each === asked.action))
  const reasons = found.map(({ asked: { person: id, shop: at }, person, shop }) =>
    ask.unknownReason(
      [],
      [
        { what: 'Person', name: id, id, result: person },
        { what: 'Shop', name: at, id: at, result: shop },
      ],
    ),
  )
  const reason = reasons[0] ?? ask.policy('NoPost', 'The person has no post at this shop that allows this.')
  const step = ({ role }: { readonly role: string | undefined }, state: 'found' | 'denies') =>
    ask.evidence('post', Post, { personId: asked.person, shopId: asked.shop }, state, `The role here is ${role ?? 'none'}.`, {
      role: role ?? null,
    })
  const verdict = allowing.length > 0 ? { allowed: true } : { allowed: false, reason }
  return ask.explained(
    verdict,
    allowing,
    (each) => [step(each, 'found')],
    () => found.map((each) => step(each, 'denies')),
  )
}

/** The posts of a person or of a shop, page by page: those that allow the action. */
async function allowing(sources: ask.Sources, list: ask.Listed, by: 'person' | 'shop', id: string, action: Asked['action']) {
  const entity = by === 'person' ? Post : ShopPost
  const posts = ask.mergedRanges(sources, entity, [{ ...ask.placeOf(entity, { [`${by}Id`]: id }), of: id }], list.after)
  const steps = await posts.read(list.limit + 1, 1)
  const flaws: ask.LoadResult<unknown>[] = []
  const confirm = async (batch: readonly ask.Candidate<string>[]) => {
    const found = await findAll(
      sources,
      batch.map(([other]) => (by === 'person' ? { person: id, shop: other } : { person: other, shop: id })),
    )
    flaws.push(...found.flatMap((each) => [each.person, each.shop, each.post]))
    return found.filter(({ actions }) => actions.some((each) => each === action)).map(({ asked }) => asked)
  }
  return ask.confirmedPage(list, posts, steps, confirm, (pair) => pair[by === 'person' ? 'shop' : 'person'], flaws)
}

const pairs = pageOfValues<Pair>({ person, shop: place })
const decide = ask.deciderOf(
  {
    can: { summary: 'May this person do this at this shop?', fields: { person, shop: place, action }, answer: ask.decision },
    why: { summary: 'By which post is it so?', fields: { person, shop: place, action }, answer: ask.explanation },
    what: {
      summary: 'What may this person do at this shop?',
      fields: { person, shop: place },
      answer: pageOfValues<Pick<Asked, 'action'>>({ action }),
    },
    who: { summary: 'Who may do this at this shop?', fields: { shop: place, action }, answer: pairs },
    where: { summary: 'At which shops may this person do this?', fields: { person, action }, answer: pairs },
  },
  {
    can: async (sources, asked) => {
      const { allowed, reason } = await why(sources, asked)
      return reason === undefined ? { allowed } : { allowed, reason }
    },
    why,
    what: async (sources, asked, list) => {
      const found = await findAll(sources, [asked])
      const items = found.flatMap(({ actions }) => actions.map((each) => ({ action: each })))
      const left = items.filter((each) => list.after === undefined || each.action > list.after)
      return list.pageOf(
        left,
        (each) => each.action,
        found.flatMap((each) => [each.person, each.shop, each.post]),
      )
    },
    who: (sources, asked, list) => allowing(sources, list, 'shop', asked.shop, asked.action),
    where: (sources, asked, list) => allowing(sources, list, 'person', asked.person, asked.action),
  },
)

// ── The flow: what is done by somebody who may ──

type AtShop = { readonly shopId: string }
type Context = FlowContext<Table<typeof shop>, ActingUser, AtShop>

/** What flows need to know of the design. The post that allows a flow is checked with its write. */
const host: FlowHost<Table<typeof shop>, ActingUser, AtShop> = {
  design: shop,
  decide,
  actingUser: async (table, personId) => {
    const found = await table.Person.get({ personId }, { consistent: true })
    if (found?.status !== 'active') throw denied(undefined, 'UnknownPerson', 'There is no such person, or it is blocked.')
    return { id: found.personId }
  },
  questionOf: ({ id }, needs, { shopId }) => ({ question: { person: id, shop: shopId, action: needs.action }, level: 'shop' }),
  basisOfUser: ({ id }) => ({
    kind: 'user',
    name: `person ${id}`,
    check: checking(Person, { personId: id }, { where: { status: 'active' } }),
  }),
  basisOf: ({ id: { personId = '', shopId = '' }, as = {} }) => ({
    kind: 'grant',
    name: `post ${personId} ${shopId}`,
    check: checking(Post, { personId, shopId }, { where: as }),
  }),
}

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
  decider: decide,
  flows: offerFlows<Context, typeof flows>(host, flows, { actorNamed: async (_table, name) => ({ kind: 'user', user_id: name }) }),
} satisfies DesignModule<typeof shop, ReturnType<typeof decide>, typeof flows>
