import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { schemaToJson } from '@freehold/frame/cedar'
import { SignJWT } from 'jose'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { policyStoreStub } from '../../../../test/policy-engines/policy-store-stub.ts'
import { folder, freehold, freshTable } from '../../test/recorded-shell.ts'
import { bundleCommand, runCommand } from '../../test/spawned.ts'

const table = freshTable()
const cwd = folder()
const env = { DYNAMODB_ENDPOINT: endpoint }
const run = (argv: readonly string[], more: Readonly<Record<string, string>> = {}) =>
  freehold([...argv, '--table', table], { cwd, env: { ...env, ...more } })
const flow = (name: string, input: object, ...flags: string[]) => run(['do', 'authorization', name, JSON.stringify(input), ...flags])

afterAll(async () => {
  vi.unstubAllEnvs()
  await stub.close()
})
beforeEach(() => {
  stub.asked.length = 0
  stub.inject = () => undefined
})

const decisionsAsked = () => stub.asked.filter(({ operation }) => operation === 'BatchIsAuthorized').length
const asked = () => ({ user: 'ada', tenant: ids.acme, action: 'renameTenant', resource: { type: 'Tenant', id: ids.acme } })
const ask = (name: string, question: object, ...flags: string[]) => run([name, 'authorization', JSON.stringify(question), ...flags])

const stub = await policyStoreStub()
const settings = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_REGION: 'eu-central-1' }
for (const [name, value] of Object.entries({ ...settings, AWS_ENDPOINT_URL_VERIFIEDPERMISSIONS: stub.endpoint })) vi.stubEnv(name, value)
const policies: string = folder(starterFiles)
const { 'schema.cedarschema': schema = '' } = starterFiles
stub.put(await schemaToJson(schema), [
  '@id("readers-rename") permit (principal in Role::"owner", action == Action::"renameTenant", resource);',
  '@id("stay-in-the-tenant") forbid (principal, action, resource is Tenant) unless { resource == context.tenant };',
])
const made = async (name: string, input: object) => JSON.parse((await flow(name, input, '--json')).out)
const [{ tenantId: acme }, { roleId: owner }] = [
  await made('createTenant', { name: 'acme' }),
  await made('createRole', { name: 'owner', scope: 'tenant' }),
]
const { userId: ada } = await made('createUser', { email: 'ada@example.org', preferredUsername: 'ada' })
await made('createGrant', { tenantId: acme, userId: ada, roles: [owner] })
const ids = { acme, ada, owner }

