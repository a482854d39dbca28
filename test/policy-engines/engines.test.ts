import { UpdatePolicyCommand, VerifiedPermissionsClient } from '@aws-sdk/client-verifiedpermissions'
import { localEngine, type PolicyEngine, type PolicyRequest, schemaToJson } from '@freehold/frame/cedar'
import { verifiedPermissions } from '@freehold/service/verified-permissions'
import { describe, expect, test } from 'vitest'
import { type CedarCase, cedarCases, requestOf, toldBy, uid } from '../../packages/frame/test/cedar-cases.ts'
import { emptyStore, openedStore } from './opened-store.ts'
import type { Injected } from './policy-store-stub.ts'

// Both engines of policies answer alike. The policy store is one on loopback, written from AWS's documentation.

const anyone = '@id("a") permit (principal, action, resource);'
const local = (...policies: readonly string[]) =>
  localEngine({ schema: cedarCases.schema, policies: new Map([['test.cedar', policies.join('\n')]]) })
const stored = async (...policies: readonly string[]): Promise<PolicyEngine> => (await openedStore(policies)).engine

describe.each([
  ['local', local],
  ['Verified Permissions', stored],
])('what we rely on of Cedar, by the engine: %s', (_, engineOf) => {
  test.each(cedarCases.cases)('$name', async (one: CedarCase) => {
    const { decision, by, errors, refused } = toldBy(await (await engineOf(...one.policies)).isAuthorized(requestOf(one)))
    expect({ decision, by, errors: errors.map((each) => each.split(' ')[1]) }).toEqual({
      ...{ decision: one.decision, by: one.by ?? [], errors: one.errors ?? [] },
    })
    expect(refused).toContain(one.refused ?? '')
    expect(refused === '').toBe(one.refused === undefined)
  })
})

test('the deciding policies come with their annotations and text, and what was skipped with its effect', async () => {
  const policies = [
    '@id("a") @reason("Anybody may.") permit (principal, action, resource);',
    '@id("b") forbid (principal, action, resource) when { context.n + 9223372036854775807 > 0 };',
  ]
  const [one, other] = [
    await (await local(...policies)).isAuthorized(requestOf()),
    await (await stored(...policies)).isAuthorized(requestOf()),
  ]
  expect(toldBy(other)).toEqual(toldBy(one))
  expect(toldBy(one).errors).toEqual(['forbid b'])
  const told = ({ policies: by }: typeof one) => by.map(({ id, effect, annotations, text }) => ({ id, effect, annotations, text }))
  expect(told(other)).toEqual(told(one))
})

test('both read the schema alike', async () => {
  const [one, other] = [await local(), await stored()]
  expect(other.actionsOn('Doc')).toEqual(one.actionsOn('Doc'))
  expect(other.actionsOn('Doc')).toEqual(['edit', 'view'])
  expect(other.attributesOf('User')).toEqual(one.attributesOf('User'))
  expect(other.contextOf('view')).toEqual(one.contextOf('view'))
})

const withTenant = `${cedarCases.schema.replaceAll('n: Long', 'n: Long, tenant?: Tenant')}\nentity Tenant;`
/** A question of a tenant about a document. */
function asked({ user = 'ada', doc = 'plan', tenant = 'acme', title = 'report', owner = 'ada' } = {}): PolicyRequest {
  const resource = uid('Doc', doc)
  return {
    ...{ principal: uid('User', user), action: uid('Action', 'view'), resource },
    context: { n: 1, tenant: { __entity: { type: 'Tenant', id: tenant } } },
    entities: [
      { uid: uid('User', user), attrs: { name: user } },
      { uid: resource, attrs: { owner: { __entity: { type: 'User', id: owner } }, title, size: 1, tags: [] } },
      { uid: uid('Tenant', tenant) },
    ],
  }
}
const numbers = (count: number) => Array.from({ length: count }, (_, index) => String(index))

