import { once } from 'node:events'
import { chmodSync, existsSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { expect } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import type { Settings } from '../../src/config/settings.ts'
import { mailsOf } from '../../src/mail/mailing.ts'
import { enginesOn, freshFolder } from '../processes.ts'
import { folder, freehold, freshTable } from '../recorded-shell.ts'
import { settledBy } from '../settled.ts'
import { spawnCommand } from '../spawned.ts'
import type { EffectsOf } from './effect.ts'
import { commandModule } from './served.ts'

const elsewhere = { folder: '/nowhere', isEmbedded: false }
const user = { userId: 'u', accountId: 'a', email: 'ada@example.org' }
const link = 'https://portal.example/{userId}'

/** Runs a command in a folder with this file of settings, and names the file. */
const withFile = (settings: object, ...argv: readonly string[]) =>
  freehold(argv, { env: { FREEHOLD_CONFIG: 'freehold.config.json' }, cwd: folder({ 'freehold.config.json': JSON.stringify(settings) }) })

const mail = { to: { address: 'ada@example.org' }, subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }

/** Sends a mail to a server of mails that says this, and then nothing. */
async function sentTo(greeting: string, bounds: Partial<Settings>): Promise<void> {
  const server = createServer((socket) => socket.on('error', () => undefined).write(greeting))
  server.unref().listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const { mailing } = mailsOf({ mail: `smtp://127.0.0.1:${port}`, mailFrom: 'a@portal.example', ...bounds }, elsewhere)
  await mailing?.mailer.send({ ...mail, id: 'one' })
}

export const mails: EffectsOf<'Mails'> = {
  mailFrom: async () => {
    const { mailing } = mailsOf(settledBy({ FREEHOLD_MAIL: 'ses:', FREEHOLD_MAIL_FROM: 'a@portal.example' }), elsewhere)
    expect(mailing?.mailer.from.address).toBe('a@portal.example')
  },
  credentialLink: async () => {
    const { mailing } = mailsOf(settledBy({ FREEHOLD_MAIL: 'outbox', FREEHOLD_CREDENTIAL_LINK: link }), elsewhere)
    expect(mailing?.credentialLink?.(user)).toBe('https://portal.example/u')
  },
  mailConnectMs: async () => {
    // With ten seconds this would be longer than the test.
    await expect(sentTo('', { mailConnectMs: 100 })).rejects.toThrow()
  },
  mailAnswerMs: async () => {
    await expect(sentTo('220 portal.example\r\n', { mailAnswerMs: 100 })).rejects.toThrow()
  },
  outboxKept: async () => {
    const { mailing, outbox } = mailsOf({ mail: 'outbox', outboxKept: 2 }, { ...elsewhere, folder: folder() })
    for (const id of ['one', 'two', 'three']) await mailing?.mailer.send({ ...mail, id })
    expect((await (await outbox?.())?.list())?.map(({ id }) => id).sort()).toEqual(['three', 'two'])
  },
}

/** The embedded engine alone, and its process. */
async function local(...argv: readonly string[]) {
  const directory = freshFolder()
  const spawned = spawnCommand(['local', '--data', directory, ...argv], { module: await commandModule(), cwd: folder() })
  await spawned.says('DynamoDB is at')
  const [pid = Number.NaN] = enginesOn(directory)
  return { directory, spawned, pid }
}

export const engine: EffectsOf<'The embedded engine'> = {
  data: async () => {
    const data = join(folder(), 'kept')
    expect(await withFile({ data }, 'setup', 'rebac')).toMatchObject({ exit: 0 })
    expect(existsSync(join(data, 'freehold.db'))).toBe(true)
  },
  engineReadyMs: async () => {
    const cwd = folder({ engine: '#!/bin/sh\nexec sleep 60\n' })
    chmodSync(join(cwd, 'engine'), 0o755)
    const { exit, err } = await freehold(['setup', 'rebac', '--engine-ready-ms', '200'], {
      cwd,
      env: { DYNOXIDE_BIN: join(cwd, 'engine') },
    })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('does not answer after 0.2 s') })
  },
  engineWaitMs: async () => {
    const { directory, pid } = await local()
    process.kill(pid, 'SIGSTOP')
    // It waits for an engine that does not answer; fifteen seconds would be longer than the test.
    expect(await freehold(['query', 'rebac', 'users', '--data', directory, '--engine-wait-ms', '50'], { env: {} })).toMatchObject({
      exit: 2,
    })
    process.kill(pid, 'SIGKILL')
  },
  engineRestartsMax: async () => {
    const { pid, spawned } = await local('--engine-restarts-max', '0')
    process.kill(pid, 'SIGKILL')
    expect([(await spawned.ended).code, spawned.written.err]).toEqual([2, expect.stringContaining('ended 1 times within a minute')])
  },
  without: async () => {
    const { out } = await withFile({ without: ['rebac:changes'] }, 'designs', '--json')
    const designs: readonly { readonly name: string; readonly features: readonly string[] }[] = JSON.parse(out)
    expect(designs.find(({ name }) => name === 'rebac')?.features).toEqual([])
    expect(await withFile({ without: ['rebac:chnges'] }, 'designs')).toMatchObject({ exit: 2, err: expect.stringContaining('changes') })
  },
}