describe('with --store', () => {
  const by = () => ['--store', stub.policyStoreId]

  test('can answers by the policies of the store', async () => {
    expect(await ask('can', asked(), ...by())).toEqual({ exit: 0, out: 'yes\n', err: '' })
    expect(await ask('can', { ...asked(), action: 'createGrant' }, ...by())).toMatchObject({
      exit: 1,
      out: expect.stringContaining('NotPermitted'),
    })
    expect(decisionsAsked()).toBe(2)
  })

  test('why, what, who, where and a batch answer by them', async () => {
    const { user, tenant, action, resource } = asked()
    expect((await ask('why', asked(), ...by())).out).toContain('readers-rename')
    expect((await ask('what', { user, tenant, resource }, ...by(), '--json')).out).toContain('"items":[{"action":"renameTenant"')
    expect((await ask('who', { tenant, action, resource }, ...by())).out).toContain('ada@example.org')
    expect((await ask('where', { user, action }, ...by())).out).toContain(ids.acme)
  })

  test('the variable names one, too, and an option counts in place of a variable', async () => {
    const question = ['can', 'authorization', JSON.stringify({ ...asked(), action: 'createGrant' })]
    expect(await run(question, { FREEHOLD_POLICY_STORE: stub.policyStoreId })).toMatchObject({ exit: 1 })
    // The folder lets owners do that.
    expect(await run([...question, '--policies', policies], { FREEHOLD_POLICY_STORE: stub.policyStoreId })).toMatchObject({ exit: 0 })
    expect(await run([...question, ...by()], { FREEHOLD_POLICIES: policies })).toMatchObject({ exit: 1 })
  })

  test('a user who does a flow is held to them', async () => {
    const as = ['--as', 'ada', ...by()]
    expect(await flow('renameTenant', { tenantId: ids.acme, name: 'acme two' }, ...as)).toMatchObject({ exit: 0 })
    const { exit, err } = await flow('grantsOfTenant', { tenantId: ids.acme }, ...as)
    expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('(Denied)') })
    // An operator is held to nothing, so nobody is asked.
    stub.asked.length = 0
    expect(await flow('renameTenant', { tenantId: ids.acme, name: 'acme' }, ...by())).toMatchObject({ exit: 0 })
    expect(stub.asked).toEqual([])
  })

  test('a store that does not decide denies as a fault, which is no answer', async () => {
    stub.inject = (operation) => (operation === 'BatchIsAuthorized' ? { code: 'AccessDeniedException' } : undefined)
    expect(await ask('can', asked(), ...by())).toMatchObject({
      exit: 2,
      out: expect.stringMatching(/decision could not be made.*credentials/),
    })
    const refused = await flow('renameTenant', { tenantId: ids.acme, name: 'acme three' }, '--as', 'ada', ...by())
    expect(refused.exit).not.toBe(0)
  })
})

describe('an authorizer', () => {
  const secret = 'thirty-two bytes, or more of them, for a test'
  const map = `
token: { issuer: https://id.example.org/, audience: api, algorithms: [HS256], keys: secret }
tenant: { path: tenant }
routes:
  - route: POST /tenants/{tenant}/name
    action: renameTenant
    resource: { type: Tenant, id: '{tenant}' }
  - route: POST /tenants/{tenant}/grants
    action: createGrant
    resource: { type: Tenant, id: '{tenant}' }
`
  const invoke = async (path: string, flags: readonly string[], more: Readonly<Record<string, string>> = {}) => {
    const claims = { iss: 'https://id.example.org/', aud: 'api', sub: ids.ada, exp: Math.floor(Date.now() / 1000) + 600 }
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'HS256' }).sign(Buffer.from(secret))
    const event = {
      ...{ version: '2.0', type: 'REQUEST', rawPath: `/tenants/${ids.acme}/${path}` },
      routeArn: `arn:aws:execute-api:us-east-1:123456789012:abcdef123/$default/POST/tenants/${ids.acme}/${path}`,
      ...{ headers: { authorization: `Bearer ${token}` }, requestContext: { http: { method: 'POST' } } },
    }
    const files = folder({ 'authorizer.yaml': map, 'event.json': JSON.stringify(event) })
    const argv = ['authorizer', 'invoke', join(files, 'event.json'), '--map', join(files, 'authorizer.yaml'), ...flags]
    return run(argv, { FREEHOLD_TOKEN_SECRET: secret, ...more })
  }

  test('is invoked with the policy store that an option or a variable names', async () => {
    const by = { FREEHOLD_POLICY_STORE: stub.policyStoreId }
    expect(await invoke('name', ['--store', stub.policyStoreId])).toMatchObject({ exit: 0 })
    expect(await invoke('name', [], by)).toMatchObject({ exit: 0 })
    expect(decisionsAsked()).toBe(2)
    expect(await invoke('grants', [], by)).toMatchObject({ exit: 1 })
    // The folder lets owners do that.
    expect(await invoke('grants', ['--policies', policies], by)).toMatchObject({ exit: 0 })
    expect(decisionsAsked()).toBe(3)
  })

  test('denies if the store does not decide', async () => {
    stub.inject = (operation) => (operation === 'BatchIsAuthorized' ? { code: 'AccessDeniedException' } : undefined)
    expect(await invoke('name', ['--store', stub.policyStoreId])).toMatchObject({ exit: 1 })
  })

  test.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
    ['both options', ['--policies', 'mine', '--store', 'PS1'], {}, /Give --policies or --store, not both/],
    ['both variables', [], { FREEHOLD_POLICIES: 'mine', FREEHOLD_POLICY_STORE: 'PS1' }, /not both/],
    ['a store that is not there', ['--store', 'PSother'], {}, /no policy store PSother/],
  ])('with %s is malformed input', async (_, flags, more, message) => {
    expect(await invoke('name', flags, more)).toEqual({ exit: 2, out: '', err: expect.stringMatching(message) })
  })

  test('has nothing of a store to pack', async () => {
    expect(await run(['authorizer', 'pack', '--store', 'PS1'])).toMatchObject({ exit: 2, err: expect.stringContaining('nothing to pack') })
  })
})

