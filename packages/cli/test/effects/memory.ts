import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { syncBuiltinESMExports } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import timers, { setTimeout } from 'node:timers/promises'
import { designModules } from '@freehold/designs'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { schemaToJson } from '@freehold/designs/cedar'
import { generateKeyPair, SignJWT } from 'jose'
import { expect, vi } from 'vitest'
import { issuer, tokenOf } from '../../../../test/callers/tokens.ts'
import { policyStoreStub } from '../../../../test/policy-engines/policy-store-stub.ts'
import { defaultSettings, type Settings } from '../../src/config/settings.ts'
import { closing } from '../../src/serving/closing.ts'
import { withServedFolders } from '../../src/serving/served-folders.ts'
import { folder, freehold } from '../recorded-shell.ts'
import { counting } from './counting.ts'
import type { EffectsOf } from './effect.ts'
import { quietShell } from './quiet-shell.ts'
import { narrow, type ServedBy, served } from './served.ts'

let shared: Promise<ServedBy> | undefined

/** A server that remembers no definitions, one API key, and no keys of issuers. */
function forgetful(): Promise<ServedBy> {
  const bounds = { definitionBytesMax: 0, issuerKeysAgeMs: 0, keysKeptMax: 1, keyUseMs: 0, tokenCharsMax: 1_000 }
  shared ??= issuing().then(({ issuers }) => served({ issuers, ...bounds }))
  return shared
}

/** True if a server sees at once that another process takes a permission away. */
async function seesChange({ call }: ServedBy, page: string): Promise<boolean> {
  const ask = async () => (await call('POST', '/v1/rebac/can', { user: 'ada@example.org', location: 'NYC001', page })).text()
  expect(await ask()).toBe('{"allowed":true}')
  expect(await freehold(['do', 'rebac', 'removePermission', JSON.stringify({ roleName: 'teacher', pageName: page })])).toMatchObject({
    exit: 0,
  })
  return (await ask()).includes('"allowed":false')
}

let madeUp = 100
const madeUpId = '01ARZ3NDEKTSV4RRFFQ69G5'
const madeUpKey = () => `fhk_${madeUpId}${madeUp++}_${randomBytes(32).toString('base64url')}`

/** Requests with made-up keys at once: the statuses of their answers. */
async function statusesOfMadeUp({ call }: ServedBy): Promise<readonly number[]> {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('GET', '/v1', undefined, { Authorization: `Bearer ${madeUpKey()}` })),
  )
  return answers.map(({ status }) => status)
}

/**
 * The intervals at which a server looks. Files share the modules of their worker, so that one of ours may be loaded before a test could replace it: what
 * Node.js is asked for is seen in each order.
 */
async function intervalsOf(settings: Partial<Settings>): Promise<readonly unknown[]> {
  const shell = quietShell({ ...defaultSettings, ...settings })
  const module = designModules.get('authorization')
  const opened = closing()
  const asked = vi.spyOn(timers, 'setTimeout')
  syncBuiltinESMExports()
  try {
    await withServedFolders(shell, opened, module === undefined ? [] : [module], {}, () => {})
    await opened.all()
    return asked.mock.calls.flatMap(([interval_ms, , options]) => (options?.ref === false ? [interval_ms] : []))
  } finally {
    asked.mockRestore()
    syncBuiltinESMExports()
  }
}

/** One request beyond the place of a lookup, and nobody may wait. With either default no request is refused. */
async function refusesLookups(): Promise<void> {
  const { server, dynamo } = await checked()
  dynamo.how = 'delay'
  expect(await statusesOfMadeUp(server)).toContain(503)
  dynamo.how = 'forward'
}

/** Makes a key, and the request by which it shows that it is good. */
async function keyAt({ call }: ServedBy) {
  const { out } = await freehold(['api-keys', '--new', 'short', '--json'])
  const { keyId, text }: { readonly keyId: string; readonly text: string } = JSON.parse(out)
  return { keyId, ask: async () => (await call('GET', '/v1', undefined, { Authorization: `Bearer ${text}` })).status }
}

