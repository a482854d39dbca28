import { designModules } from '@freehold/designs'
import { rebacModuleWith } from '@freehold/designs/rebac'
import { describe, expect, test } from 'vitest'
import { startService } from '../test/serving.ts'

// An attacker with a key, and one as a user of a location, over HTTP.

const stranger = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
const flow = (name: string, input: object) => service.call('POST', `/v1/rebac/flows/${name}`, input)
const done = async (name: string, input: object) => {
  const { status, body } = await flow(name, input)
  expect([name, status, body]).toEqual([name, expect.toBeOneOf([200, 204]), body])
  return body as Readonly<Record<string, string>>
}
const service = await startService({ module: designModules.get('rebac') ?? {} })
const here = (await done('createLocation', { locationCode: 'HERE', name: 'Here' })).locationId ?? ''
const there = (await done('createLocation', { locationCode: 'THERE', name: 'There' })).locationId ?? ''
const ada = (await done('createUser', { displayName: 'Ada', email: 'ada@example.org' })).userId ?? ''
for (const pageName of ['manage-groups', 'manage-group-roles', 'vault']) await done('createPage', { pageName })
for (const roleName of ['lead', 'keeper']) await done('createRole', { roleName })
for (const pageName of ['manage-groups', 'manage-group-roles'])
  await done('setPermission', { roleName: 'lead', pageName, permission: 'ALLOW' })
await done('setPermission', { roleName: 'keeper', pageName: 'vault', permission: 'ALLOW' })
const { groupId } = await done('createGroup', { locationId: here, name: 'leads' })
await done('giveRole', { groupId, roleName: 'lead' })
await done('joinGroup', { userId: ada, groupId })

describe('a user over HTTP', () => {
  test('manages groups at its location, by its e-mail address, and at no other', async () => {
    expect(await flow('createGroup', { locationId: here, name: 'mine', as: 'Ada@example.org' })).toMatchObject({ status: 200 })
    expect(await flow('createGroup', { locationId: there, name: 'mine', as: ada })).toMatchObject({ status: 403 })
    expect(await flow('createGroup', { locationId: here, name: 'mine', as: stranger })).toMatchObject({ status: 403 })
    expect(await flow('createGroup', { locationId: here, name: 'mine', as: 'nobody' })).toMatchObject({ status: 400 })
  })

  test('gives no role that opens what it may not open, and no permission at all', async () => {
    const { groupId } = await done('createGroup', { locationId: here, name: 'own', as: ada })
    expect(await flow('giveRole', { groupId, roleName: 'keeper', as: ada })).toMatchObject({ status: 403 })
    expect(await flow('setPermission', { roleName: 'lead', pageName: 'vault', permission: 'ALLOW', as: ada })).toMatchObject({
      status: 403,
    })
    expect(await flow('giveRole', { groupId, roleName: 'lead', as: ada })).toMatchObject({ status: 200 })
  })

  test('is recorded with the key that passed its call on', async () => {
    const { items } = await service.table.changesOfActor({ actor: ada }, { consistent: true, limit: 50 })
    const keys = new Set(items.map(({ from }) => from?.via))
    expect([...keys]).toEqual([expect.stringMatching(/./)])
    expect(items.some(({ status }) => status === 'failure')).toBe(true)
  })
})

describe('an identity provider over HTTP', () => {
  const claims = { provider: 'google', subject: 's-1', email: 'ada@example.org', isEmailVerified: true }
  const google = 'identity-provider:google'

  test('signs people in for itself, and is recorded with the key that passed its call on', async () => {
    expect(await flow('signIn', { ...claims, as: google })).toMatchObject({
      status: 200,
      body: { outcome: 'claimed', user: { userId: ada } },
    })
    const { items } = await service.table.changesOfActor({ actor: 'identity-provider google' }, { consistent: true })
    expect(items).toMatchObject([{ flow: 'signIn', entity: 'SignInIdentity', from: { via: expect.stringMatching(/./) } }])
    expect(service.lines.at(-1)).toMatchObject({ as: google })
  })

  test('speaks for no other provider, and does nothing else', async () => {
    const before = await service.scan()
    const denied = (detail: RegExp) => ({ status: 403, body: { code: 'Denied', detail: expect.stringMatching(detail) } })
    expect(await flow('signIn', { ...claims, subject: 's-2', as: 'identity-provider:github' })).toMatchObject(
      denied(/github does not speak for google/),
    )
    for (const [name, input] of [
      ['createUser', { displayName: 'Eve' }],
      ['createGroup', { locationId: here, name: 'mine' }],
      ['deleteUser', { userId: ada }],
    ] as const)
      expect(await flow(name, { ...input, as: google })).toMatchObject(denied(/only signs people in/))
    const others = (items: readonly object[]) => items.filter((item) => !/"(Actor)?Change"/.test(JSON.stringify(item)))
    expect(others(await service.scan())).toEqual(others(before))
  })

  test.each([
    'identity-provider',
    'identity-provider:',
    'identity-provider: google',
    'identity-provider:Google',
    'identity-provider:a\nb',
    'operator:google',
  ])('is not named %j', async (as) => {
    expect(await flow('signIn', { ...claims, as })).toMatchObject({ status: 400, body: { issues: [{ path: ['as'] }] } })
  })
})

test('a user signs nobody in', async () => {
  const claims = { provider: 'google', subject: 's-3', email: 'eve@example.org', isEmailVerified: true }
  expect(await flow('signIn', { ...claims, as: ada })).toMatchObject({ status: 403 })
})

test('a key writes no entity past the flows', async () => {
  const before = await service.scan()
  for (const [entity, item] of [
    ['Role', { roleName: 'mine' }],
    ['GroupRole', { groupId: stranger, roleName: 'keeper' }],
    ['RolePagePermission', { roleName: 'lead', pageName: 'vault', permission: 'ALLOW' }],
    ['UserGroupEdge', { userId: ada, groupId: stranger }],
    ['Change', { flow: 'createRole', actor: 'somebody else' }],
  ] as const)
    expect(await service.call('POST', `/v1/rebac/entities/${entity}`, item)).toMatchObject({ status: 403, body: { code: 'Denied' } })
  expect(await service.scan()).toEqual(before)
})

test('a program serves the design with pages of its own', async () => {
  const own = await startService({ module: rebacModuleWith({ pages: { createGroup: 'team' } }) })
  const listed = (await own.call('GET', '/v1')).body.designs as readonly { flows: readonly { name: string; needs: unknown }[] }[]
  expect(listed[0]?.flows.find(({ name }) => name === 'createGroup')?.needs).toMatchObject({ resource: 'team', at: 'location' })
})
