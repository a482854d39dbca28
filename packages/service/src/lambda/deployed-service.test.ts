import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { platform, platformModule } from '@freehold/designs/platform'
import { rebac, rebacModule } from '@freehold/designs/rebac'
import { type AnyDesign, connect, FreeholdError, type Table } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { endpoint, engineSender } from '../../../../test/engine/endpoint.ts'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { type GatewayCall, gatewayShapes } from '../../test/gateway-events.ts'
import { openKeys } from '../keys/api-keys.ts'
import { serviceSam } from '../template/service-sam.ts'
import { cursorSecret } from './cursor-secret.ts'
import { deployedService } from './deployed-service.ts'
import { deployedTables, requestToLog, toLog } from './deployed-tables.ts'
import type { GatewayAnswer } from './lambda-service.ts'
import { scheduledWork } from './scheduled-work.ts'

const sender = engineSender()
const named = {
  FREEHOLD_TABLE_REBAC: `rebac-${randomUUID()}`,
  FREEHOLD_TABLE_PLATFORM: `platform-${randomUUID()}`,
  FREEHOLD_TABLE_SERVICE: `keys-${randomUUID()}`,
}
const env = { DYNAMODB_ENDPOINT: endpoint, FREEHOLD_DESIGNS: 'rebac, platform', FREEHOLD_SECRET: 'a secret of the tests', ...named }

async function tableOf<D extends AnyDesign>(design: D, table: string, now?: () => Date): Promise<Table<D>> {
  const connected = connect(design, { sender, table, ...(now === undefined ? {} : { now }) })
  await ensureTable(connected.runtime)
  return connected
}

await tableOf(rebac, named.FREEHOLD_TABLE_REBAC)
await tableOf(platform, named.FREEHOLD_TABLE_PLATFORM)
const key = (await (await openKeys({ sender, table: named.FREEHOLD_TABLE_SERVICE })).newKey('tests')).text
afterEach(() => vi.unstubAllEnvs())

type Handler = (event: unknown) => Promise<GatewayAnswer>

async function ask(handler: Handler, call: GatewayCall) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...call.headers }
  const { statusCode: status, body } = await handler(gatewayShapes['an HTTP API']?.({ ...call, headers }))
  return { status, body: body === '' ? undefined : JSON.parse(body) }
}