/** The last use of a key, as it is stored. */
async function lastUseOf(keyId: string): Promise<string | undefined> {
  const keys: readonly { readonly keyId: string; readonly lastUsedAt?: string }[] = JSON.parse((await freehold(['api-keys', '--json'])).out)
  return keys.find((key) => key.keyId === keyId)?.lastUsedAt
}

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` })

/** A token of the issuer by a key that is not in its set. */
const unknownToken = async () => {
  const { privateKey } = await generateKeyPair('ES256')
  const claims = { iss: issuer.issuer, aud: 'freehold', sub: 'a', exp: Math.floor(Date.now() / 1000) + 600 }
  return new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid: 'two' }).sign(privateKey)
}

interface Issuing {
  readonly asked: { count: number; how: 'answer' | 'fail' | 'delay' | 'long' }
  /** A file of issuers whose keys are at the address of this one. */
  readonly issuers: string
}

let issuingOnce: Promise<Issuing> | undefined

/** An issuer that counts how often its keys are fetched. */
function issuing(): Promise<Issuing> {
  issuingOnce ??= begin()
  return issuingOnce

  async function begin(): Promise<Issuing> {
    const asked: Issuing['asked'] = { count: 0, how: 'answer' }
    const server = createServer(async (_, response) => {
      asked.count++
      if (asked.how === 'delay') await setTimeout(500)
      response.writeHead(asked.how === 'fail' ? 500 : 200).end(JSON.stringify(issuer.keys).padEnd(asked.how === 'long' ? 2_000 : 0))
    })
    server.unref().listen(0, '127.0.0.1')
    await once(server, 'listening')
    // A server that listens on TCP has an AddressInfo.
    const { port } = server.address() as AddressInfo
    const entry = { ...issuer, keys: `http://127.0.0.1:${port}/keys`, user: { claim: 'sub' } }
    return { asked, issuers: join(folder({ 'issuers.json': JSON.stringify([entry]) }), 'issuers.json') }
  }
}

let mistrustingOnce: Promise<ServedBy> | undefined

/** A server that fetches the keys of an issuer again for each key id that it does not know. */
function mistrusting(): Promise<ServedBy> {
  const bounds = { issuerKeysCooldownMs: 0, issuerKeysRetryMs: 0, issuerKeysTimeoutMs: 200, issuerKeysCharsMax: 1_000 }
  mistrustingOnce ??= issuing().then(({ issuers }) => served({ issuers, ...bounds }))
  return mistrustingOnce
}

interface Checked {
  readonly server: ServedBy
  /** What is done with the next requests to DynamoDB, and how many of them check health or look for a made-up key. */
  readonly dynamo: { how: 'forward' | 'delay'; health: number; madeUp: number }
}

let checkedOnce: Promise<Checked> | undefined

/** A server whose health is checked by each request, and quickly, and which looks up one key at once. */
function checked(): Promise<Checked> {
  checkedOnce ??= begin()
  return checkedOnce

  async function begin(): Promise<Checked> {
    const dynamo: Checked['dynamo'] = { how: 'forward', health: 0, madeUp: 0 }
    const { endpoint: between } = await counting((_, body) => {
      if (body.includes('FREEHOLD_HEALTH')) dynamo.health++
      if (body.includes(madeUpId)) dynamo.madeUp++
      return dynamo.how
    })
    const bounds = { healthAttemptMs: 200, healthAgeMs: 0, keyLookupsMax: 1, keyLookupsWaitingMax: 0, unknownKeyMs: 0 }
    return { dynamo, server: await served(bounds, { DYNAMODB_ENDPOINT: between }) }
  }
}

