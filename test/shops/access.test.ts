import { scopedAccessOf, through } from '@freehold/frame/access'
import { decisionPointOf } from '@freehold/frame/authzen'
import { type ActingUser, type FlowContext, type FlowHost, flowsFor, offerFlows } from '@freehold/frame/flow'
import { type ConnectedTable, design, type Entity, entity, mirror, oneOf, type Table, uuid } from '@freehold/table'
import { prove } from '@freehold/table/prove'
import { restoreItems } from '@freehold/table/testing'
import { expect, test } from 'vitest'
import { deciderConforms } from '../../packages/designs/test/conformance/decider-conformance.ts'
import { ownTableOf } from '../../packages/designs/test/own-table.ts'
import { senderAfter } from '../engine/sender-after.ts'
import { idOf, stored } from '../work/items.ts'
import { access } from './access.ts'
import * as items from './design.ts'

const [ada, bob, eve, nobody] = [1, 2, 3, 9].map((number) => idOf(1, number)) as [string, string, string, string]
const [company_id, region_id, shop_id, till, other, empty] = [2, 3, 4, 5, 6, 8].map((kind) => idOf(kind, 1)) as [
  string,
  string,
  string,
  string,
  string,
  string,
]
const [clerk, head] = [idOf(7, 1), idOf(7, 2)]
const of = (entity: Parameters<typeof stored>[0], values: object) => stored(entity, { ...values }, items.shops)

const until = '2999-01-01T00:00:00.000Z'

const scene = [
  ...[ada, bob, eve].flatMap((id) => of(items.User, { id, email: `${id}@x.org`, status: id === eve ? 'closed' : 'active' })),
  ...of(items.Company, { id: company_id, status: 'active' }),
  ...of(items.Region, { id: region_id, company_id }),
  ...of(items.Shop, { id: shop_id, region_id, company_id, status: 'active' }),
  ...[till, other, empty].flatMap((id) => of(items.Till, { id, shop_id, region_id, company_id })),
  ...of(items.Role, { id: head, company_id, permissions: [{ action: 'count', thing: 'stock' }] }),
  ...of(items.Role, { id: clerk, company_id, above: head, permissions: [{ action: 'open', thing: 'drawer' }] }),
  ...of(items.Post, { user_id: ada, kind: 'region', scope: region_id, role_id: clerk, company_id }),
  ...[till, other].flatMap((scope) => of(items.Post, { user_id: bob, kind: 'till', scope, role_id: clerk, company_id, until })),
  ...of(items.Post, { user_id: eve, kind: 'company', scope: company_id, role_id: head, company_id }),
]
const tableOf = async (options: Parameters<typeof ownTableOf>[1] = {}) => {
  const table = await ownTableOf(items.shops, options)
  await restoreItems(table.runtime, scene)
  return table
}
const named = (field: string, id: string) => ({ ask: { [field]: id }, told: id })
const asked = { user: bob, till, permission: 'count:stock' }

deciderConforms({
  name: 'shops',
  open: tableOf,
  decide: access.decider,
  users: [ada, bob, eve, nobody].map((id) => named('user', id)),
  scopes: [named('till', till), named('till', other), named('till', empty)],
  permissions: ['open:drawer', 'count:stock', 'open:safe'].map((permission) => ({ ask: { permission }, told: permission })),
  told: {
    what: ({ permission }) => Object.values(Object(permission)).join(':'),
    who: ({ user_id }) => String(user_id),
    where: ({ scope }) => String(scope),
  },
  asked: {
    can: asked,
    why: asked,
    what: { user: bob, till },
    who: { till, permission: 'count:stock' },
    where: { user: bob, permission: 'count:stock' },
  },
  roundTrips: { can: [4, 1, 4], why: [4, 1, 4], what: [4, 1, 4], who: [4, 2, 4], where: [4, 2, 4] },
  requestsOfCan: [9, 5],
})

test('why tells the scopes from the outermost down, the post, and the role above that grants', async () => {
  const decider = access.decider((await tableOf()).runtime)
  const { chains } = await decider.why(asked)
  expect(chains.map((chain) => chain.map(({ message }) => message))).toEqual([
    [
      'The user is there and active.',
      'The company is there and active.',
      'The region is there.',
      'The shop is there and active.',
      'The till is there.',
      'The user has the role at the till until 2999-01-01T00:00:00.000Z.',
      'The role exists.',
      'The role is above the role before, which grants all that this one does.',
      'The role grants count:stock, which covers count:stock.',
    ],
  ])
  expect(await decider.can({ ...asked, user: eve })).toMatchObject({ reason: { code: 'InactiveUser' } })
  expect(await decider.can({ ...asked, permission: 'open:safe' })).toMatchObject({ reason: { code: 'NoGrant' } })
  expect(await decider.can({ ...asked, till: empty })).toMatchObject({ reason: { code: 'NoPost' } })
  expect(await decider.can({ ...asked, till: nobody })).toMatchObject({ reason: { code: 'UnknownTill' } })
})

test('the design is proven', () => {
  expect(prove(items.shops).findings.filter(({ severity }) => severity === 'error')).toEqual([])
})

