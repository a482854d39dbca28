import { type AnyDesign, type ConnectedTable, connect, type FreeholdError } from '@freehold/table'
import { scanItems } from '@freehold/table/runtime'
import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { senderAfter } from '../../../../test/engine/sender-after.ts'
import { type Caller, operator } from '../../../frame/src/flow/actor.ts'
import type { OfferedFlows } from '../../../frame/src/flow/offered-flows.ts'
import type { VerifiedPerson } from '../../../frame/src/issuers/verified-token.ts'
import { accountManagement } from '../../src/account-management/design.ts'
import { accountFlows, offeredAccountFlows } from '../../src/account-management/flows/flows.ts'
import { authorization } from '../../src/authorization/design.ts'
import { flowActionsWith } from '../../src/authorization/flows/flow-actions.ts'
import { authorizationFlowsWith, offeredAuthorizationFlows } from '../../src/authorization/flows/flows.ts'
import { platform } from '../../src/platform/design.ts'
import { offeredPlatformFlows, platformFlows } from '../../src/platform/flows/flows.ts'
import { authorizationScene, authorizationWork } from '../authorization-flows.ts'
import { withDeclaredErrors } from '../declared-errors.ts'
import { inRounds } from '../in-rounds.ts'
import { ownTableOf } from '../own-table.ts'

// People of an issuer in the designs whose tenants say who may become a user.

type Values = Readonly<Record<string, unknown>>
const consistent = { consistent: true }
const acme = { provider: 'acme', issuer: 'x', isAddressVerified: true } as const
let now_ms = Date.parse('2026-01-01T00:00:00Z')
const clock = { now: () => new Date(now_ms) }

/** A design with its own names for what all of them have. */
interface Scene {
  readonly table: ConnectedTable
  readonly offered: OfferedFlows
  /** Its names: of the user's id in an identity, and of tenant and user by themselves. */
  readonly holder: string
  readonly tenantId: string
  readonly userId: string
  readonly tenant: string
  readonly providers: string
  readonly createTenant: (name: string) => readonly [flow: string, input: Values]
  readonly createUser: (tenant: string, email: string) => readonly [flow: string, input: Values]
  readonly suspendTenant: string
  /** How one who may not act is made; undefined where all users may. */
  readonly disable?: string
}

const names = { camel: { holder: 'userId', providers: 'identityProviders' }, snake: { holder: 'user_id', providers: 'identity_providers' } }
const scenes: Readonly<Record<string, () => Promise<Scene>>> = {
  'account-management': async () => ({
    ...{
      table: await ownTableOf(accountManagement, { ...clock, jobHandlers: offeredAccountFlows.jobHandlers }),
      offered: withDeclaredErrors(accountFlows, offeredAccountFlows) as never,
    },
    ...{ ...names.snake, tenantId: 'id', userId: 'id', tenant: 'Client', suspendTenant: 'suspendClient', disable: 'disableUser' },
    createTenant: (name) => ['createClient', { name }],
    // An invited user is not active before it accepts.
    createUser: (client_id, email) => ['inviteUser', { client_id, email, user_type: 'external_customer' }],
  }),
  platform: async () => ({
    ...{
      table: await ownTableOf(platform, { ...clock, jobHandlers: offeredPlatformFlows().jobHandlers }),
      offered: withDeclaredErrors(platformFlows, offeredPlatformFlows()) as never,
    },
    ...{ ...names.camel, tenantId: 'id', userId: 'id', tenant: 'Account', suspendTenant: 'suspendAccount', disable: 'deactivateUser' },
    createTenant: (name) => ['createAccount', { name }],
    createUser: (accountId, email) => ['createUser', { accountId, email, firstName: 'Ada', lastName: 'Lovelace' }],
  }),
  authorization: async () => ({
    ...{
      table: await ownTableOf(authorization, clock),
      offered: withDeclaredErrors(authorizationFlowsWith(flowActionsWith({})), offeredAuthorizationFlows()) as never,
    },
    ...{ ...names.camel, tenantId: 'tenantId', userId: 'userId', tenant: 'Tenant', suspendTenant: 'suspendTenant' },
    createTenant: (name) => ['createTenant', { name }],
    createUser: (_, email) => ['createUser', { email }],
  }),
}

