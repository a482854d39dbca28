import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { cleanUp, freshFolder, portToUse } from '../../test/processes.ts'
import { folder } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand, spawnCommand } from '../../test/spawned.ts'

let module: string
beforeAll(async () => {
  module = await bundleCommand()
}, 60_000)
afterEach(async () => {
  await endSpawned()
  await cleanUp()
})
afterAll(() => rmSync(module))

const within = { timeout: 20_000, interval: 50 }

test('serve decides by its policies, takes another version, and keeps it when the next one is refused', async () => {
  const directory = freshFolder()
  const policies = folder(starterFiles)
  const port = String(await portToUse())
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
  await expect.poll(async () => (await can()).allowed, within).toBe(false)
  expect([await can(), await renamed('two')]).toEqual([
    { allowed: false, reason: expect.objectContaining({ code: 'Forbidden', message: expect.stringContaining('frozen') }) },
    403,
  ])

  writeFileSync(join(policies, 'frozen.cedar'), 'permit (principal, action,')
  await expect.poll(() => served.written.err, within).toMatch(/Kept what the folder .* held before: .*frozen\.cedar:1/)
  expect((await can()).allowed).toBe(false)
  expect((await call('/health')).status).toBe(200)

  rmSync(join(policies, 'frozen.cedar'))
  await expect.poll(async () => (await can()).allowed, within).toBe(true)
  served.process.kill('SIGINT')
  expect(await served.ended).toEqual({ code: 0, signal: null })
}, 60_000)

test('serve does not begin with policies that are refused', async () => {
  const cwd = dirname(freshFolder())
  const policies = folder({ ...starterFiles, 'broken.cedar': 'permit (' })
  const { code, out, err } = await runCommand(['serve', '--memory', '--port', '0', '--policies', policies], { module, cwd })
  expect({ code, out, err }).toEqual({ code: 2, out: '', err: expect.stringMatching(/broken\.cedar:1/) })
})
