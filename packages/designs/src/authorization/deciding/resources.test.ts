import { localEngine } from '@freehold/frame/cedar'
import { operator } from '@freehold/frame/flow'
import { meter, without } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { pagesOf } from '../../../test/conformance/decider-conformance.ts'
import { setLiterally, writeLiterally } from '../../../test/literal-items.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { decideAuthorization } from '../decide.ts'
import { authorization } from '../design.ts'
import { authorizationModule } from '../index.ts'
import type { ResourceSource } from './resources.ts'

const schema = `
type Request = { tenant: Tenant, urgent?: Bool };
entity Role;
entity GlobalRole;
entity Tenant;
entity User in [Role, GlobalRole] = { email: String };
entity Ticket = { status: String, size?: Long, owner?: User };
namespace Shop { entity Order = { total: Long }; }
action read, write, close appliesTo { principal: User, resource: [Ticket, Shop::Order], context: Request };
action escalate appliesTo { principal: User, resource: Ticket, context: { tenant: Tenant, reason: String } };
action invite, dismiss appliesTo { principal: User, resource: [User, Tenant], context: Request };
`
const policy = (id: string, effect: string, actions: string, when = 'true') =>
  `@id("${id}") ${effect} (principal, action in [${actions.split(' ').map((name) => `Action::"${name}"`)}], resource) when { ${when} };`
const policies = [
  policy('all', 'permit', 'read write close escalate invite dismiss'),
  policy('closed', 'forbid', 'write close', 'resource is Ticket && resource.status == "closed"'),
  policy('dear', 'forbid', 'close', 'resource is Shop::Order && resource.total > 100'),
  policy('owners stay', 'forbid', 'dismiss', 'resource is User && resource in Role::"owner"'),
  policy('strangers', 'forbid', 'invite', 'resource is User && !(resource.email like "*@example.org")'),
]
const engine = await localEngine({ schema, policies: new Map([['p.cedar', policies.join('\n')]]) })

const [ada, ben, eve] = ['01HA', '01HB', '01HE'].map((start) => start.padEnd(26, '0')) as [string, string, string]
const [acme, rival, owner] = ['01HC', '01HD', '01HF'].map((start) => start.padEnd(26, '0')) as [string, string, string]

async function open(design: typeof authorization = authorization) {
  const table = await ownTableOf(design)
  await table.Role.create({ roleId: owner, name: 'owner', scope: 'tenant' })
  for (const [tenantId, name] of [
    [acme, 'acme'],
    [rival, 'rival'],
  ] as const)
    await table.Tenant.create({ tenantId, name })
  for (const [userId, name] of [
    [ada, 'ada'],
    [ben, 'ben'],
    [eve, 'eve'],
  ] as const)
    await table.User.create({ userId, email: `${name}@example.org` })
  await table.TenantGrant.create({ tenantId: acme, userId: ada })
  await table.TenantGrant.create({ tenantId: acme, userId: ben, roles: [owner] })
  await table.TenantGrant.create({ tenantId: rival, userId: eve })
  return table
}
type Opened = Awaited<ReturnType<typeof open>>

const keep = (table: Opened, type: string, id: string, attributes: object, tenantId = acme) =>
  // What a resource holds is what is tested.
  table.Resource.create({ tenantId, type, id, attributes: attributes as never })

const asked = { user: ada, tenant: acme, action: 'write', resource: { type: 'Ticket', id: 't-1' } }
const allowed = { allowed: true }
const forbidden = { allowed: false, reason: expect.objectContaining({ code: 'Forbidden' }) }
const faulty = { allowed: false, reason: expect.objectContaining({ kind: 'fault' }) }