describe.each(Object.entries(scenes))('in %s', (design, open) => {
  let scene: Scene
  let offered: OfferedFlows
  let count = 0
  beforeEach(() => {
    // Denied calls of one minute are counted together.
    now_ms += 120_000
  })
  beforeAll(async () => {
    scene = await open()
    offered = scene.offered
  })

  const caller: Caller = { actor: operator }
  const run = async (flow: string, input: Values): Promise<Values> => Object(await scene.offered.run(scene.table, flow, input, caller))
  /** A tenant that lets people of these providers become its users. */
  const newTenant = async (...allowed: readonly string[]): Promise<string> => {
    const id = String((await run(...scene.createTenant(`Tenant ${++count}`)))[scene.tenantId])
    if (allowed.length > 0) await run('setIdentityProviders', { [scene.tenantId]: id, [scene.providers]: allowed })
    return id
  }
  const newUser = async (tenant: string, email: string): Promise<string> => {
    const id = String((await run(...scene.createUser(tenant, email)))[scene.userId])
    if (design === 'account-management') await run('acceptInvitation', { id })
    if (design === 'authorization') await run('createGrant', { tenantId: tenant, userId: id, roles: [] })
    return id
  }
  const person = (more: Partial<VerifiedPerson> = {}): VerifiedPerson => ({
    ...{ provider: 'acme', issuer: 'https://id.acme.example', subject: `s-${++count}`, address: `p${count}@acme.example` },
    ...{ isAddressVerified: true, firstSight: 'link' },
    ...more,
  })
  const at = async (one: VerifiedPerson) => (await offered.personAt(scene.table, one)).id
  const identity = async ({ provider, subject }: Pick<VerifiedPerson, 'provider' | 'subject'>): Promise<Values | undefined> =>
    scene.table.repositoryNamed('SignInIdentity').get({ provider, subject }, consistent)
  const signIn = (one: VerifiedPerson) =>
    scene.offered.run(
      scene.table,
      'signIn',
      { provider: one.provider, subject: one.subject, address: one.address, tenant: one.tenant, unknown: one.firstSight },
      { actor: { kind: 'identity-provider', name: 'acme' } },
    )
  /** What the records of denied calls tell of a subject. */
  const recorded = async (subject: string): Promise<Values[]> => {
    const entity = design === 'account-management' ? 'AuditLog' : 'Change'
    const all: Values[] = []
    for await (const page of scanItems(scene.table.runtime)) all.push(...page)
    return all
      .filter(({ Type, status }) => Type === entity && status === 'failure')
      .map(({ more, metadata, related, related_entities }) => ({
        ...Object(more ?? metadata),
        related: Object(related ?? related_entities),
      }))
      .filter(({ related }) => related.subject === subject)
      .map(({ reason, related }) => ({ reason, related }))
  }
  const reasonOf = (signing: Promise<unknown>) =>
    signing.then(
      () => 'signed in',
      ({ code, details }: FreeholdError) => details?.reason ?? code,
    )

  test('a person is linked to the user with the address, and found by the subject from then on', async () => {
    const tenant = await newTenant('acme')
    const one = person({ address: 'Ada@Acme.example' })
    const id = await newUser(tenant, 'ada@acme.example')
    expect(await at(one)).toBe(id)
    expect(await identity(one)).toMatchObject({ [scene.holder]: id, provider: 'acme', subject: one.subject, version: 1 })
    expect((await offered.personAt(scene.table, one)).tenant).toBe(design === 'authorization' ? undefined : tenant)
    // Whatever the token says by then.
    expect(await at({ ...one, address: undefined, isAddressVerified: false, firstSight: 'refuse' })).toBe(id)
    const pattern = await Object(scene.table).signInsOfUser({ [scene.holder]: id })
    expect(pattern.items).toMatchObject([{ provider: 'acme', subject: one.subject }])
  })

  test('a token names its user by id or as a person, and nobody if its issuer is for other designs', async () => {
    const one = person()
    const id = await newUser(await newTenant('acme'), String(one.address))
    const found = await offered.personAt(scene.table, one)
    expect(found.id).toBe(id)
    for (const user of [one, { id }]) {
      const token = { issuer: one.issuer, claims: {}, user }
      expect(await offered.userOf(scene.table, { ...token, designs: [design] })).toEqual(found)
      await expect(offered.userOf(scene.table, { ...token, designs: ['another'] })).rejects.toMatchObject({ code: 'Denied' })
    }
  })

  test('a person is made a user without roles of the tenant that the token names, if that allows it', async () => {
    const tenant = await newTenant('acme')
    const one = person({ firstSight: 'make', tenant, name: 'Ada King Lovelace' })
    const id = await at(one)
    const user: Values = Object(await scene.table.repositoryNamed('User').get({ [scene.userId]: id }, consistent))
    expect(Object.values(user)).toEqual(expect.arrayContaining([one.address, 'Ada King', 'Lovelace']))
    expect(await at(one)).toBe(id)
  })

  test.each<[reason: string, Partial<VerifiedPerson>, tenants: readonly string[], isUser: boolean]>([
    ['EmailNotVerified', { isAddressVerified: false }, ['acme'], true],
    ['UnknownIdentity', { firstSight: 'refuse' }, ['acme'], true],
    ['ProviderNotAllowed', {}, [], true],
    ['ProviderNotAllowed', {}, ['other'], true],
    ['UnknownUser', {}, ['acme'], false],
    ['NoTenant', { firstSight: 'make' }, ['acme'], false],
    ['TenantNotActive', { firstSight: 'make', tenant: 'no tenant' }, ['acme'], false],
    ['ForeignUser', { tenant: 'no tenant' }, ['acme'], true],
  ])('%s refuses %j of a tenant that allows %j, and an administrator sees why', async (reason, more, allowed, isUser) => {
    const one = person(more)
    if (isUser) await newUser(await newTenant(...allowed), String(one.address))
    await expect(offered.personAt(scene.table, one)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'UnknownUser' } })
    expect(await identity(one)).toBeUndefined()
    const told = { provider: 'acme', subject: one.subject, ...(one.isAddressVerified ? { address: one.address } : {}) }
    expect(await recorded(one.subject)).toEqual([{ reason, related: expect.objectContaining(told) }])
    expect(await reasonOf(signIn({ ...one, address: one.isAddressVerified ? one.address : undefined }))).toBe(reason)
  })

  test('another subject of the provider is not the same user, also where both come at once', async () => {
    const tenant = await newTenant('acme', 'github')
    const one = person()
    const id = await newUser(tenant, String(one.address))
    const rivals = Array.from({ length: 6 }, (_, index) => ({ ...one, subject: `${one.subject}-${index % 2}` }))
    const all = await Promise.all(rivals.map((each) => reasonOf(at(each))))
    expect(all.filter((each) => each === 'signed in')).toHaveLength(3)
    const { items } = await Object(scene.table).signInsOfUser({ [scene.holder]: id }, consistent)
    expect(items).toHaveLength(1)
    expect(await reasonOf(signIn({ ...one, subject: 'third' }))).toBe('AnotherSubject')
    // Another provider is.
    expect(await at({ ...one, provider: 'github' })).toBe(id)
  })

  test('twenty first sign-ins at once make one user with one identity', async () => {
    const one = person({ firstSight: 'make', tenant: await newTenant('acme') })
    const ids = await Promise.all(Array.from({ length: 20 }, () => at(one)))
    expect(new Set(ids).size).toBe(1)
    const users = []
    for await (const page of scanItems(scene.table.runtime))
      users.push(...page.filter(({ Type, email }) => Type === 'User' && email === one.address))
    expect(users).toHaveLength(1)
  })

  test('a person of a user who may not act, or is gone, is nobody; removed, the user leaves no identity, and its subject may be somebody else', async () => {
    const tenant = await newTenant('acme')
    const one = person()
    const id = await newUser(tenant, String(one.address))
    await at(one)
    if (scene.disable !== undefined) {
      await run(scene.disable, { id })
      expect(await reasonOf(at(one))).toBe('UserNotActive')
      const two = person()
      const other = await newUser(tenant, String(two.address))
      await run(scene.disable, { id: other })
      expect(await reasonOf(signIn(two))).toBe('UserNotActive')
      expect(await identity(two)).toBeUndefined()
    }
    await run('deleteUser', { [scene.userId]: id })
    expect(await identity(one)).toBeUndefined()
    expect((await Object(scene.table).signInsOfUser({ [scene.holder]: id }, consistent)).items).toEqual([])
    expect(await reasonOf(at(one))).toBe('UnknownUser')
    const next = await newUser(tenant, String(one.address))
    expect(await at(one)).toBe(next)
  })

  test('a suspended tenant gets no users, and a provider that it no longer allows links nobody else', async () => {
    const tenant = await newTenant('acme')
    const [one, two] = [person(), person()]
    const id = await newUser(tenant, String(one.address))
    await newUser(tenant, String(two.address))
    await at(one)
    await run('setIdentityProviders', { [scene.tenantId]: tenant, [scene.providers]: null })
    expect([await at(one), await reasonOf(signIn(two))]).toEqual([id, 'ProviderNotAllowed'])
    await run('setIdentityProviders', { [scene.tenantId]: tenant, [scene.providers]: ['acme'] })
    await run(scene.suspendTenant, { [scene.tenantId]: tenant })
    expect(await reasonOf(signIn(two))).toBe('TenantNotActive')
  })

  test('an operator links a person, and takes the link away; a provider speaks for itself alone', async () => {
    const one = person({ firstSight: 'refuse' })
    const id = await newUser(await newTenant(), 'else@acme.example')
    const key = { provider: one.provider, subject: one.subject }
    const { version } = await run('linkIdentity', { ...key, [scene.holder]: id })
    expect(await at(one)).toBe(id)
    expect(await reasonOf(run('linkIdentity', { ...key, [scene.holder]: id }))).toBe('AlreadyExists')
    expect(await reasonOf(run('unlinkIdentity', { ...key, version: Number(version) + 1 }))).toBe('VersionConflict')
    await run('unlinkIdentity', { ...key, version })
    expect(await reasonOf(at(one))).toBe('UnknownUser')
    expect(await reasonOf(signIn({ ...one, provider: 'other' }))).toBe('AnotherProvider')
  })

  test('who was unlinked stays so, by each subject of the provider, until an operator links it', async () => {
    const [tenant, one] = [await newTenant('acme'), person()]
    const id = await newUser(tenant, String(one.address))
    await at(one)
    const key = { provider: one.provider, subject: one.subject }
    for (let times = 0; times < 2; times++) {
      await run('unlinkIdentity', key)
      for (const again of [one, { ...one, subject: 'another', firstSight: 'make' as const }])
        expect([await reasonOf(at(again)), await reasonOf(signIn(again))]).toEqual(['UnknownUser', 'Unlinked'])
      await run('linkIdentity', { ...key, [scene.holder]: id })
      expect(await at(one)).toBe(id)
    }
  })

  test.each([
    ['subject', { subject: 'a\u202eb' }],
    ['subject', { subject: 'x'.repeat(1_024) }],
    ['provider', { provider: 'A#' }],
  ])('a %s that can stand in no key is nobody', async (_, more) => {
    expect(await reasonOf(at(person(more)))).toBe('UnknownUser')
  })
})

