import { type CedarValue, localEngine } from '@freehold/frame/cedar'
import { expect, test } from 'vitest'
import { ownTableOf } from '../../../test/own-table.ts'
import { decideAuthorization } from '../decide.ts'
import { authorization } from '../design.ts'

const schema = `
type Request = { tenant: Tenant, channel?: String };
entity Role;
entity GlobalRole;
entity Tenant = { name: String, status: String };
entity User in [Role, GlobalRole] = { email: String, phone?: String, department?: String };
entity Folder = { colour?: String };
action read, write appliesTo { principal: User, resource: [Folder, Tenant, User], context: Request };
action call appliesTo { principal: User, resource: Folder, context: { tenant: Tenant } };
`
const permits = (action: string, when: string) =>
  `@id("on ${action}") permit (principal, action == Action::"${action}", resource) when { ${when} };`
const deciding = async (...policies: string[]) =>
  decideAuthorization(await localEngine({ schema, policies: new Map([['p.cedar', policies.join('\n')]]) }))

const [ada, acme, other] = ['01HA', '01HB', '01HC'].map((start) => start.padEnd(26, '0')) as [string, string, string]

async function open(user: object = {}) {
  const table = await ownTableOf(authorization)
  await table.Tenant.create({ tenantId: acme, name: 'acme' })
  await table.User.create({ userId: ada, email: 'ada@example.org', ...user })
  await table.TenantGrant.create({ tenantId: acme, userId: ada })
  return table
}

const asked = { user: ada, tenant: acme, action: 'read', resource: { type: 'Folder', id: 'f' } }
const toTenant = { resource: { type: 'Tenant', id: acme } }
const allowed = { allowed: true }
const denied = { allowed: false, reason: expect.objectContaining({ code: 'NotPermitted' }) }

test.each([
  ['the e-mail address of the user', 'principal.email == "ada@example.org"', {}, allowed],
  ['the name of the tenant', 'context.tenant.name == "acme" && context.tenant.status == "active"', {}, allowed],
  [
    'a property of the user',
    'principal has department && principal.department == "it"',
    { properties: { user: { department: 'it' } } },
    allowed,
  ],
  ['a property of the resource', 'resource is Folder && resource has colour', { properties: { resource: { colour: 'red' } } }, allowed],
  [
    'a property of the context',
    'context has channel && context.channel == "web"',
    { properties: { context: { channel: 'web' } } },
    allowed,
  ],
  [
    'no property in place of what is stored',
    'principal.email == "root@example.org" || principal has phone || context.tenant.name == "root"',
    { properties: { user: { email: 'root@example.org', phone: '+49301234' }, context: { tenant: { type: 'Tenant', id: other } } } },
    { ...denied, ignored: ['user.email', 'user.phone', 'context.tenant'] },
  ],
  [
    'nor of the tenant or the user as the resource',
    'resource is Tenant && resource.name == "root"',
    { ...toTenant, properties: { resource: { name: 'root', colour: 'red' } } },
    { ...denied, ignored: ['resource.name', 'resource.colour'] },
  ],
  [
    'nor by attributes',
    'resource is Tenant && resource.name == "root"',
    { resource: { type: 'Tenant', id: acme, attributes: { name: 'root' } } },
    denied,
  ],
  [
    'the user as the resource, as it is stored',
    'resource is User && resource.email == "ada@example.org" && principal == resource',
    { resource: { type: 'User', id: ada, attributes: { email: 'root@example.org' } } },
    allowed,
  ],
  [
    'nothing that the schema does not declare',
    'true',
    {
      properties: {
        user: { colour: 1, ['__proto__']: 1 },
        resource: { size: 2 ** 60, deep: { a: [1.5] } },
        action: { name: 'read' },
        context: { time: null },
      },
    },
    { ...allowed, ignored: ['user.colour', 'user.__proto__', 'resource.size', 'resource.deep', 'action.name', 'context.time'] },
  ],
  [
    'a property of a wrong type denies as a fault',
    'true',
    { properties: { user: { department: 3 } } },
    { allowed: false, reason: expect.objectContaining({ kind: 'fault', code: 'PolicyFault' }) },
  ],
])('policies see %s', async (_, when, change, expected) => {
  const table = await open()
  const decider = (await deciding(permits('read', when)))(table.runtime)
  const question = { ...asked, ...change }
  expect(await decider.can(question)).toEqual(expected)
  const { chains: _chains, missing: _missing, ...why } = await decider.why(question)
  expect(why).toEqual(expected)
})