describe('questions that are asked at the same time', () => {
  /** The sizes of the batches, and all answers. */
  async function batches(requests: readonly PolicyRequest[], ...policies: readonly string[]) {
    const { stub, engine } = await openedStore(policies.length === 0 ? [anyone] : policies, withTenant)
    const answers = await Promise.all(requests.map((request) => engine.isAuthorized(request)))
    const sent = stub.asked.map(({ body }) => body.requests as readonly { readonly context: { readonly cedarJson: string } }[])
    const tenants = sent.map((batch) => new Set(batch.map(({ context }) => JSON.parse(context.cedarJson).tenant.__entity.id)))
    return { answers, sizes: sent.map(({ length }) => length).sort((one, other) => other - one), tenants }
  }

  test.each([
    ['of one principal', numbers(70).map((doc) => asked({ doc })), [30, 30, 10]],
    ['of one resource', numbers(31).map((user) => asked({ user, owner: 'boss' })), [30, 1]],
    ['of neither', [asked(), asked({ user: 'bob', doc: 'other' })], [1, 1]],
    ['of one principal in two tenants', [asked(), asked({ tenant: 'rival' })], [1, 1]],
    ['with two states of one entity', [asked(), asked({ title: 'draft' })], [1, 1]],
    ['of which one refers to the entity of another', [asked({ owner: 'bob' }), asked({ user: 'bob', owner: 'bob' })], [1, 1]],
    ['the same twice', [asked(), asked()], [2]],
  ])('%s', async (_, requests, expected) => {
    const { answers, sizes, tenants } = await batches(requests)
    expect(sizes).toEqual(expected)
    expect(answers.map(({ decision }) => decision)).toEqual(requests.map(() => 'allow'))
    for (const batch of tenants) expect(batch.size).toBe(1)
  })

  test('are decided each as if it were alone, also by a policy that names an entity', async () => {
    const policies = [
      '@id("a") permit (principal, action, resource) when { User::"bob".name == "bob" };',
      '@id("b") permit (principal, action, resource) when { resource.owner.name == "bob" };',
    ]
    const requests = ['ada', 'bob', 'eve'].flatMap((user) => ['ada', 'bob'].map((owner) => asked({ user, owner, doc: owner })))
    const engine = await localEngine({ schema: withTenant, policies: new Map([['test.cedar', policies.join('\n')]]) })
    const alone = await Promise.all(requests.map(async (request) => toldBy(await engine.isAuthorized(request))))
    const { answers } = await batches(requests, ...policies)
    expect(answers.map(toldBy)).toEqual(alone)
    expect(new Set(alone.map(({ by, errors }) => `${by} ${errors}`)).size).toBeGreaterThan(2)
  })

  test('a wrong one does not fail the others', async () => {
    const { answers, sizes } = await batches([asked(), asked({ doc: 'x'.repeat(201) }), asked({ doc: 'other' })])
    expect(answers.map(({ decision }) => decision)).toEqual(['allow', 'deny', 'allow'])
    expect(answers[1]?.errors).toEqual([{ message: expect.stringContaining('200 characters') }])
    expect(sizes).toEqual([3, 1, 1, 1])
  })

  test('more than a request may hold go one after another, and one that is too large is refused', async () => {
    const { answers, sizes } = await batches([
      asked({ title: 'x'.repeat(500_000) }),
      asked({ doc: 'other', title: 'x'.repeat(500_000) }),
      asked({ doc: 'third', title: 'x'.repeat(1_100_000) }),
    ])
    expect(answers.map(({ decision }) => decision)).toEqual(['allow', 'allow', 'deny'])
    expect(sizes).toEqual([1, 1, 1])
  })

  test('what does not fit the schema is not sent', async () => {
    const { stub, engine } = await openedStore([anyone])
    expect(await engine.isAuthorized(requestOf({ context: { n: 2 ** 53 } }))).toMatchObject({ decision: 'deny', errors: [{}] })
    expect(stub.asked).toEqual([])
  })
})