test.each([
  ['account-management', accountManagement, offeredAccountFlows],
  ['platform', platform, offeredPlatformFlows()],
])('a token for another tenant than that of its user is refused in %s', async (name, design, offered: OfferedFlows) => {
  const table = await ownTableOf<AnyDesign>(design, { jobHandlers: offered.jobHandlers })
  const run = async (flow: string, input: Values): Promise<Values> => Object(await offered.run(table, flow, input, { actor: operator }))
  const isAccount = name === 'account-management'
  const tenants = [
    await run(isAccount ? 'createClient' : 'createAccount', { name: 'A' }),
    await run(isAccount ? 'createClient' : 'createAccount', { name: 'B' }),
  ]
  const [own, other] = tenants.map(({ id }) => String(id))
  for (const { id } of tenants)
    await run('setIdentityProviders', { id, [isAccount ? 'identity_providers' : 'identityProviders']: ['acme'] })
  const one: VerifiedPerson = {
    provider: 'acme',
    issuer: 'x',
    subject: '1',
    address: 'a@acme.example',
    isAddressVerified: true,
    tenant: own,
    firstSight: 'make',
  }
  const { id } = await offered.personAt(table, one)
  expect(
    await offered.personAt(table, { ...one, tenant: own?.toUpperCase() }).then(
      () => true,
      () => false,
    ),
  ).toBe(isAccount)
  await expect(offered.personAt(table, { ...one, tenant: other })).rejects.toMatchObject({ details: { reason: 'ForeignUser' } })
  expect(await offered.personAt(table, { ...one, tenant: undefined })).toEqual({ id, tenant: own })
  if (isAccount) {
    const { id: user_id } = await run('inviteUser', { user_type: 'internal', email: 'b@ours.example' })
    await run('acceptInvitation', { id: user_id })
    await run('linkIdentity', { provider: 'acme', subject: '2', user_id })
    const two = { ...one, subject: '2' }
    // A name that is no id names a tenant, too.
    for (const tenant of [own, 'acme.example'])
      await expect(offered.personAt(table, { ...two, tenant })).rejects.toMatchObject({ details: { reason: 'ForeignUser' } })
    expect(await offered.personAt(table, { ...two, tenant: undefined })).toEqual({ id: user_id, tenant: undefined })
  }
  if (isAccount) {
    // What the client of an identity has allowed, another client has not.
    await expect(run('moveUser', { id, client_id: other })).rejects.toMatchObject({ code: 'InUse', details: { user: 'SignInIdentity' } })
    await run('unlinkIdentity', { provider: 'acme', subject: '1' })
    await run('moveUser', { id, client_id: other })
    await run('linkIdentity', { provider: 'acme', subject: '1', user_id: id })
    expect(await offered.personAt(table, { ...one, tenant: other })).toEqual({ id, tenant: other })
  }
})

