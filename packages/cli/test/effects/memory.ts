import { randomBytes } from 'node:crypto'
import { designModules } from '@freehold/designs'
import { starterFiles } from '@freehold/designs/authorization/policies'
import { schemaToJson } from '@freehold/designs/cedar'
import { expect, vi } from 'vitest'
import { tokenOf } from '../../../../test/callers/tokens.ts'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { policyStoreStub } from '../../../../test/policy-engines/policy-store-stub.ts'
import { defaultSettings } from '../../src/config/settings.ts'
import { closing } from '../../src/serving/closing.ts'
import { withServedFolders } from '../../src/serving/served-folders.ts'
import { timer } from '../../src/serving/timer.ts'
import type { Shell } from '../../src/shell.ts'
import { folder, freehold } from '../recorded-shell.ts'
import type { EffectsOf } from './effect.ts'
import { narrow, type ServedBy, served } from './served.ts'

let shared: Promise<ServedBy> | undefined

/** A server with as many connections as a test wants. */
function forgetful(): Promise<ServedBy> {
  shared ??= served({ definitionBytesMax: 0, keyLookupsMax: 1, keyLookupsWaitingMax: 0 })
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
const madeUpKey = () => `fhk_01ARZ3NDEKTSV4RRFFQ69G5${madeUp++}_${randomBytes(32).toString('base64url')}`

/** Requests with made-up keys at once: the statuses of their answers. */
async function statusesOfMadeUp({ call }: ServedBy): Promise<readonly number[]> {
  const answers = await Promise.all(
    Array.from({ length: 12 }, () => call('GET', '/v1', undefined, { Authorization: `Bearer ${madeUpKey()}` })),
  )
  return answers.map(({ status }) => status)
}

async function intervalsOf(settings: Partial<Shell['settings']>): Promise<readonly unknown[]> {
  const shell: Shell = {
    settings: { ...defaultSettings, ...settings },
    designs: designModules,
    env: { DYNAMODB_ENDPOINT: endpoint },
    cwd: '/',
    stdin: (async function* () {})(),
    out: async () => {},
    err: () => {},
    isInteractive: false,
    now: () => new Date(),
  }
  const module = designModules.get('authorization')
  const opened = closing()
  vi.mocked(timer).mockClear()
  await withServedFolders(shell, opened, module === undefined ? [] : [module], {}, () => {})
  await opened.all()
  return vi.mocked(timer).mock.calls.map(([interval_ms]) => interval_ms)
}

/** One request beyond the place of a lookup, and nobody may wait. With either default no request is refused. */
async function refusesLookups(): Promise<void> {
  expect(await statusesOfMadeUp(await forgetful())).toContain(503)
}

export const memory: EffectsOf<'What a server remembers'> = {
  definitionAgeMs: async () => {
    expect(await seesChange(await narrow(), 'lessons')).toBe(true)
  },
  definitionBytesMax: async () => {
    expect(await seesChange(await forgetful(), 'reports')).toBe(true)
  },
  keyAgeMs: async () => {
    const { call } = await narrow()
    const { out } = await freehold(['api-keys', '--new', 'short', '--json'])
    const { keyId, text } = JSON.parse(out)
    const ask = async () => (await call('GET', '/v1', undefined, { Authorization: `Bearer ${text}` })).status
    expect(await ask()).toBe(200)
    expect(await freehold(['api-keys', '--revoke', keyId])).toMatchObject({ exit: 0 })
    expect(await ask()).toBe(401)
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
}