describe('a failing policy store', () => {
  const times = (count: number, injected: Injected) => {
    let left = count
    return () => (left-- > 0 ? injected : undefined)
  }

  test.each<[string, Injected]>([
    ['throttling', { code: 'ThrottlingException' }],
    ['a failure of the service', { code: 'InternalServerException', status: 500 }],
    ['a lost request', 'lose-request'],
    ['a lost answer', 'lose-answer'],
  ])('%s passes', async (_, injected) => {
    const { stub, engine } = await openedStore([anyone])
    stub.inject = times(3, injected)
    expect(await engine.isAuthorized(requestOf())).toMatchObject({ decision: 'allow' })
    expect(stub.asked).toHaveLength(4)
  })

  test.each<[string, Injected, string, number]>([
    ['throttling to the end', { code: 'ThrottlingException' }, 'Busy', 50],
    ['a service that fails to the end', { code: 'InternalServerException', status: 500 }, 'Unavailable', 50],
    ['denied access', { code: 'AccessDeniedException' }, 'Unavailable', 1],
    ['a policy store that is gone', { code: 'ResourceNotFoundException' }, 'NotFound', 1],
  ])('%s is an error, and no decision', async (_, injected, code, count) => {
    const { stub, engine } = await openedStore([anyone], cedarCases.schema, { monotonic_ms: () => 0 })
    stub.inject = () => injected
    await expect(engine.isAuthorized(requestOf())).rejects.toMatchObject({ code })
    expect(stub.asked).toHaveLength(count)
  })

  test('no attempt begins after the end of the call', async () => {
    let now = 0
    const { stub, engine } = await openedStore([anyone], cedarCases.schema, { monotonic_ms: () => now, patience_ms: 1000, random: () => 1 })
    stub.inject = () => {
      now += 400
      return { code: 'ThrottlingException' }
    }
    await expect(engine.isAuthorized(requestOf())).rejects.toMatchObject({ code: 'Busy' })
    expect(stub.asked).toHaveLength(3)
  })

  type Results = { readonly results: readonly Readonly<Record<string, unknown>>[] }
  const changed = (change: (result: Readonly<Record<string, unknown>>) => object): Injected => ({
    answer: (body) => ({ results: (body as Results).results.map(change) }),
  })
  test.each<[string, Injected]>([
    ['no results', { answer: () => ({}) }],
    ['fewer results', { answer: () => ({ results: [] }) }],
    ['more results', { answer: (body) => ({ results: [...(body as Results).results, ...(body as Results).results] }) }],
    ['no decision', changed(({ decision: _, ...rest }) => rest)],
    ['another decision', changed((result) => ({ ...result, decision: 'MAYBE' }))],
    [
      'the decision about another question',
      changed((result) => ({ ...result, request: { ...(result.request as object), resource: { entityType: 'Doc', entityId: 'other' } } })),
    ],
    ['no question', changed(({ request: _, ...rest }) => rest)],
    ['no policy that permits', changed((result) => ({ ...result, determiningPolicies: [] }))],
    ['a policy that the store has not', changed((result) => ({ ...result, determiningPolicies: [{ policyId: 'none' }] }))],
    ['no errors', changed(({ errors: _, ...rest }) => rest)],
    ['a body that is none', { answer: () => 'ALLOW' }],
    ['a permit by a policy that forbids', changed((result) => ({ ...result, decision: 'ALLOW' }))],
  ])('an answer with %s is none', async (name, injected) => {
    const { stub, engine } = await openedStore(name.endsWith('forbids') ? ['@id("a") forbid (principal, action, resource);'] : [anyone])
    stub.inject = (operation) => (operation === 'BatchIsAuthorized' ? injected : undefined)
    await expect(engine.isAuthorized(requestOf())).rejects.toMatchObject({ code: 'Unavailable' })
  })

  test('an error that names no policy, or two, is one of the request', async () => {
    const { stub, engine } = await openedStore([anyone])
    stub.inject = () => changed((result) => ({ ...result, errors: [{ errorDescription: 'It failed.' }] }))
    expect(toldBy(await engine.isAuthorized(requestOf()))).toMatchObject({ refused: 'It failed.' })
  })
})

test('a policy that is pushed meanwhile is read when it decides, and the version is another one', async () => {
  const { stub, engine } = await openedStore([])
  const before = engine.version
  stub.put(stub.schema() ?? '', [anyone])
  expect(toldBy(await engine.isAuthorized(requestOf()))).toMatchObject({ decision: 'allow', by: ['a'] })
  expect(engine.version).not.toBe(before)
})

test('a policy without @id, and one that Cedar does not read, are told by their names in the store', async () => {
  const { engine } = await openedStore(['permit (principal, action, resource);'])
  const { policies } = await engine.isAuthorized(requestOf())
  expect(policies).toEqual([expect.objectContaining({ id: expect.stringMatching(/^SPEXAMPLE/), effect: 'permit' })])
})

test('a policy store without a schema, and one that is not there, are no engine', async () => {
  const { options } = await emptyStore()
  await expect(verifiedPermissions(options)).rejects.toMatchObject({
    code: 'Unavailable',
    message: expect.stringContaining('has no schema'),
  })
  await expect(verifiedPermissions({ ...options, policyStoreId: 'none' })).rejects.toMatchObject({ code: 'NotFound' })
})

test('a store is read again once it has changed: its schema, or the text of a policy', async () => {
  const { stub, engine } = await openedStore([anyone])
  expect([await engine.refresh(), stub.asked.some(({ operation }) => operation === 'GetPolicy')]).toEqual([false, false])
  const [version] = [engine.version]
  stub.put(await schemaToJson('entity User; entity Doc; action view, edit, print appliesTo { principal: User, resource: Doc };'), [])
  expect([await engine.refresh(), engine.actionsOn('Doc')]).toEqual([true, ['edit', 'print', 'view']])
  const client = new VerifiedPermissionsClient({ endpoint: stub.endpoint, region: 'eu-central-1' })
  const [policyId] = stub.policies.keys()
  const statement = '@id("a") permit (principal, action == Action::"view", resource);'
  await client.send(new UpdatePolicyCommand({ policyStoreId: stub.policyStoreId, policyId, definition: { static: { statement } } }))
  client.destroy()
  expect([await engine.refresh(), await engine.refresh(), engine.version === version]).toEqual([true, false, false])
})