test('a user of several tenants is linked only if each of them allows it', async () => {
  const table = await ownTableOf(authorization)
  const offered = offeredAuthorizationFlows()
  const flows = offered.of(table, { actor: operator })
  const tenants = [await flows.createTenant({ name: 'A' }), await flows.createTenant({ name: 'B' })]
  const { userId } = await flows.createUser({ email: 'a@acme.example' })
  const one: VerifiedPerson = {
    provider: 'acme',
    issuer: 'x',
    subject: '1',
    address: 'a@acme.example',
    isAddressVerified: true,
    firstSight: 'make',
  }
  await expect(offered.personAt(table, one)).rejects.toMatchObject({ code: 'Denied' })
  for (const { tenantId } of tenants) await flows.createGrant({ tenantId, userId, roles: [] })
  for (const { tenantId } of tenants) {
    await expect(offered.personAt(table, one)).rejects.toMatchObject({ code: 'Denied' })
    await flows.setIdentityProviders({ tenantId, identityProviders: ['acme'] })
  }
  expect((await offered.personAt(table, one)).id).toBe(userId)
})

test('a calling user grants nothing to one whom a provider signs in that the tenant has not allowed; an operator does', async () => {
  const work = await authorizationWork()
  const { ours, theirs: tenantId, lead, admin } = await authorizationScene(work, 'x')
  await work.flows.createGrant({ tenantId, userId: lead, roles: [admin] })
  await work.flows.setIdentityProviders({ tenantId: ours, identityProviders: ['acme'] })
  const one: VerifiedPerson = {
    ...{ provider: 'acme', issuer: 'x', subject: '1', address: 'a@acme.example', isAddressVerified: true },
    ...{ tenant: ours, firstSight: 'make' },
  }
  const { id: userId } = await work.offered.personAt(work.table, one)
  const granting = { tenantId, userId, roles: [] }
  await expect(work.as(lead).createGrant(granting)).rejects.toMatchObject({ code: 'Denied', details: { reason: 'ProviderNotAllowed' } })
  await work.flows.createGrant(granting)
  await work.flows.removeGrant({ tenantId, userId })
  await work.flows.setIdentityProviders({ tenantId, identityProviders: ['other', 'acme'] })
  expect(await work.as(lead).createGrant(granting)).toMatchObject(granting)
})

