import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { mailsOf } from '../../src/mail/mailing.ts'
import { connectBounds } from '../../src/opening/connect-dynamo.ts'
import { folder, freehold, freshTable } from '../recorded-shell.ts'
import { settledBy } from '../settled.ts'
import type { EffectsOf } from './effect.ts'

const elsewhere = { folder: '/nowhere', isEmbedded: false }
const user = { userId: 'u', accountId: 'a', email: 'ada@example.org' }
const link = 'https://portal.example/{userId}'

/** Runs a command in a folder with this file of settings, and names the file. */
const withFile = (settings: object, ...argv: readonly string[]) =>
  freehold(argv, { env: { FREEHOLD_CONFIG: 'freehold.config.json' }, cwd: folder({ 'freehold.config.json': JSON.stringify(settings) }) })

export const mails: EffectsOf<'Mails'> = {
  mailFrom: async () => {
    const { mailing } = mailsOf(settledBy({ FREEHOLD_MAIL: 'ses:', FREEHOLD_MAIL_FROM: 'a@portal.example' }), elsewhere)
    expect(mailing?.mailer.from.address).toBe('a@portal.example')
  },
  credentialLink: async () => {
    const { mailing } = mailsOf(settledBy({ FREEHOLD_MAIL: 'outbox', FREEHOLD_CREDENTIAL_LINK: link }), elsewhere)
    expect(mailing?.credentialLink?.(user)).toBe('https://portal.example/u')
  },
}

export const tables: EffectsOf<'Tables'> = {
  jobWriteUnits: async () => {
    expect(connectBounds({ settings: settledBy({ FREEHOLD_JOB_WRITE_UNITS: '7' }) })).toMatchObject({ jobWriteUnits_per_s: 7 })
  },
  data: async () => {
    const data = join(folder(), 'kept')
    expect(await withFile({ data }, 'setup', 'rebac')).toMatchObject({ exit: 0 })
    expect(existsSync(join(data, 'data.mdb'))).toBe(true)
  },
  without: async () => {
    const { out } = await withFile({ without: ['rebac:changes'] }, 'designs', '--json')
    const designs: readonly { readonly name: string; readonly features: readonly string[] }[] = JSON.parse(out)
    expect(designs.find(({ name }) => name === 'rebac')?.features).toEqual([])
    expect(await withFile({ without: ['rebac:chnges'] }, 'designs')).toMatchObject({ exit: 2, err: expect.stringContaining('changes') })
  },
}

export const secrets: EffectsOf<'Secrets'> = {
  apiKey: async () => {
    const asked = (env: object) => freehold(['designs'], { env: { FREEHOLD_URL: 'http://127.0.0.1:1', ...env } })
    expect((await asked({})).err).toContain('set FREEHOLD_API_KEY')
    expect((await asked({ FREEHOLD_API_KEY: 'fhk_x' })).err).toContain('No answer came')
  },
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
}