const both = ['--policies', 'mine', '--store', 'PS1']
const variables = { FREEHOLD_POLICIES: 'mine', FREEHOLD_POLICY_STORE: 'PS1' }

test.each<[string, readonly string[], Readonly<Record<string, string>>, RegExp]>([
  ['both options', both, {}, /Give --policies or --store, not both/],
  ['both variables', [], variables, /Set FREEHOLD_POLICIES or FREEHOLD_POLICY_STORE, not both/],
  ['a store without a name', ['--store', ''], {}, /argument '' is invalid. It is a text that is not empty/],
  ['a store that is not there', ['--store', 'PSother'], {}, /no policy store PSother .*AWS_REGION/],
  ['neither', [], {}, /--policies DIR or FREEHOLD_POLICIES, or a policy store by --store ID or FREEHOLD_POLICY_STORE/],
])('%s are malformed input for a question, not a no', async (_, flags, more, message) => {
  expect(await run(['can', 'authorization', JSON.stringify(asked()), ...flags], more)).toEqual({
    ...{ exit: 2, out: '', err: expect.stringMatching(message) },
  })
})

test('a user without either is denied every flow, and one with both is refused', async () => {
  const renamed = (more: readonly string[], set = {}) =>
    run(['do', 'authorization', 'renameTenant', JSON.stringify({ tenantId: ids.acme, name: 'x' }), '--as', 'ada', ...more], set)
  expect(await renamed([])).toMatchObject({ exit: 1, err: expect.stringMatching(/--policies DIR or --store ID/) })
  expect(await renamed(both)).toMatchObject({ exit: 2, err: expect.stringContaining('not both') })
  expect(await renamed([], variables)).toMatchObject({ exit: 2, err: expect.stringContaining('not both') })
})

test('it is for authorization alone', async () => {
  const { exit, err } = await freehold(['can', 'rebac', '{}', '--store', 'PS1'], { cwd, env })
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('--store is for authorization: it names a policy store') })
})

test('a store that cannot be read is no answer', async () => {
  stub.inject = () => ({ code: 'AccessDeniedException' })
  const refused = await ask('can', asked(), '--store', stub.policyStoreId)
  expect(refused).toEqual({ exit: 2, out: '', err: expect.stringContaining('refused our credentials') })
})

test('a command in no region says so', async () => {
  vi.stubEnv('AWS_REGION', undefined)
  const refused = await ask('can', asked(), '--store', stub.policyStoreId)
  vi.stubEnv('AWS_REGION', 'eu-central-1')
  expect(refused).toEqual({ exit: 2, out: '', err: expect.stringContaining('set AWS_REGION') })
})

test('a command prints nothing of the AWS SDK, such as its warning of an old Node', async () => {
  const module = await bundleCommand()
  const told = await runCommand(['can', 'authorization', '{}', '--store', stub.policyStoreId], { module, cwd })
  expect(told).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringMatching(/^freehold: Verified Permissions is asked in no region: [^\n]*\n$/),
  })
})
