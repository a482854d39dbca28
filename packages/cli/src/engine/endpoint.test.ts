import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { settledBy } from '../../test/settled.ts'
import type { Environment } from '../environment.ts'
import { type Endpoint, type EndpointOptions, embeddedEngine, resolveEndpoint } from './endpoint.ts'

const inHome = (env: Environment) => ({ env, settings: settledBy(env), cwd: '/home/me' })
const resolved = (env: Environment, options: EndpointOptions = {}) => resolveEndpoint(inHome(env), options)

const embedded: Endpoint = { kind: 'embedded', directory: '/home/me/.freehold', memory: false }
const keys = { AWS_ACCESS_KEY_ID: 'AKIA' }

const cases: readonly (readonly [string, Environment, Endpoint])[] = [
  ['nothing at all', {}, embedded],
  ['DYNAMODB_ENDPOINT', { DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }, { kind: 'endpoint', endpoint: 'http://127.0.0.1:8000' }],
  [
    'DYNAMODB_ENDPOINT before AWS',
    { DYNAMODB_ENDPOINT: 'https://db.example', AWS_REGION: 'eu-west-1', ...keys },
    { kind: 'endpoint', endpoint: 'https://db.example' },
  ],
  ['a region and keys', { AWS_REGION: 'eu-west-1', ...keys }, { kind: 'aws', region: 'eu-west-1' }],
  ['a default region and a profile', { AWS_DEFAULT_REGION: 'us-east-2', AWS_PROFILE: 'work' }, { kind: 'aws', region: 'us-east-2' }],
  [
    'a region before a default region',
    { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'us-east-2', ...keys },
    { kind: 'aws', region: 'eu-west-1' },
  ],
  ['a web identity', { AWS_REGION: 'eu-west-1', AWS_WEB_IDENTITY_TOKEN_FILE: '/token' }, { kind: 'aws', region: 'eu-west-1' }],
  ['a container', { AWS_REGION: 'eu-west-1', AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/creds' }, { kind: 'aws', region: 'eu-west-1' }],
  ['a pod', { AWS_REGION: 'eu-west-1', AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://pod' }, { kind: 'aws', region: 'eu-west-1' }],
  ['a region alone', { AWS_REGION: 'eu-west-1' }, embedded],
  ['credentials alone', keys, embedded],
  ['FREEHOLD_DATA', { FREEHOLD_DATA: 'data' }, { ...embedded, directory: '/home/me/data' }],
]

describe('the endpoint', () => {
  test.each(cases)('of %s', async (_, env, expected) => {
    expect(await resolved(env)).toEqual(expected)
  })

  test('of options that ask for the embedded engine goes before AWS', async () => {
    const env = { AWS_REGION: 'eu-west-1', ...keys, FREEHOLD_DATA: 'other' }
    expect(await resolved(env, { data: '/srv/data' })).toEqual({ ...embedded, directory: '/srv/data' })
    expect(await resolved(env, { memory: true })).toMatchObject({ kind: 'embedded', memory: true })
  })

  test.each([{ data: 'data' }, { memory: true }])('of %o and DYNAMODB_ENDPOINT is a contradiction', async (options) => {
    await expect(resolved({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }, options)).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining('leave one of them out') }),
    )
  })

  test('of --memory and --data is a contradiction', async () => {
    await expect(resolved({}, { data: 'data', memory: true })).rejects.toThrow('give one of the two')
  })

  test.each(['8000', 'localhost:8000', 'ftp://localhost', 'http://', '127.0.0.1'])('%j is refused as DYNAMODB_ENDPOINT', async (value) => {
    await expect(resolved({ DYNAMODB_ENDPOINT: value })).rejects.toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining(JSON.stringify(value)) }),
    )
  })

  test.each<[string, Environment, EndpointOptions, Endpoint]>([
    [
      'before AWS',
      { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1', AWS_REGION: 'eu-west-1', ...keys },
      {},
      { kind: 'endpoint', endpoint: 'http://127.0.0.1:1', from: 'AWS_ENDPOINT_URL_DYNAMODB', region: 'eu-west-1' },
    ],
    [
      'of all services',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' },
      {},
      { kind: 'endpoint', endpoint: 'http://127.0.0.1:1', from: 'AWS_ENDPOINT_URL' },
    ],
    ['of a profile', { AWS_PROFILE: 'local' }, {}, { kind: 'endpoint', endpoint: 'http://127.0.0.1:2', from: 'the profile local' }],
    [
      'after DYNAMODB_ENDPOINT',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', DYNAMODB_ENDPOINT: 'http://127.0.0.1:3' },
      {},
      { kind: 'endpoint', endpoint: 'http://127.0.0.1:3' },
    ],
    ['after --memory', { AWS_ENDPOINT_URL: 'http://127.0.0.1:1' }, { memory: true }, { ...embedded, memory: true }],
    [
      'that is ignored',
      { AWS_ENDPOINT_URL: 'http://127.0.0.1:1', AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' } as Environment,
      {},
      embedded,
    ],
  ])("of AWS's settings, %s", async (_, env, options, expected) => {
    const AWS_CONFIG_FILE = join(temporaryFolder(), 'config')
    writeFileSync(AWS_CONFIG_FILE, '[profile local]\nendpoint_url = http://127.0.0.1:2\n')
    const all = { AWS_CONFIG_FILE, ...env }
    // The AWS SDK reads the environment of the process.
    for (const [name, value] of Object.entries(all)) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await resolved(all, options)).toEqual(expected)
  })

  test('of `freehold local` is the embedded engine, whatever else is set', () => {
    expect(embeddedEngine(inHome({ FREEHOLD_DATA: '/srv/data' }))).toEqual({ directory: '/srv/data', memory: false })
  })
})
