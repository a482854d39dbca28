import { localEngine } from '@freehold/frame/cedar'
import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { foreignTable, itemsOf } from '../../test/documents/written.ts'
import { decideAuthorization } from './decide.ts'
import { authorization } from './design.ts'
import { starterFiles } from './policies/starter.ts'

const items = itemsOf('authorization')
const tenant = '01J8Z0E2Z8D2A3J7A7Y2H9GQ9C'
const user = '01J8YZZQ3V8PZKQ0ZKX4C2M7FM'
const [admin, support] = ['01J8X2W3Y4Z5A6B7C8D9E0F1G2', '01J8X2W3Y4Z5A6B7C8D9E0F1J4']
const ticket = { type: 'Ticket', id: '7', attributes: { tenant: { __entity: { type: 'Tenant', id: tenant } }, status: 'open' } }

const files = {
  schema: starterFiles['schema.cedarschema'] ?? '',
  policies: new Map([
    ...Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar')),
    [
      'own.cedar',
      '@id("admins-close") permit (principal in Role::"admin", action == Action::"closeTicket", resource);\n@id("support-assigns") permit (principal in GlobalRole::"support", action == Action::"assignTicket", resource);\n',
    ],
  ] as const),
}
const engine = await localEngine(files)

type Change = Readonly<Record<string, unknown>>
const written = (changes: Readonly<Record<string, Change | undefined>> = {}) =>
  Object.entries(items).flatMap(([name, item]) => (name in changes && changes[name] === undefined ? [] : [{ ...item, ...changes[name] }]))
const decided = async (changes?: Parameters<typeof written>[0], scope?: string) => {
  const table = await foreignTable(authorization, written(changes))
  return decideAuthorization(engine)(scope === undefined ? table.runtime : table.forTenant(scope).runtime)
}

const denied = (code: string) => ({ allowed: false, reason: { code } })
const closing = { tenant, action: 'closeTicket', resource: ticket }

describe("the ADR's own tenant, grant, role and policy are decided over with Cedar", () => {
  test.each([
    ['by id', user],
    ['by e-mail address', 'Ada@Example.org'],
    ['by username', 'ADA'],
  ])('%s', async (_, name) => {
    const decider = await decided()
    expect(await decider.can({ user: name, ...closing })).toEqual({ allowed: true })
    expect(await decider.can({ user: name, ...closing, action: 'viewTicket' })).toEqual({ allowed: true }) // the second role of the grant
    expect(await decider.can({ user: name, ...closing, action: 'assignTicket' })).toEqual({ allowed: true }) // the user's global role
    expect((await decider.why({ user: name, ...closing })).chains.flat()).toEqual(
      expect.arrayContaining([expect.objectContaining({ entity: 'Role' }), expect.objectContaining({ entity: 'TenantGrant' })]),
    )
    expect((await decider.what({ user: name, tenant, resource: ticket })).items.map((each) => 'action' in each && each.action)).toEqual([
      'assignTicket',
      'closeTicket',
      'viewTicket',
    ])
    expect(await (await decided({}, tenant)).can({ user: name, ...closing })).toEqual({ allowed: true })
  })

  test('in three round trips, and with memory in one', async () => {
    const decider = await decided()
    const trips = async (how: object) => (await meter(() => decider.can({ user, ...closing }, how))).cost.roundTrips
    expect([await trips({}), await trips({}), await trips({ consistency: 'strong' })]).toEqual([3, 1, 3])
  })

  test.each<[string, Parameters<typeof written>[0], object]>([
    ['a suspended tenant', { Tenant: { status: 'suspended' } }, denied('TenantNotActive')],
    ['a grant without roles', { TenantGrant: { roles: undefined } }, denied('NotPermitted')],
    ['a user without roles of its own', { User: { roles: undefined, phone: undefined, preferredUsername: undefined } }, { allowed: true }],
    ['a grant with its roles in lower case', { TenantGrant: { roles: [admin?.toLowerCase()] } }, { allowed: true }],
    ['a user name in capitals', { User: { preferredUsername: 'ADA' } }, { allowed: true }],
    ['a grant whose role is gone', { Role: undefined }, denied('NotPermitted')],
    [
      'a grant without index keys, and so without an id',
      { TenantGrant: { GSI1PK: undefined, GSI1SK: undefined, GSI2PK: undefined, GSI2SK: undefined } },
      { allowed: true },
    ],
    ['a role of the other scope', { Role: { PK: 'ROLE_SCOPE#global', scope: 'global' } }, denied('NotPermitted')],
    ['a role whose index says another id than it has', { Role: { roleId: support } }, { allowed: false }],
    ['an attribute that contradicts the keys', { TenantGrant: { userId: admin } }, denied('MalformedItem')],
    ['a Type that contradicts the keys', { Tenant: { Type: 'User' } }, denied('MalformedItem')],
    [
      'additional attributes, which the document allows',
      { User: { photo: new Uint8Array([1]) }, Role: { colour: { hue: [null] } } },
      { allowed: true },
    ],
  ])('%s', async (_, changes, answer) => {
    expect(await (await decided(changes)).can({ user, ...closing })).toMatchObject(answer)
  })
})