export const secrets: EffectsOf<'Secrets'> = {
  secret: async () => {
    const env = { FREEHOLD_SECRET: 'short', DYNAMODB_ENDPOINT: 'http://127.0.0.1:1' }
    const { exit, err } = await freehold(['query', 'rebac', 'users'], { env })
    expect({ exit, err }).toEqual({ exit: 2, err: expect.stringContaining('fewer than 16 characters') })
  },
  mail: async () => {
    expect(mailsOf(settledBy({ FREEHOLD_MAIL: 'outbox' }), elsewhere).outbox).toBeDefined()
  },
  tokenSecret: async () => {
    const map = `
token: { issuer: https://id.example.org/, audience: tickets, algorithms: [HS256], keys: secret }
tenant: { path: tenant }
routes:
  - route: POST /tenants/{tenant}/tickets/{ticket}/close
    action: closeTicket
    resource: { type: Ticket, id: '{ticket}', attributes: { status: open, tenant: { __entity: { type: Tenant, id: '{tenant}' } } } }
`
    const cwd = folder({ 'authorizer.yaml': map, 'event.json': '{}' })
    const env = { DYNAMODB_ENDPOINT: endpoint }
    const run = (FREEHOLD_TOKEN_SECRET?: string, ...argv: readonly string[]) =>
      freehold(argv, { cwd, env: { ...env, ...(FREEHOLD_TOKEN_SECRET === undefined ? {} : { FREEHOLD_TOKEN_SECRET }) } })
    const invoke = ['authorizer', 'invoke', 'event.json', '--table', freshTable()]
    expect(await run(undefined, 'policies', 'init', 'policies')).toMatchObject({ exit: 0 })
    expect((await run(undefined, ...invoke)).err).toContain('secret')
    expect((await run('a secret of more than thirty-two bytes', ...invoke)).err).not.toContain('secret')
  },
}

/** How often a command asks a service that gives no answer, or none but that it is busy. */
async function askedOf(how: 'hang' | 'hang up' | 'refuse', ...argv: readonly string[]): Promise<number> {
  let asked = 0
  const server = createHttpServer((request, response) => {
    asked++
    if (how === 'hang up') request.socket.destroy()
    if (how === 'refuse') response.writeHead(429, { 'Content-Type': 'application/problem+json', 'Retry-After': '0' }).end('{"code":"Busy"}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  const env = { FREEHOLD_URL: `http://127.0.0.1:${port}`, FREEHOLD_API_KEY: 'fhk_x' }
  expect(await freehold(['designs', ...argv], { env })).toMatchObject({ exit: 2 })
  server.closeAllConnections()
  server.close()
  return asked
}

export const service: EffectsOf<'Asking a service'> = {
  url: async () => {
    const can = ['can', 'rebac', '{"user":"a","location":"b","page":"c"}']
    const asked = (FREEHOLD_URL: string) => freehold(can, { env: { FREEHOLD_URL, FREEHOLD_API_KEY: 'fhk_x' } })
    expect(await asked('nowhere')).toMatchObject({ exit: 2, err: expect.stringContaining('The address of the service is not one') })
    expect((await asked('http://192.0.2.1:99999')).err).toContain('is not one')
    // This machine, by an address that is not loopback's. Nothing listens there.
    expect(await asked('http://0.0.0.0:1')).toMatchObject({
      exit: 2,
      err: expect.stringMatching(/http:\/\/0\.0\.0\.0:1 has no TLS.*use https, or a tunnel.*InvalidInput/),
    })
    for (const address of ['https://0.0.0.0:1', 'http://[::1]:1']) expect((await asked(address)).err).not.toContain('TLS')
    // A folder that somebody else wrote does not tell where the key goes.
    const byFile = await withFile({ url: 'https://elsewhere.example' }, ...can)
    expect(byFile).toMatchObject({ exit: 2, err: expect.stringContaining('set --url or FREEHOLD_URL instead') })
  },
  serviceMs: async () => {
    // With a minute this would be longer than the test.
    expect(await askedOf('hang', '--service-ms', '200')).toBe(1)
  },
  serviceAttemptsMax: async () => {
    expect(await askedOf('refuse', '--service-attempts-max', '3')).toBe(3)
  },
  serviceUnreachedMax: async () => {
    expect(await askedOf('hang up', '--service-unreached-max', '1')).toBe(1)
  },
  apiKey: async () => {
    const asked = (env: object) => freehold(['designs'], { env: { FREEHOLD_URL: 'http://127.0.0.1:1', ...env } })
    expect((await asked({})).err).toContain('set FREEHOLD_API_KEY')
    expect((await asked({ FREEHOLD_API_KEY: 'fhk_x' })).err).toContain('No answer came')
  },
}
