import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { afterEach, expect, test, vi } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { policyStoreStub } from '../../../../test/policy-engines/policy-store-stub.ts'
import { freehold, freshTable } from '../../test/recorded-shell.ts'

const run = (at: string, ...argv: readonly string[]) => freehold(['policies', ...argv], { env: {}, cwd: at })

async function begun() {
  const at = temporaryFolder()
  expect(await run(at, 'init', 'own/policies')).toMatchObject({ exit: 0, err: '' })
  const folder = join(at, 'own', 'policies')
  const change = (name: string, from: string, to: string) => {
    const text = readFileSync(join(folder, name), 'utf8')
    expect(text).toContain(from)
    writeFileSync(join(folder, name), text.replace(from, to))
  }
  return { at, folder, change, check: (...options: readonly string[]) => run(at, 'check', 'own/policies', ...options) }
}

test('init writes a starter that checks', async () => {
  const { folder, check } = await begun()
  expect(readdirSync(folder).sort()).toEqual(Object.keys(starterFiles).sort())
  expect(await check()).toEqual({ exit: 0, out: '9 policies, 12 of 12 cases passed.\n', err: '' })
})

test('init overwrites nothing', async () => {
  const { at, folder, change } = await begun()
  change('roles.cedar', 'viewer', 'reader')
  const before = readFileSync(join(folder, 'roles.cedar'), 'utf8')
  const { exit, err } = await run(at, 'init', 'own/policies')
  expect({ exit, err }).toEqual({ exit: 1, err: expect.stringContaining('has schema.cedarschema, guardrails.cedar') })
  expect(readFileSync(join(folder, 'roles.cedar'), 'utf8')).toBe(before)
})

test('a case that fails is told with its file, and the exit code is 1', async () => {
  const { change, check } = await begun()
  change('roles.cedar', 'principal in Role::"viewer"', 'principal in Role::"reader"')
  expect(await check()).toEqual({
    exit: 1,
    out: '9 policies, 11 of 12 cases passed.\n',
    err: 'tickets.cases.yaml: A viewer reads a ticket: expected allow by viewers-read-tickets, got deny by no policy\nNo case exercises the policy viewers-read-tickets.\n',
  })
  const { exit, out } = await check('--json')
  expect({ exit, json: JSON.parse(out) }).toMatchObject({
    exit: 1,
    json: { unexercised: ['viewers-read-tickets'], unformatted: [], issues: [] },
  })
})

test('a policy that does not parse is told with its line', async () => {
  const { change, check } = await begun()
  change('guardrails.cedar', 'unless { resource == context.tenant };', 'unless { resource == };')
  const { exit, out, err } = await check()
  expect({ exit, out }).toEqual({ exit: 1, out: '7 policies, no case was asked.\n' })
  expect(err).toMatch(/^guardrails\.cedar:9: /)
})

test('a policy that no case exercises is named, which is no failure', async () => {
  const { folder, check } = await begun()
  writeFileSync(join(folder, 'more.cedar'), '@id("spare")\npermit (\n  principal in Role::"spare",\n  action,\n  resource\n);\n')
  expect(await check()).toMatchObject({ exit: 0, err: 'No case exercises the policy spare.\n' })
})

test('a file that is not formatted fails, until check writes it', async () => {
  const { folder, change, check } = await begun()
  change('roles.cedar', 'principal in Role::"viewer",\n', 'principal in Role::"viewer",')
  expect(await check()).toMatchObject({ exit: 1, err: 'roles.cedar is not formatted: `--write` does that.\n' })
  expect(await check('--write')).toMatchObject({ exit: 0, err: '' })
  expect(readFileSync(join(folder, 'roles.cedar'), 'utf8')).toBe(starterFiles['roles.cedar'])
})