test('in no order of their requests do a first sign-in and the grant of a tenant that has not allowed its provider both succeed', async () => {
  let scheduler: fc.Scheduler | undefined
  const sender = senderAfter(async () => {
    // A request goes out when the scheduler says so.
    await scheduler?.schedule(Promise.resolve())
  })
  const work = await authorizationWork({ sender, random: () => 0 })
  const { ours, theirs: tenantId, lead, admin } = await authorizationScene(work, 'x')
  await work.flows.createGrant({ tenantId, userId: lead, roles: [admin] })
  await work.flows.setIdentityProviders({ tenantId: ours, identityProviders: ['acme'] })
  let persons = 0
  const first = new Set<number>()
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), async (scheduling) => {
      scheduler = undefined
      const subject = `s-${++persons}`
      const address = `${subject}@acme.example`
      const { userId } = await work.flows.createUser({ email: address })
      await work.flows.createGrant({ tenantId: ours, userId, roles: [] })
      scheduler = scheduling
      const all = Promise.allSettled([
        work.offered.personAt(work.table, { ...acme, subject, address, firstSight: 'link' }),
        work.as(lead).createGrant({ tenantId, userId, roles: [] }),
      ])
      const ends = (await scheduling.waitFor(all)).map(({ status }) => status)
      scheduler = undefined
      first.add(ends.indexOf('fulfilled'))
      expect([...ends].sort()).toEqual(['fulfilled', 'rejected'])
    }),
    { numRuns: 60 },
  )
  // Either was first in some order.
  expect(first.size).toBe(2)
})