export const memory: EffectsOf<'What a server remembers'> = {
  definitionAgeMs: async () => {
    expect(await seesChange(await narrow(), 'lessons')).toBe(true)
  },
  definitionBytesMax: async () => {
    expect(await seesChange(await forgetful(), 'reports')).toBe(true)
  },
  keyAgeMs: async () => {
    const { keyId, ask } = await keyAt(await narrow())
    expect(await ask()).toBe(200)
    expect(await freehold(['api-keys', '--revoke', keyId])).toMatchObject({ exit: 0 })
    expect(await ask()).toBe(401)
  },
  keysKeptMax: async () => {
    const server = await forgetful()
    const { keyId, ask } = await keyAt(server)
    expect(await ask()).toBe(200)
    expect(await freehold(['api-keys', '--revoke', keyId])).toMatchObject({ exit: 0 })
    // The server's own key takes the one place.
    await server.call('GET', '/v1')
    expect(await ask()).toBe(401)
  },
  unknownKeyMs: async () => {
    const { server, dynamo } = await checked()
    const key = madeUpKey()
    const before = dynamo.madeUp
    for (const _ of [1, 2]) await server.call('GET', '/v1', undefined, bearer(key))
    expect(dynamo.madeUp - before).toBe(2)
  },
  keyUseMs: async () => {
    const { keyId, ask } = await keyAt(await forgetful())
    await ask()
    await expect.poll(() => lastUseOf(keyId)).toBeDefined()
    const first = await lastUseOf(keyId)
    await ask()
    await expect.poll(() => lastUseOf(keyId)).not.toBe(first)
  },
  tokenCharsMax: async () => {
    const { call } = await forgetful()
    const asked = async (pad: number) =>
      (await call('GET', '/v1/rebac/patterns/users', undefined, bearer(await tokenOf('nobody', { pad: 'x'.repeat(pad) })))).status
    expect([await asked(10), await asked(1_000)]).toEqual([403, 401])
  },
  issuerKeysCharsMax: async () => {
    const { asked } = await issuing()
    const { call } = await mistrusting()
    asked.how = 'long'
    expect((await call('GET', '/v1', undefined, bearer(await unknownToken()))).status).toBe(503)
    asked.how = 'answer'
  },
  keyLookupsMax: refusesLookups,
  keyLookupsWaitingMax: refusesLookups,
  tokenLeewayS: async () => {
    const { call } = await narrow()
    const asked = async (ago_s: number) => {
      const token = await tokenOf('nobody', { exp: Math.floor(Date.now() / 1000) - ago_s })
      return (await call('GET', '/v1/rebac/patterns/users', undefined, { Authorization: `Bearer ${token}` })).status
    }
    expect([await asked(300), await asked(900)]).toEqual([403, 401])
  },
  folderLookMs: async () => {
    expect(await intervalsOf({ folders: { policies: folder(starterFiles) }, places: { policies: 'file' }, folderLookMs: 4_321 })).toEqual([
      4_321,
    ])
  },
  storeLookMs: async () => {
    const stub = await policyStoreStub()
    stub.put(await schemaToJson(starterFiles['schema.cedarschema'] ?? ''), [])
    const aws = { AWS_ACCESS_KEY_ID: 'none', AWS_SECRET_ACCESS_KEY: 'none', AWS_REGION: 'eu-central-1' }
    for (const [name, value] of Object.entries({ ...aws, AWS_ENDPOINT_URL_VERIFIEDPERMISSIONS: stub.endpoint })) vi.stubEnv(name, value)
    const named = { folders: { policyStore: stub.policyStoreId }, places: { policyStore: 'file' } } as const
    expect(await intervalsOf({ ...named, storeLookMs: 54_321 })).toEqual([54_321])
    vi.unstubAllEnvs()
    await stub.close()
  },
  issuerKeysAgeMs: async () => {
    const { asked } = await issuing()
    const { call } = await forgetful()
    const before = asked.count
    for (const name of ['a', 'b']) await call('GET', '/v1', undefined, bearer(await tokenOf(name)))
    expect(asked.count - before).toBe(2)
  },
  issuerKeysCooldownMs: async () => {
    const { asked } = await issuing()
    const { call } = await mistrusting()
    const before = asked.count
    for (const token of [await tokenOf('a'), await unknownToken(), await unknownToken()])
      expect([401, 403]).toContain((await call('GET', '/v1/rebac/patterns/users', undefined, bearer(token))).status)
    expect(asked.count - before).toBe(3)
  },
  issuerKeysRetryMs: async () => {
    const { asked } = await issuing()
    const { call } = await mistrusting()
    const before = asked.count
    asked.how = 'fail'
    for (const token of [await unknownToken(), await unknownToken()])
      expect((await call('GET', '/v1', undefined, bearer(token))).status).toBe(503)
    asked.how = 'answer'
    expect(asked.count - before).toBe(2)
  },
  issuerKeysTimeoutMs: async () => {
    const { asked } = await issuing()
    const { call } = await mistrusting()
    asked.how = 'delay'
    // An answer in time would make it 401.
    expect((await call('GET', '/v1', undefined, bearer(await unknownToken()))).status).toBe(503)
    asked.how = 'answer'
  },
  healthAttemptMs: async () => {
    const { server, dynamo } = await checked()
    dynamo.how = 'delay'
    expect((await server.call('GET', '/health')).status).toBe(503)
    dynamo.how = 'forward'
  },
  healthAgeMs: async () => {
    const { server, dynamo } = await checked()
    const before = dynamo.health
    await server.call('GET', '/health')
    const once = dynamo.health - before
    await server.call('GET', '/health')
    expect([once > 0, dynamo.health - before]).toEqual([true, 2 * once])
  },
}