test.each([
  ['a folder that is not there', ['check', 'nowhere'], /nowhere cannot be read/],
  ['a folder without a schema', ['check', '.'], /schema\.cedarschema/],
  ['a verb that is none', ['burn', '.'], /burn/],
  ['a push without a policy store', ['push', '.'], /--store ID/],
])('%s is malformed input', async (_, argv, message) => {
  const { exit, err } = await run(temporaryFolder(), ...argv)
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringMatching(message) })
})

test('a file of cases that is no YAML is malformed input', async () => {
  const { folder, check } = await begun()
  writeFileSync(join(folder, 'more.cases.yaml'), '- name: [')
  expect(await check()).toMatchObject({
    exit: 2,
    err: expect.stringMatching(/more\.cases\.yaml is not YAML: .* at line 1, column 10\. \(InvalidInput\)\n$/),
  })
})

afterEach(() => vi.unstubAllEnvs())

test('push, diff and pull compare the folder with a policy store, and the table knows what was pushed', async () => {
  const stub = await policyStoreStub()
  const credentials = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_REGION: 'eu-central-1' }
  const settings = { ...credentials, AWS_ENDPOINT_URL_VERIFIEDPERMISSIONS: stub.endpoint }
  for (const [name, value] of Object.entries(settings)) vi.stubEnv(name, value)
  const { at, folder, change } = await begun()
  const env = { DYNAMODB_ENDPOINT: endpoint }
  const table = freshTable()
  const compare = (verb: string, ...more: readonly string[]) =>
    freehold(['policies', verb, 'own/policies', '--store', stub.policyStoreId, '--table', table, ...more], { env, cwd: at })
  const names = async () => {
    const { out } = await freehold(['do', 'authorization', 'policiesByPrefix', '{"prefix":"a"}', '--json', '--table', table], {
      env,
      cwd: at,
    })
    return [...out.matchAll(/"name":"([^"]+)"/g)].map(([, name]) => name)
  }

  const { exit, out, err } = await compare('push')
  expect({ exit, err }).toEqual({ exit: 0, err: `Changed the policy store ${stub.policyStoreId}.\n` })
  expect(out.split('\n').slice(0, 4)).toEqual([
    'put schema',
    'create archived-tickets-stay',
    'create stay-in-the-tenant',
    'create tickets-stay-in-their-tenant',
  ])
  expect(stub.policies.size).toBe(9)
  expect(await names()).toEqual(['agents-work-on-tickets', 'archived-tickets-stay', 'assignees-close-their-tickets'])
  expect(await compare('push')).toEqual({ exit: 0, out: 'The policy store is as the folder.\n', err: '' })

  change('examples.cedar', 'resource.status == "archived"', 'resource.status == "closed"')
  change('roles.cedar', 'principal in Role::"viewer"', 'principal in Role::"reader"')
  expect(await compare('diff')).toEqual({
    exit: 1,
    out: 'update archived-tickets-stay\ncreate viewers-read-tickets\ndelete viewers-read-tickets\n',
    err: '',
  })
  expect(stub.policies.size).toBe(9)

  expect(await compare('pull')).toMatchObject({ exit: 0, out: 'Wrote 2 files: examples.cedar, roles.cedar.\n' })
  expect(readFileSync(join(folder, 'roles.cedar'), 'utf8')).toBe(starterFiles['roles.cedar'])
  expect(await compare('pull', '--json')).toMatchObject({ exit: 0, out: '{"written":[]}\n' })

  stub.put(stub.schema() ?? '', ['@id("theirs") permit (principal, action, resource);'])
  expect(await compare('diff')).toMatchObject({
    exit: 1,
    out: 'The policy store is as the folder.\n',
    err: expect.stringMatching(/^theirs .*--prune/),
  })
  expect(JSON.parse((await compare('push', '--prune', '--json')).out)).toEqual({ steps: [{ does: 'delete', id: 'theirs' }], foreign: [] })
  stub.inject = () => ({ code: 'AccessDeniedException' })
  expect(await compare('diff')).toMatchObject({ exit: 2, err: expect.stringContaining('refused our credentials') })
  await stub.close()
})