test('an action whose context does not declare a property does not see it, and the others do', async () => {
  const table = await open()
  const decider = (await deciding(permits('write', 'context has channel'), permits('call', 'true')))(table.runtime)
  const { action: _, ...anything } = { ...asked, properties: { context: { channel: 'web' } } }
  expect((await decider.what(anything)).items.map(({ action }) => action)).toEqual(['call', 'write'])
  expect(await decider.can({ ...anything, action: 'call' })).toEqual({ ...allowed, ignored: ['context.channel'] })
})

test('a list tells the properties that none of its actions has policies see', async () => {
  const table = await open()
  const decider = (await deciding(permits('write', 'context has channel'), permits('call', 'true')))(table.runtime)
  const { user, tenant, resource } = asked
  const properties = {
    user: { department: 'it', shoe: 43 },
    resource: { colour: 'red' },
    context: { channel: 'web' },
    action: { loud: true },
  }
  const each = ['user.shoe', 'action.loud']
  expect(await decider.what({ user, tenant, resource, properties })).toMatchObject({
    items: [{ action: 'call' }, { action: 'write' }],
    ignored: each,
  })
  expect(await decider.what({ user, tenant, resource, properties, action: 'call' })).toMatchObject({
    ignored: [...each, 'context.channel'],
  })
  expect(await decider.who({ tenant, resource, properties, action: 'call' })).toMatchObject({ ignored: [...each, 'context.channel'] })
  expect(await decider.where({ user, resource, properties, action: 'write' })).toMatchObject({ items: [{ tenantId: acme }], ignored: each })
  // Of a tenant no property is told by a caller.
  const { ignored } = await decider.where({ user, properties: { resource: { name: 'root' } }, action: 'write' })
  expect(ignored).toEqual(['resource.name'])
  expect(await decider.who({ tenant, resource, action: 'call' })).not.toHaveProperty('ignored')
})

test('a user without an attribute that the schema wants denies as a fault, whatever the caller says', async () => {
  const table = await open()
  const strict = await localEngine({ schema: schema.replace('phone?', 'phone'), policies: new Map([['p.cedar', permits('read', 'true')]]) })
  const decider = decideAuthorization(strict)(table.runtime)
  const question = { ...asked, properties: { user: { phone: '+49301234' } } }
  expect(await decider.can(question)).toMatchObject({ allowed: false, reason: { code: 'PolicyFault' }, ignored: ['user.phone'] })
})

test.each([
  ['a context', { context: { channel: 'x'.repeat(65_536) } }],
  ['attributes', { resource: { ...asked.resource, attributes: { colour: 'x'.repeat(65_536) } } }],
  ['properties', { properties: { user: { a: 'x'.repeat(40_000) }, context: { b: 'x'.repeat(40_000) } } }],
  ['all together', { context: { channel: 'é'.repeat(20_000) }, properties: { user: { a: 'x'.repeat(30_000) } } }],
])('%s of more than 64 KiB is refused, by each question', async (_, change) => {
  const table = await open()
  const decider = (await deciding(permits('read', 'true')))(table.runtime)
  const { user, tenant, ...others } = { ...asked, ...change }
  const error = { code: 'InvalidInput', details: { issues: [{ path: ['context'] }] } }
  await expect(decider.can({ user, tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.why({ user, tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.what({ user, tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.who({ tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.where({ user, ...others })).rejects.toMatchObject(error)
})

test('of more than 8 KiB no list is made, since it would decide about each candidate with all of it', async () => {
  const table = await open()
  const decider = (await deciding(permits('read', 'true')))(table.runtime)
  const { user, tenant, ...others } = { ...asked, properties: { context: { a: 'x'.repeat(8_192) } } }
  const error = { code: 'InvalidInput', details: { issues: [{ path: ['context'] }] } }
  await expect(decider.what({ user, tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.who({ tenant, ...others })).rejects.toMatchObject(error)
  await expect(decider.where({ user, ...others })).rejects.toMatchObject(error)
  expect(await decider.can({ user, tenant, ...others })).toMatchObject(allowed)
})

test('a context that nests without end is refused', async () => {
  const table = await open()
  const decider = (await deciding(permits('read', 'true')))(table.runtime)
  let deep: CedarValue = 1
  for (let depth = 0; depth < 50_000; depth++) deep = { deep }
  await expect(decider.can({ ...asked, context: { deep } })).rejects.toMatchObject({ code: 'InvalidInput' })
})