describe('the attributes of a kept resource', () => {
  test.each([
    ['reach Cedar', { status: 'open' }, {}, allowed],
    ['decide', { status: 'closed' }, {}, forbidden],
    ['count in place of properties', { status: 'closed' }, { properties: { resource: { status: 'open' } } }, forbidden],
    ['count in place of attributes', { status: 'closed' }, { resource: { ...asked.resource, attributes: { status: 'open' } } }, forbidden],
    ['are joined by properties', { status: 'open' }, { properties: { resource: { size: 3 } } }, allowed],
    ['are left out where the schema has them not', { status: 'open', colour: 'red', deep: { a: [null] } }, {}, allowed],
    ['deny as a fault where one is of another type', { status: 3 }, {}, faulty],
    ['deny as a fault where one is missing', { size: 3 }, {}, faulty],
    ['are added to where one is missing', { size: 3 }, { properties: { resource: { status: 'open' } } }, allowed],
    ['are exact', { status: 'open', size: 2 ** 53 - 1 }, {}, allowed],
    ['are refused beyond 2^53', { status: 'open', size: 2 ** 53 }, {}, faulty],
    ['are refused where they are no whole number', { status: 'open', size: 1.5 }, {}, faulty],
  ])('%s', async (_, attributes, change, expected) => {
    const table = await open()
    await keep(table, 'Ticket', 't-1', attributes)
    const decider = decideAuthorization(engine)(table.runtime)
    const question = { ...asked, ...change }
    expect(await decider.can(question)).toEqual(expected)
    const { chains, missing, ...why } = await decider.why(question)
    expect(why).toEqual(expected)
    const isAllowed = 'allowed' in expected && expected.allowed === true
    expect(chains.flat().filter(({ step }) => step === 'resource').length).toBe(isAllowed ? 1 : 0)
    expect(missing.length > 0).toBe(!isAllowed)
  })

  test('a number that JavaScript would round makes the item malformed, and denies as a fault', async () => {
    const table = await open()
    await keep(table, 'Ticket', 't-1', { status: 'open', size: 1 })
    await table.runtime.sender.send('UpdateItem', {
      ...{ TableName: table.runtime.table, Key: { PK: { S: `RESOURCES#${acme}#Ticket` }, SK: { S: 't-1' } } },
      ...{ UpdateExpression: 'SET attributes.#s = :n', ExpressionAttributeNames: { '#s': 'size' } },
      ExpressionAttributeValues: { ':n': { N: '9007199254740993' } },
    })
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.can(asked)).toEqual(faulty)
  })

  test('another tenant does not see them, and a malformed item denies', async () => {
    const table = await open()
    await keep(table, 'Ticket', 't-1', { status: 'closed' }, rival)
    await keep(table, 'Ticket', 't-2', { status: 'open' })
    const decider = decideAuthorization(engine)(table.runtime)
    const open_ = { ...asked, resource: { ...asked.resource, attributes: { status: 'open' } } }
    expect(await decider.can(open_)).toEqual(allowed)
    await setLiterally(table.runtime, { PK: `RESOURCES#${acme}#Ticket`, SK: 't-2' }, 'attributes', 'none')
    const malformed = { ...asked, resource: { type: 'Ticket', id: 't-2' } }
    expect(await decider.can(malformed)).toMatchObject({ reason: { code: 'MalformedItem' } })
    expect((await decider.why(malformed)).missing).toMatchObject([{ step: 'resource', state: 'malformed' }])
  })

  test.each([' t-1', 't-1 ', 'T-1', 'e\u0301'])('the id %j is another one', async (id) => {
    const table = await open()
    for (const kept of ['t-1', '\u00e9']) await keep(table, 'Ticket', kept, { status: 'closed' })
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.can({ ...asked, resource: { type: 'Ticket', id, attributes: { status: 'open' } } })).toEqual(allowed)
  })

  test.each([' t-1', 't-1 ', 'e\u0301'])('%j is not kept under the id of another one', async (id) => {
    const table = await open()
    for (const kept of ['t-1', '\u00e9']) await keep(table, 'Ticket', kept, { status: 'open' })
    const { run } = authorizationModule.flows
    const named = { tenantId: acme, type: 'Ticket', id }
    const attributes = { status: 'closed' }
    for (const [flow, input] of [
      ['createResource', { ...named, attributes }],
      ['updateResource', { ...named, attributes }],
      ['removeResource', named],
    ] as const)
      await expect(run(table, flow, input, { actor: operator })).rejects.toMatchObject({
        ...{ code: 'InvalidInput', message: expect.stringContaining(': id would be stored as') },
      })
    await expect(keep(table, 'Ticket', id, attributes)).rejects.toMatchObject({ code: 'InvalidInput' })
    for (const kept of ['t-1', '\u00e9'])
      expect(await table.Resource.get({ ...named, id: kept })).toMatchObject({ attributes: { status: 'open' }, version: 1 })
  })

  test('a decision about one takes one round trip with warm definitions', async () => {
    const table = await open()
    await keep(table, 'Ticket', 't-1', { status: 'open' })
    const decider = decideAuthorization(engine)(table.runtime, { maxStalenessMs: 600_000 })
    for (const user of [ada, ben]) await decider.can({ ...asked, user })
    for (const ask of [() => decider.can(asked), () => decider.why(asked), () => decider.can({ ...asked, user: ben })])
      expect((await meter<unknown>(ask)).cost).toMatchObject({ roundTrips: 1, requests: 1 })
  })
})