describe('a deployed service', () => {
  test('serves the named designs from the named tables, and logs to its function', async () => {
    const lines: object[] = []
    const handler = await deployedService(env, await deployedTables(env), (line) => lines.push(line))
    const { body } = await ask(handler, { method: 'GET', path: '/v1' })
    expect(body.designs.map(({ name }: { name: string }) => name)).toEqual(['rebac', 'platform'])
    expect(await ask(handler, { method: 'GET', path: '/health', headers: { authorization: '' } })).toMatchObject({ status: 200 })
    expect(await ask(handler, { method: 'GET', path: '/v1/account-management/entities/User?userId=1' })).toMatchObject({ status: 404 })
    expect(lines).toHaveLength(3)
  })

  test('writes to its function what a server writes: without secrets', async () => {
    const written: string[] = []
    const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    try {
      toLog({ flow: 'signIn', password: 'open sesame' })
      requestToLog({
        time: '2026-01-01T00:00:00.000Z',
        request: 'r',
        method: 'GET',
        route: '/v1',
        status: 503,
        ms: 1,
        cause: { name: 'unreached', message: 'AKIAABCDEFGHIJKLMNOP is refused' },
      })
    } finally {
      out.mockRestore()
    }
    expect(written.map((line) => JSON.parse(line))).toMatchObject([
      { level: 'info', flow: 'signIn', password: '[redacted]' },
      { level: 'warn', request: 'r', cause: { message: '[redacted] is refused' } },
    ])
  })

  test('shows no page without a key', async () => {
    const handler = await deployedService(env, await deployedTables(env), () => {})
    for (const path of ['/', '/docs', '/openapi.json'])
      expect(await ask(handler, { method: 'GET', path, headers: { authorization: '' } })).toMatchObject({ status: 401 })
  })

  test('goes on with a cursor that another instance has given', async () => {
    const table = await tableOf(rebac, named.FREEHOLD_TABLE_REBAC)
    for (const displayName of ['Ada', 'Bob']) await table.User.create({ displayName })
    const instance = async () => deployedService(env, await deployedTables(env), () => {})
    const [first, second] = [await instance(), await instance()]
    const page = await ask(first, { method: 'GET', path: '/v1/rebac/patterns/users?limit=1' })
    const next = await ask(second, { method: 'GET', path: `/v1/rebac/patterns/users?limit=1&cursor=${page.body.cursor}` })
    expect(next).toMatchObject({ status: 200, body: { items: [{ Type: 'UserEntry' }] } })
    expect(next.body.items).not.toEqual(page.body.items)
  })

  test('decides by the policies beside its code', async () => {
    const root = temporaryFolder(Object.fromEntries(Object.entries(starterFiles).map(([name, text]) => [`policies/${name}`, text])))
    const settings = { ...env, LAMBDA_TASK_ROOT: root, FREEHOLD_DESIGNS: 'authorization', FREEHOLD_POLICIES: 'policies' }
    const { tables } = await deployedTables(settings)
    expect(tables.get('authorization')?.module.decider).toBeDefined()
    const broken = temporaryFolder({ 'policies/schema.cedarschema': 'entity User;', 'policies/a.cedar': 'permit (principal' })
    await expect(deployedTables({ ...settings, LAMBDA_TASK_ROOT: broken })).rejects.toThrow('a.cedar')
  })

  test('leaves features out', async () => {
    const { tables } = await deployedTables({ ...env, FREEHOLD_WITHOUT: 'rebac:changes account-management:audit' })
    expect(Object.keys(tables.get('rebac')?.module.design.features ?? {})).toEqual([])
    expect(tables.get('rebac')?.table.runtime.design.form.entities.has('Change')).toBe(false)
    const { tables: whole } = await deployedTables(env)
    expect(whole.get('rebac')?.table.runtime.design.form.entities.has('Change')).toBe(true)
  })

  test('accepts tokens of the issuers in a file beside its code', async () => {
    const settings = { ...env, FREEHOLD_ISSUERS: 'issuers.json' }
    const tables = await deployedTables(settings)
    const refusedWith = (text: string | Uint8Array) =>
      deployedService({ ...settings, LAMBDA_TASK_ROOT: temporaryFolder({ 'issuers.json': text }) }, tables)
    await expect(refusedWith('[{"issuer":"i"}]')).rejects.toThrow('audience')
    await expect(refusedWith('[')).rejects.toThrow('FREEHOLD_ISSUERS')
    await expect(refusedWith(Buffer.from('["M\xfcnchen"]', 'latin1'))).rejects.toThrow('is not UTF-8 (line 1)')
    expect(await refusedWith('[]')).toBeTypeOf('function')
  })

  test.each([
    ['no design', { FREEHOLD_DESIGNS: '' }, 'FREEHOLD_DESIGNS names no design'],
    ['an unknown design', { FREEHOLD_DESIGNS: 'rebak' }, 'unknown design'],
    ['a malformed FREEHOLD_WITHOUT', { FREEHOLD_WITHOUT: 'rebac' }, 'DESIGN:FEATURE'],
    ['an unknown design left out', { FREEHOLD_WITHOUT: 'rebak:changes' }, 'FREEHOLD_WITHOUT names an unknown design'],
    ['an unknown feature left out', { FREEHOLD_WITHOUT: 'rebac:chnges' }, 'unknown feature of rebac: there are changes'],
    ['no secret', { FREEHOLD_SECRET: undefined }, 'needs a secret'],
    ['two secrets', { FREEHOLD_SECRET_ARN: 'arn:aws:secretsmanager:x' }, 'either'],
    ['a short secret', { FREEHOLD_SECRET: 'short' }, 'fewer than 16'],
    ['mails without a sender', { FREEHOLD_MAIL: 'ses:' }, 'needs a sender'],
    ['mails that stay', { FREEHOLD_MAIL: 'outbox', FREEHOLD_MAIL_FROM: 'a@x.org' }, 'FREEHOLD_MAIL is none of'],
  ])('with %s does not start', async (_, settings, sentence) => {
    const given = Object.fromEntries(Object.entries({ ...env, ...settings }).filter(([, value]) => value !== undefined))
    await expect(deployedTables(given)).rejects.toThrow(sentence)
  })

  test('reads its secret by the ARN', async () => {
    const asked: string[] = []
    const read = async (arn: string) => {
      asked.push(arn)
      return 'a secret of Secrets Manager'
    }
    expect(String(await cursorSecret({ FREEHOLD_SECRET_ARN: 'arn:aws:secretsmanager:x' }, read))).toBe('a secret of Secrets Manager')
    expect(asked).toEqual(['arn:aws:secretsmanager:x'])
    await expect(cursorSecret({ FREEHOLD_SECRET_ARN: 'arn' }, async () => undefined)).rejects.toThrow('fewer than 16')
  })

  test('opens its tables once an instance, by its environment', async () => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    vi.stubEnv('FREEHOLD_PUBLIC_URL', '')
    const { handler, schedule } = await import('./handler.ts')
    expect(await ask(handler, { method: 'GET', path: '/v1' })).toMatchObject({ status: 200 })
    await expect(schedule({}, { getRemainingTimeInMillis: () => 60_000 })).rejects.toThrow('neither jobs nor sweep')
  })
})

