import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { schemaToJson } from '@freehold/frame/cedar'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { policyStoreStub } from '../../../../test/policy-engines/policy-store-stub.ts'
import { freshFolder } from '../../test/processes.ts'
import { folder } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand, spawnCommand } from '../../test/spawned.ts'

const module = await bundleCommand()
afterEach(endSpawned)

test('serve decides by its policies, takes another version, and keeps it when the next one is refused', async () => {
  const directory = freshFolder()
  const policies = folder(starterFiles)
  const port = String(await freePort())
  const served = spawnCommand(['serve', '--design', 'authorization', '--port', port, '--policies', policies], {
    ...{ module, cwd: dirname(directory) },
  })
  await served.says('In another terminal:')
  const key = readFileSync(join(directory, 'first-key'), 'utf8').trim()
  const call = async (path: string, body?: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(
      `http://127.0.0.1:${port}${path}`,
      body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    // Each answer is an object.
    return { status: answer.status, body: (await answer.json()) as Readonly<Record<string, unknown>> }
  }
  const flow = async (name: string, input: object) => call(`/v1/authorization/flows/${name}`, input)
  const { tenantId } = (await flow('createTenant', { name: 'acme' })).body
  const { roleId } = (await flow('createRole', { name: 'owner', scope: 'tenant' })).body
  const { userId } = (await flow('createUser', { email: 'ada@example.org' })).body
  await flow('createGrant', { tenantId, userId, roles: [roleId] })
  const question = { user: 'ada@example.org', tenant: tenantId, action: 'renameTenant', resource: { type: 'Tenant', id: tenantId } }
  const can = async () => (await call('/v1/authorization/can', question)).body
  const renamed = async (name: string) => (await flow('renameTenant', { tenantId, name, as: 'ada@example.org' })).status
  expect([await can(), await renamed('one')]).toEqual([{ allowed: true }, 200])

  // Written beside and moved into place, as people are told to; and written in place.
  writeFileSync(join(policies, 'new'), '@id("frozen") forbid (principal, action, resource);')
  renameSync(join(policies, 'new'), join(policies, 'frozen.cedar'))
  await expect.poll(async () => (await can()).allowed).toBe(false)
  expect([await can(), await renamed('two')]).toEqual([
    { allowed: false, reason: expect.objectContaining({ code: 'Forbidden', message: expect.stringContaining('frozen') }) },
    403,
  ])

  writeFileSync(join(policies, 'frozen.cedar'), 'permit (principal, action,')
  await expect.poll(() => served.written.err).toMatch(/Kept what the folder .* held before: .*frozen\.cedar:1/)
  expect((await can()).allowed).toBe(false)
  expect((await call('/health')).status).toBe(200)

  rmSync(join(policies, 'frozen.cedar'))
  await expect.poll(async () => (await can()).allowed).toBe(true)
  served.process.kill('SIGINT')
  expect(await served.ended).toEqual({ code: 0, signal: null })
})

test('serve does not begin with policies that are refused', async () => {
  const cwd = dirname(freshFolder())
  const policies = folder({ ...starterFiles, 'broken.cedar': 'permit (' })
  const { code, out, err } = await runCommand(['serve', '--memory', '--port', '0', '--policies', policies], { module, cwd })
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(/broken\.cedar:1/) })
})

test('serve decides by a policy store, and does not begin with one that it cannot read', async () => {
  const stub = await policyStoreStub()
  const { 'schema.cedarschema': schema = '' } = starterFiles
  stub.put(await schemaToJson(schema), [
    '@id("owners-rename") permit (principal in Role::"owner", action == Action::"renameTenant", resource);',
  ])
  const cwd = dirname(freshFolder())
  const env = {
    ...{ AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_REGION: 'eu-central-1' },
    AWS_ENDPOINT_URL_VERIFIEDPERMISSIONS: stub.endpoint,
  }
  const port = String(await freePort())
  const argv = ['serve', '--design', 'authorization', '--port', port, '--memory', '--json', '--store']
  const refused = await runCommand([...argv, 'PSother'], { module, cwd, env })
  expect(refused).toMatchObject({ code: 2, out: '', err: expect.stringContaining('no policy store PSother') })

  const served = spawnCommand([...argv, stub.policyStoreId], { module, cwd, env })
  await served.says('keyFile')
  const key = readFileSync(JSON.parse(served.written.out).keyFile, 'utf8').trim()
  const call = async (path: string, body: object) => {
    const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
    const answer = await fetch(`http://127.0.0.1:${port}/v1/authorization/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    // Each answer is an object.
    return (await answer.json()) as Readonly<Record<string, unknown>>
  }
  const { tenantId } = await call('flows/createTenant', { name: 'acme' })
  const { roleId } = await call('flows/createRole', { name: 'owner', scope: 'tenant' })
  const { userId } = await call('flows/createUser', { email: 'ada@example.org' })
  await call('flows/createGrant', { tenantId, userId, roles: [roleId] })
  const asked = { user: 'ada@example.org', tenant: tenantId, resource: { type: 'Tenant', id: tenantId } }
  expect(await call('can', { ...asked, action: 'renameTenant' })).toEqual({ allowed: true })
  expect(await call('can', { ...asked, action: 'createGrant' })).toMatchObject({ allowed: false, reason: { code: 'NotPermitted' } })
  // The policies of the store decide as they are, without a new start.
  stub.put(stub.schema() ?? '', ['@id("frozen") forbid (principal, action, resource);'])
  expect(await call('can', { ...asked, action: 'renameTenant' })).toMatchObject({ reason: { message: expect.stringContaining('frozen') } })
  served.process.kill('SIGINT')
  expect(await served.ended).toEqual({ code: 0, signal: null })
  await stub.close()
})