describe('a user as the resource', () => {
  test.each([
    ['is known by its attributes and roles in the tenant', ben, 'dismiss', forbidden],
    ['without the role', ada, 'dismiss', allowed],
    ['by its attributes', ben, 'invite', allowed],
    ['of another tenant is not known', eve, 'invite', faulty],
  ])('%s', async (_, id, action, expected) => {
    const table = await open()
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.can({ ...asked, action, resource: { type: 'User', id } })).toEqual(expected)
  })
})

const { action: _, ...anything } = asked
const ofType = { ...anything, resource: { type: 'Ticket' } }
const ids = ['#', 'T-1', 't-1', 't-1#2', 't-10', 't-2', '\u{ff5e}', '\u{1f600}']

describe('what, of a type', () => {
  async function kept() {
    const table = await open()
    for (const id of ids) await keep(table, 'Ticket', id, { status: id === 't-2' ? 'closed' : 'open' })
    await keep(table, 'Ticket', 'rival', { status: 'open' }, rival)
    await keep(table, 'Shop::Order', 'o-1', { total: 5 })
    await keep(table, 'Shop::Order', 'o-2', { total: 500 })
    return table
  }

  test('lists each resource with its actions, in the order of their ids', async () => {
    const table = await kept()
    const decider = decideAuthorization(engine)(table.runtime)
    const { items } = await decider.what(ofType)
    expect(items).toEqual(
      ids.map((id) =>
        id === 't-2' ? { id, actions: ['read'], policies: ['all'] } : { id, actions: ['close', 'read', 'write'], policies: ['all'] },
      ),
    )
    expect((await decider.what({ ...anything, resource: { type: 'Shop::Order' } })).items).toMatchObject([
      { id: 'o-1', actions: ['close', 'read', 'write'] },
      { id: 'o-2', actions: ['read', 'write'] },
    ])
    // One action, as a search for resources asks; and one that needs more context.
    expect((await decider.what({ ...ofType, action: 'write' })).items.map(({ id }) => id)).toEqual(ids.filter((id) => id !== 't-2'))
    expect((await decider.what({ ...ofType, action: 'escalate', context: { reason: 'late' } })).items).toHaveLength(ids.length)
    expect(await decider.what({ ...ofType, action: 'burn' })).toEqual({ items: [] })
  })

  test.each([1, 2, 3, 5, 100])('pages of %i join to the whole, as can decides', async (limit) => {
    const table = await kept()
    const decider = decideAuthorization(engine)(table.runtime)
    const pages = await pagesOf((cursor) => decider.what({ ...ofType, action: 'close' }, { limit, cursor }))
    expect(pages.every(({ length }) => length <= limit)).toBe(true)
    const decided = []
    for (const id of ids) if ((await decider.can({ ...asked, action: 'close', resource: { type: 'Ticket', id } })).allowed) decided.push(id)
    expect(pages.flat().map(({ id }) => id)).toEqual(decided)
  })

  test('takes two round trips with warm definitions', async () => {
    const table = await kept()
    const decider = decideAuthorization(engine)(table.runtime, { maxStalenessMs: 600_000 })
    await decider.what(ofType)
    expect((await meter(() => decider.what(ofType))).cost.roundTrips).toBe(2)
  })

  test('tells a resource that the schema refuses, and lists the others', async () => {
    const table = await kept()
    await keep(table, 'Ticket', 'bad', { size: 1 })
    await writeLiterally(table.runtime, [{ PK: `RESOURCES#${acme}#Ticket`, SK: 'worse', Type: 'Resource', version: 1 }])
    const page = await decideAuthorization(engine)(table.runtime).what(ofType)
    expect(page.items).toHaveLength(ids.length)
    expect(page.malformed?.map(({ key }) => key.SK)).toEqual(expect.arrayContaining(['bad', 'worse']))
  })

  test('lists the users of a tenant, and the tenant', async () => {
    const table = await kept()
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.what({ ...anything, action: 'dismiss', resource: { type: 'User' } })).toMatchObject({ items: [{ id: ada }] })
    expect(await decider.what({ ...anything, action: 'invite', resource: { type: 'Tenant' } })).toMatchObject({ items: [{ id: acme }] })
    expect(
      (await pagesOf((cursor) => decider.what({ ...anything, resource: { type: 'Tenant' } }, { limit: 1, cursor }))).flat(),
    ).toHaveLength(1)
  })

  test.each([
    ['to one without a grant', { user: eve }, 'NoGrant'],
    ['of an unknown tenant', { tenant: '01HZ'.padEnd(26, '0') }, 'UnknownTenant'],
    ['to an unknown user', { user: 'nobody' }, 'UnknownUser'],
  ])('tells nothing %s', async (_name, change, code) => {
    const table = await kept()
    expect(await decideAuthorization(engine)(table.runtime).what({ ...ofType, ...change })).toEqual({
      ...{ items: [], reason: expect.objectContaining({ code }) },
    })
  })

  test.each([
    ['a role of users', { type: 'GlobalRole' }],
    ['attributes without an id', { type: 'Ticket', attributes: {} }],
  ])('refuses %s', async (_name, resource) => {
    const table = await open()
    await expect(decideAuthorization(engine)(table.runtime).what({ ...anything, resource })).rejects.toMatchObject({ code: 'InvalidInput' })
  })

  test('is refused where the feature is left out; a question about one resource is not, and reads nothing for it', async () => {
    // The same design with fewer entities.
    const table = await open(without(authorization, 'resources') as typeof authorization)
    const decider = decideAuthorization(engine)(table.runtime)
    await expect(decider.what(ofType)).rejects.toMatchObject({ code: 'InvalidInput' })
    expect(await decider.can({ ...asked, resource: { ...asked.resource, attributes: { status: 'open' } } })).toEqual(allowed)
  })
})