test('a chain that the design does not bear out is refused with the addition that mends it', () => {
  const Branch = entity('Branch', { attributes: { id: uuid(), company_id: uuid() }, key: ['BRANCH#{id}', 'META'] })
  const { User, Company, Role } = items
  const attributes = { user_id: uuid(), kind: oneOf('company', 'branch'), scope: uuid(), role_id: uuid(), company_id: uuid() }
  const Post = entity('Post', { attributes, key: ['USER#{user_id}', 'POST#{kind}#{scope}#{role_id}'], refers: { user_id: User } })
  const scopes = { company_id: Company, branch_id: Branch }
  const grants = through(Post).at('kind', 'scope').byRole('role_id', Role, 'permissions', {})
  const declared =
    (entities: Readonly<Record<string, Entity>>, more: object = {}) =>
    () => {
      const own = design({ name: 'own', table: 'own', noIndexes: true, entities, patterns: {} })
      return scopedAccessOf(own, { subject: User, scopes, permission: { action: 'What is done' }, grants, ...more })
    }
  const entities = { User, Company, Branch, Post, Role, RoleAbove: items.RoleAbove }
  expect(declared(entities)).toThrow('No items list each Branch by {company_id}, in the order of {id}. Add a mirror of Branch.')
  const CompanyBranch = mirror('CompanyBranch', Branch, ['COMPANY#{company_id}', 'BRANCH#{id}'])
  expect(declared({ ...entities, CompanyBranch })).toThrow('No items list each Post by its scope.')
  const ScopePost = mirror('ScopePost', Post, ['SCOPE#{kind}#{scope}', 'POST#{role_id}#{user_id}'])
  const whole = { ...entities, CompanyBranch, ScopePost }
  expect(declared(whole)).not.toThrow()
  expect(declared(whole, { names: [CompanyBranch] })).toThrow('CompanyBranch is no uniqueness guard that names a User.')
  expect(declared(whole, { unless: { kind: 'guest' } })).toThrow("User has a condition on 'kind', which is not an attribute of it.")
  expect(declared(whole, { where: { Usr: {} } })).toThrow("'Usr' has conditions, but is no entity of own.")
  expect(declared(whole, { where: { User: { state: 'active' } } })).toThrow(
    "User has a condition on 'state', which is not an attribute of it.",
  )
})

test('AuthZEN names scopes by their kinds and permissions by their parts, without a line of the design', async () => {
  const table = await tableOf()
  const decider = access.decider(table.runtime)
  const point = decisionPointOf({ mapping: access.authzen({ table, decider }), decider, table, evaluations_max: 1 })
  const [subject, resource] = [
    { type: 'user', id: ada },
    { type: 'till', id: till },
  ]
  const decided = async (name: string) => (await point.evaluation({ subject, resource, action: { name } })).body.decision
  expect(await Promise.all(['count:stock', 'open:safe', 'count:stock:more', 'count'].map(decided))).toEqual([true, false, false, false])
  const action = { name: 'count:stock' }
  const found = async (kind: 'subject' | 'action' | 'resource', body: object) => (await point.search(kind, { ...body })).body.results
  expect(await found('subject', { subject: { type: 'user' }, action, resource })).toEqual([ada, bob].map((id) => ({ type: 'user', id })))
  expect(await found('action', { subject, resource })).toEqual([{ name: 'count:stock' }, { name: 'open:drawer' }])
  const shopsOfAda = await found('resource', { subject, action, resource: { type: 'shop' } })
  expect(shopsOfAda).toEqual([{ type: 'shop', id: shop_id }])
})

interface AtShop {
  readonly company_id: string
  readonly region_id: string
  readonly shop_id: string
}
interface ShopsContext extends FlowContext<Table<typeof items.shops>, ActingUser, AtShop> {}

const host: FlowHost<Table<typeof items.shops>, ActingUser, AtShop> = access.host<Table<typeof items.shops>, AtShop>()
const addTill = flowsFor<ShopsContext>(host)
  .itemFlows(items.Till, { scope: async () => ({ company_id, region_id, shop_id }) })
  .create({
    name: 'addTill',
    summary: 'Adds a till to a shop.',
    given: ['shop_id'],
    needs: { module: 'shops', action: 'count', resource: 'stock', at: 'shop' },
    scope: async () => ({ company_id, region_id, shop_id }),
  })
const flows = offerFlows<ShopsContext, { readonly addTill: typeof addTill }>(
  host,
  { addTill },
  { actorNamed: async (_, user_id) => ({ kind: 'user', user_id }) },
)

type Change = (table: Table<typeof items.shops>) => Promise<unknown>
const adasPost = { user_id: ada, kind: 'region', scope: region_id, role_id: clerk } as const

test.each<readonly [string, string | undefined, Change]>([
  ['nothing', undefined, async () => {}],
  ['the user', 'UserNotActive', (table) => table.User.update({ id: ada }, { status: 'closed' })],
  ['the outermost scope', 'InactiveCompany', (table) => table.Company.update({ id: company_id }, { status: 'closed' })],
  ['a scope beneath the post', 'InactiveShop', (table) => table.Shop.update({ region_id, id: shop_id }, { status: 'closed' })],
  ['the post', 'NoPost', (table) => table.Post.remove(adasPost)],
  ['the end of the post', 'PostExpired', (table) => table.Post.update(adasPost, { until: '2020-01-01T00:00:00.000Z' })],
  ['the role above', 'NoGrant', (table) => table.Role.update({ company_id, id: head }, { permissions: [] })],
])('a write of a user that is held up, while %s changes, is denied by %s', async (_, reason, change) => {
  let meanwhile: Change | undefined
  const table: Table<typeof items.shops> = await tableOf({
    sender: senderAfter(async (operation) => {
      const before = operation === 'TransactWriteItems' ? meanwhile : undefined
      if (before !== undefined) meanwhile = undefined
      await before?.(table)
    }),
  })
  meanwhile = change
  const { addTill: add } = flows.of(table as ConnectedTable, { actor: { kind: 'user', user_id: ada } })
  const added = add({ shop_id })
  if (reason === undefined) await expect(added).resolves.toMatchObject({ shop_id, company_id })
  else await expect(added).rejects.toMatchObject({ code: 'Denied', details: { reason } })
})