test('a person who came before is found in one round trip, and a guess that is wrong by now is found out', async () => {
  const table = await ownTableOf(authorization)
  const rounds = inRounds(table.runtime.sender)
  const counted = connect(authorization, { table: table.runtime.table, sender: rounds.sender })
  const offered = offeredAuthorizationFlows()
  const flows = offered.of(table, { actor: operator })
  const { userId } = await flows.createUser({ email: 'a@acme.example' })
  await flows.linkIdentity({ provider: 'acme', subject: '1', userId })
  const found: string[] = []
  const one: VerifiedPerson = { provider: 'acme', issuer: 'x', subject: '1', isAddressVerified: false, firstSight: 'refuse' }
  const work = async () => found.push((await offered.personAt(counted, one)).id)
  expect([await rounds.count([{ from: 0, work }]), await rounds.count([{ from: 0, work }])]).toEqual([[2], [1]])
  await flows.unlinkIdentity({ provider: 'acme', subject: '1' })
  const { userId: second } = await flows.createUser({ email: 'b@acme.example' })
  await flows.linkIdentity({ provider: 'acme', subject: '1', userId: second })
  await flows.deleteUser({ userId })
  expect([await rounds.count([{ from: 0, work }]), await rounds.count([{ from: 0, work }])]).toEqual([[2], [1]])
  expect(found).toEqual([userId, userId, second, second])
})

test('an invitation that its person accepts several times at once is accepted once; the others are told so', async () => {
  const { table, offered } = (await scenes['account-management']?.()) ?? expect.fail()
  const run = async (flow: string, input: Values, caller: Caller = { actor: operator }): Promise<Values> =>
    Object(await offered.run(table, flow, input, caller))
  const { id: client_id } = await run('createClient', { name: 'Acme' })
  await run('setIdentityProviders', { id: client_id, identity_providers: ['acme'] })
  const { id } = await run('inviteUser', { client_id, email: 'a@acme.example', user_type: 'client_admin' })
  const actor = { kind: 'identity-provider', name: 'acme' } as const
  const accept = () =>
    run('acceptInvitation', { id }, { actor, person: { ...acme, subject: '1', address: 'a@acme.example', firstSight: 'link' } })
  const all = await Promise.allSettled([accept(), accept(), accept()])
  const told = all.map((each) => (each.status === 'fulfilled' ? 'accepted' : each.reason.details.reason))
  expect(told.sort()).toEqual(['NoInvitation', 'NoInvitation', 'accepted'])
})