describe("a program's own resources", () => {
  const own = new Map(ids.map((id) => [id, { status: id === 't-2' ? 'closed' : 'open' }]))
  const source = (more: Partial<ResourceSource> = {}): ResourceSource => ({
    attributesOf: async ({ tenant, type, id }) => (tenant === acme && type === 'Ticket' ? own.get(id) : undefined),
    idsOf: async ({ after, limit }) => ids.slice(after === undefined ? 0 : ids.indexOf(after) + 1).slice(0, limit),
    ...more,
  })

  test('decide in place of those of the table, and are listed', async () => {
    const table = await open()
    await keep(table, 'Ticket', 't-1', { status: 'closed' })
    const decider = decideAuthorization(engine, { resources: source() })(table.runtime)
    expect(await decider.can(asked)).toEqual(allowed)
    expect(await decider.can({ ...asked, resource: { type: 'Ticket', id: 't-2' } })).toEqual(forbidden)
    const pages = await pagesOf((cursor) => decider.what({ ...ofType, action: 'write' }, { limit: 2, cursor }))
    expect(pages.flat().map(({ id }) => id)).toEqual(ids.filter((id) => id !== 't-2'))
  })

  test.each<[string, Partial<ResourceSource>]>([
    ['a failing function', { attributesOf: () => Promise.reject(new Error('down')) }],
    [
      'one that throws',
      {
        attributesOf: () => {
          throw new Error('down')
        },
      },
    ],
  ])('%s denies as a fault', async (_name, more) => {
    const table = await open()
    const decider = decideAuthorization(engine, { resources: source(more) })(table.runtime)
    expect(await decider.can(asked)).toEqual(faulty)
    await expect(decider.what(ofType)).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test.each<[string, ResourceSource['idsOf'] & object]>([
    ['fails', () => Promise.reject(new Error('down'))],
    ['goes back', async () => ['b', 'a']],
    ['gives the same again', async () => ['a', 'b']],
  ])('a list that %s is an error, and does not go on for ever', async (_name, idsOf) => {
    const table = await open()
    const decider = decideAuthorization(engine, { resources: source({ idsOf }) })(table.runtime)
    await expect(pagesOf((cursor) => decider.what(ofType, { limit: 1, cursor }))).rejects.toMatchObject({ code: 'Unavailable' })
  })
})