/** An endpoint in front of the engine that notes the operations that go through. */
async function noting(): Promise<{ readonly address: string; readonly operations: Set<string>; close(): void }> {
  const operations = new Set<string>()
  const server = createServer(async (incoming, outgoing) => {
    operations.add(String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '')
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk)
    const { host: _, connection: __, 'content-length': ___, ...headers } = incoming.headers
    const sent = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      value === undefined ? [] : [[name, String(value)]],
    )
    const answer = await fetch(endpoint, { method: 'POST', headers: sent, body: Buffer.concat(chunks) })
    outgoing.writeHead(answer.status, { 'Content-Type': answer.headers.get('content-type') ?? '' })
    outgoing.end(Buffer.from(await answer.arrayBuffer()))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, operations, close: () => void server.close().closeAllConnections() }
}

test('a deployment asks of its tables only what the roles of its template allow', async () => {
  const { Resources } = serviceSam([rebacModule, platformModule]) as { readonly Resources: Readonly<Record<string, unknown>> }
  const allowed = new Set([...JSON.stringify(Resources.ServiceRole).matchAll(/"dynamodb:(\w+)"/g)].map(([, action]) => action))
  // A transaction needs the actions of its parts.
  allowed.add('TransactWriteItems').add('TransactGetItems')
  const { address, operations, close } = await noting()
  const settings = { ...env, DYNAMODB_ENDPOINT: address }
  const opened = await deployedTables(settings)
  const handler = await deployedService(settings, opened, () => {})
  const body = (values: object) => JSON.stringify(values)
  const calls: readonly GatewayCall[] = [
    { method: 'GET', path: '/health' },
    { method: 'POST', path: '/v1/rebac/flows/createRole', body: body({ roleName: 'deployed' }), headers: { 'idempotency-key': 'once' } },
    { method: 'POST', path: '/v1/rebac/flows/deleteRole', body: body({ roleName: 'deployed' }) },
    { method: 'POST', path: '/v1/rebac/can', body: body({ user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }) },
    { method: 'GET', path: '/v1/rebac/patterns/users' },
    { method: 'GET', path: '/v1/api-keys' },
    { method: 'POST', path: '/v1/api-keys', body: body({ name: 'gate', purpose: 'read' }) },
  ]
  for (const call of calls) expect((await ask(handler, call)).status).toBeLessThan(300)
  const work = scheduledWork(opened, () => {})
  for (const each of ['jobs', 'sweep']) await work({ work: each }, { getRemainingTimeInMillis: () => 60_000 })
  close()
  expect([...operations].filter((operation) => !allowed.has(operation))).toEqual([])
  expect([...operations].sort()).toEqual(expect.arrayContaining(['BatchGetItem', 'GetItem', 'PutItem', 'Query', 'TransactWriteItems']))
})

