import { describe, expect, test } from 'vitest'
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
  test.each(cases)('of %s', (_, env, expected) => {
    expect(resolved(env)).toEqual(expected)
  })

  test('of options that ask for the embedded engine goes before AWS', () => {
    const env = { AWS_REGION: 'eu-west-1', ...keys, FREEHOLD_DATA: 'other' }
    expect(resolved(env, { data: '/srv/data', port: 8001 })).toEqual({ ...embedded, directory: '/srv/data', port: 8001 })
    expect(resolved(env, { memory: true })).toMatchObject({ kind: 'embedded', memory: true })
  })

  test.each([{ data: 'data' }, { memory: true }])('of %o and DYNAMODB_ENDPOINT is a contradiction', (options) => {
    expect(() => resolved({ DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000' }, options)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining('leave one of them out') }),
    )
  })

  test('of --memory and --data is a contradiction', () => {
    expect(() => resolved({}, { data: 'data', memory: true })).toThrow('give one of the two')
  })

  test.each(['8000', 'localhost:8000', 'ftp://localhost', 'http://', '127.0.0.1'])('%j is refused as DYNAMODB_ENDPOINT', (value) => {
    expect(() => resolved({ DYNAMODB_ENDPOINT: value })).toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining(JSON.stringify(value)) }),
    )
  })

  test('of `freehold local` is the embedded engine, whatever else is set', () => {
    expect(embeddedEngine(inHome({ FREEHOLD_DATA: '/srv/data' }), { port: 8000 })).toEqual({
      directory: '/srv/data',
      memory: false,
      port: 8000,
    })
  })
})
