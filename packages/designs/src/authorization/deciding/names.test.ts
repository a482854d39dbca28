import { localEngine } from '@freehold/frame/cedar'
import { meter } from '@freehold/table'
import { describe, expect, test } from 'vitest'
import { setLiterally } from '../../../test/literal-items.ts'
import { ownTableOf } from '../../../test/own-table.ts'
import { decideAuthorization } from '../decide.ts'
import { authorization } from '../design.ts'
import { authorizationModuleWith } from '../index.ts'
import { starterFiles } from '../policies/starter.ts'

const schema = starterFiles['schema.cedarschema'] ?? ''
const policies = new Map(Object.entries(starterFiles).filter(([name]) => name.endsWith('.cedar')))
const engine = await localEngine({ schema, policies })

const [ada, mal, acme, owner] = ['01HA', '01HM', '01HB', '01HC'].map((start) => start.padEnd(26, '0')) as [string, string, string, string]

async function open() {
  const table = await ownTableOf(authorization, { jobHandlers: authorizationModuleWith({ policies: engine }).flows.jobHandlers })
  await table.Role.create({ roleId: owner, name: 'owner', scope: 'tenant' })
  await table.Tenant.create({ tenantId: acme, name: 'acme' })
  await table.User.create({ userId: ada, email: 'ada@example.org', preferredUsername: 'ada#1' })
  await table.TenantGrant.create({ tenantId: acme, userId: ada, roles: [owner] })
  return table
}

const renaming = { tenant: acme, action: 'renameTenant', resource: { type: 'Tenant', id: acme } }
const names = [ada, ` ${ada.toLowerCase()}`, 'ada@example.org', ' Ada@Example.ORG ', 'ada#1', 'ADA#1']

describe('a user is named by id, e-mail address or username, in any spelling', () => {
  test.each(names)('%j', async (user) => {
    const table = await open()
    const decider = decideAuthorization(engine)(table.runtime)
    expect(await decider.can({ user, ...renaming })).toEqual({ allowed: true })
    expect(await decider.why({ user, ...renaming })).toEqual(await decider.why({ user: ada, ...renaming }))
    const { tenant: _, ...anywhere } = renaming
    expect((await decider.where({ user, ...anywhere })).items).toMatchObject([{ tenantId: acme }])
    const { action: __, ...anything } = renaming
    expect(await decider.what({ user, ...anything })).toEqual(await decider.what({ user: ada, ...anything }))
    const { flows } = authorizationModuleWith({ policies: engine })
    expect(await flows.actorNamed(table, user)).toEqual({ kind: 'user', user_id: ada })
  })
})

test.each(['nobody@example.org', 'nobody', '01HZ'.padEnd(26, '0')])('the name %j of nobody denies, and says so', async (user) => {
  const table = await open()
  const decider = decideAuthorization(engine)(table.runtime)
  const reason = { kind: 'unknown', code: 'UnknownUser', message: `There is no user ${JSON.stringify(user)}.` }
  expect(await decider.can({ user, ...renaming })).toEqual({ allowed: false, reason })
  expect(await decider.why({ user, ...renaming })).toMatchObject({
    allowed: false,
    reason,
    missing: expect.arrayContaining([expect.objectContaining({ step: 'user', state: 'missing' })]),
  })
  const { action: _, ...anything } = renaming
  expect(await decider.what({ user, ...anything })).toEqual({ items: [], reason })
  expect(await decider.where({ user, action: 'renameTenant' })).toEqual({ items: [], reason })
})

test.each([
  ['a letter that looks like another', '\u0430da#1', 'unknown'],
  ['a full-width letter', '\uff41da#1', 'unknown'],
  ['a Kelvin sign', '\u212aim', 'refused'],
  ['a character that nobody sees', 'ada\u200b#1', 'unknown'],
  ['an address in other letters', '\u0430da@example.org', 'unknown'],
])('%s is another name, or none', async (_, user, expected) => {
  const table = await open()
  const asked = decideAuthorization(engine)(table.runtime).can({ user, ...renaming })
  if (expected === 'refused') await expect(asked).rejects.toMatchObject({ code: 'InvalidInput', details: { issues: [{ path: ['user'] }] } })
  else expect(await asked).toMatchObject({ allowed: false, reason: { code: 'UnknownUser' } })
})

test('a username in the form of an id or an address names nobody', async () => {
  const table = await open()
  await table.User.create({ userId: mal, email: 'mal@example.org', preferredUsername: 'grace@example.org' })
  await table.TenantGrant.create({ tenantId: acme, userId: mal, roles: [owner] })
  const decider = decideAuthorization(engine)(table.runtime)
  expect(await decider.can({ user: 'mal@example.org', ...renaming })).toEqual({ allowed: true })
  expect(await decider.can({ user: 'grace@example.org', ...renaming })).toMatchObject({ reason: { code: 'UnknownUser' } })
  await table.User.update({ userId: mal }, { preferredUsername: '01HZ'.padEnd(26, '0') })
  expect(await decider.can({ user: '01HZ'.padEnd(26, '0'), ...renaming })).toMatchObject({ reason: { code: 'UnknownUser' } })
})

test('a name that has gone to another user is the other one at once', async () => {
  const table = await open()
  const decider = decideAuthorization(engine)(table.runtime)
  expect(await decider.can({ user: 'ada#1', ...renaming })).toEqual({ allowed: true })
  await table.User.update({ userId: ada }, { preferredUsername: null })
  expect(await decider.can({ user: 'ada#1', ...renaming })).toMatchObject({ reason: { code: 'UnknownUser' } })
  await table.User.create({ userId: mal, email: 'mal@example.org', preferredUsername: 'ada#1' })
  expect(await decider.can({ user: 'ada#1', ...renaming })).toMatchObject({ reason: { code: 'NoGrant' } })
})

test('a malformed item of a name denies as a fault', async () => {
  const table = await open()
  const key = 'USER_EMAIL#ada@example.org'
  await setLiterally(table.runtime, { PK: key, SK: key }, 'userId', 'ada')
  const decider = decideAuthorization(engine)(table.runtime)
  expect(await decider.can({ user: 'ada@example.org', ...renaming })).toMatchObject({ reason: { kind: 'fault', code: 'MalformedItem' } })
})

test('a name costs a round trip of its own the first time, and none from then on', async () => {
  const table = await open()
  const decider = decideAuthorization(engine)(table.runtime, { maxStalenessMs: 600_000 })
  const trips = async () => (await meter(() => decider.can({ user: 'ada@example.org', ...renaming }))).cost.roundTrips
  expect([await trips(), await trips()]).toEqual([4, 1])
})