describe('a scheduled function', () => {
  const minute = { getRemainingTimeInMillis: () => 60_000 }

  test('finishes the jobs that functions have left behind', async () => {
    const earlier = () => new Date(Date.now() - 3_600_000)
    const table = await tableOf(rebac, named.FREEHOLD_TABLE_REBAC, earlier)
    const { userId } = await table.User.create({ displayName: 'Left' })
    await table.User.remove({ userId }, { wait: false })
    const lines: object[] = []
    await scheduledWork(await deployedTables(env), (line) => lines.push(line))({ work: 'jobs' }, minute)
    const none = { work: 'jobs', held: 0, failed: [], hasMore: false }
    expect(lines).toEqual([
      { ...none, design: 'rebac', done: 1 },
      { ...none, design: 'platform', done: 0 },
    ])
  })

  test('begins no job in its last seconds', async () => {
    const table = await tableOf(rebac, named.FREEHOLD_TABLE_REBAC, () => new Date(Date.now() - 3_600_000))
    const { userId } = await table.User.create({ displayName: 'Left' })
    await table.User.remove({ userId }, { wait: false })
    const lines: object[] = []
    const work = scheduledWork(await deployedTables(env), (line) => lines.push(line))
    await work({ work: 'jobs' }, { getRemainingTimeInMillis: () => 10_000 })
    expect(lines).toMatchObject([{ design: 'rebac', done: 0, hasMore: true }, { design: 'platform' }])
    await work({ work: 'jobs' }, minute)
    expect(lines.slice(2)).toMatchObject([{ design: 'rebac', done: 1, hasMore: false }, {}])
  })

  test('sweeps the designs that have a sweep', async () => {
    const table = await tableOf(platform, named.FREEHOLD_TABLE_PLATFORM)
    const { id: accountId } = await table.Account.create({ name: 'Acme' })
    await table.User.create({ accountId, firstName: 'Bob', lastName: 'B', email: 'bob@example.org', endDate: '2020-01-01' })
    const lines: object[] = []
    await scheduledWork(await deployedTables(env), (line) => lines.push(line))({ work: 'sweep' }, minute)
    expect(lines).toMatchObject([{ work: 'sweep', design: 'platform', isWhole: true, counts: { users_ended: 1 }, malformed: 0 }])
  })

  test('does the other designs if one fails, and then fails itself', async () => {
    const lines: object[] = []
    const settings = { ...env, FREEHOLD_TABLE_REBAC: `missing-${randomUUID()}` }
    const work = scheduledWork(await deployedTables(settings), (line) => lines.push(line))({ work: 'jobs' }, minute)
    await expect(work).rejects.toThrow('The work jobs failed for rebac')
    expect(lines).toMatchObject([
      { design: 'rebac', error: expect.any(String) },
      { design: 'platform', done: 0 },
    ])
  })

  test.each([
    [new FreeholdError('Unavailable', 'Not reached by AKIAABCDEFGHIJKLMNOP.'), 'Not reached by [redacted].'],
    [new TypeError('ada@example.org is no number'), 'TypeError'],
  ])('tells of %o no secret, and no text that is not its own', async (error, told) => {
    const lines: object[] = []
    const { tables } = await deployedTables({ ...env, FREEHOLD_DESIGNS: 'rebac' })
    const [served] = tables.values()
    if (served === undefined) throw new Error('Nothing is served.')
    const jobs = { ...served.table.jobs, resume: () => Promise.reject(error) }
    const failing = new Map([['rebac', { ...served, table: { ...served.table, jobs } }]])
    await expect(scheduledWork({ tables: failing }, (line) => lines.push(line))({ work: 'jobs' }, minute)).rejects.toThrow('rebac')
    expect(lines).toEqual([{ work: 'jobs', design: 'rebac', error: told }])
  })
})
