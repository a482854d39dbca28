import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import type { ClientOptions } from './client-options.ts'
import { connectionBy, connectionOf } from './connection.ts'

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret' }
const loaded = vi.hoisted(() => ({ clients: 0 }))
vi.mock('./client.ts', async (original) => {
  loaded.clients++
  return original()
})

describe('a connection whose options tell all', () => {
  test.each([
    'http://127.0.0.1:8000',
    'https://example.org:8443/tables/%7Eown/',
    'https://dynamodb.eu-central-1.amazonaws.com',
    'https://dynamodb.example.org',
  ])('goes to %s as the AWS SDK would, which is not loaded', async (endpoint) => {
    const options = { endpoint, region: 'eu-central-1', credentials }
    const own = connectionBy(options)
    const sdk = connectionOf(new DynamoDBClient(options))
    expect(await own.place()).toEqual(await sdk.place())
    expect(await own.credentials()).toEqual(credentials)
    own.close()
    expect(loaded.clients).toBe(0)
  })

  test("needs neither region nor credentials at an endpoint that is not AWS's", async () => {
    const own = connectionBy({ endpoint: 'http://127.0.0.1:8000' })
    expect(await own.place()).toEqual({ protocol: 'http:', hostname: '127.0.0.1', port: 8000, path: '/', signingRegion: 'us-east-1' })
    expect(await own.credentials()).toEqual({ accessKeyId: 'local', secretAccessKey: 'local' })
    expect(loaded.clients).toBe(0)
  })
})

describe("an endpoint that AWS's settings name", () => {
  const config = `
[default]
endpoint_url = http://profile.test:1
[profile service]
endpoint_url = http://profile.test:1
services = own
[profile ignoring]
endpoint_url = http://profile.test:1
ignore_configured_endpoint_urls = true
[services own]
dynamodb =
  endpoint_url = http://service.test:2
`
  const ofService = { AWS_ENDPOINT_URL_DYNAMODB: 'http://variable.test:3/path' }
  const ofAll = { AWS_ENDPOINT_URL: 'http://all.test:4' }
  const ofAws = 'dynamodb.eu-central-1.amazonaws.com'
  const region = 'eu-central-1'

  test.each<[string, Readonly<Record<string, string>>, ClientOptions, string]>([
    ['the variable of DynamoDB', ofService, { region }, 'variable.test'],
    ['the variable of DynamoDB before that of all services', { ...ofService, ...ofAll }, { region }, 'variable.test'],
    ['the variable of all services', ofAll, { region }, 'all.test'],
    ['a variable before the profile', { ...ofAll, AWS_PROFILE: 'service' }, { region }, 'all.test'],
    ['the profile', {}, { region }, 'profile.test'],
    ["the profile's section of services before the profile", { AWS_PROFILE: 'service' }, { region }, 'service.test'],
    ['none, where a variable says so', { ...ofService, AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' }, { region }, ofAws],
    ['none, where the profile says so', { ...ofService, AWS_PROFILE: 'ignoring' }, { region }, ofAws],
    ['none, where an option names one', ofService, { endpoint: 'http://option.test:5' }, 'option.test'],
  ])('is %s', async (_, variables, options, hostname) => {
    const file = join(temporaryFolder(), 'config')
    writeFileSync(file, config)
    for (const [name, value] of Object.entries({ AWS_CONFIG_FILE: file, ...variables })) vi.stubEnv(name, value)
    onTestFinished(() => void vi.unstubAllEnvs())
    expect(await connectionBy({ credentials, ...options }).place()).toMatchObject({ hostname })
  })

  test("needs neither region nor credentials if it is not AWS's, and takes those that there are", async () => {
    vi.stubEnv('AWS_ENDPOINT_URL', 'http://127.0.0.1:8000')
    vi.stubEnv('AWS_EC2_METADATA_DISABLED', 'true')
    onTestFinished(() => void vi.unstubAllEnvs())
    const own = connectionBy({})
    expect(await own.place()).toEqual({ protocol: 'http:', hostname: '127.0.0.1', port: 8000, path: '/', signingRegion: 'us-east-1' })
    expect(await own.credentials()).toEqual({ accessKeyId: 'local', secretAccessKey: 'local' })
    for (const [name, value] of [
      ['AWS_REGION', 'eu-west-1'],
      ['AWS_ACCESS_KEY_ID', 'AKID'],
      ['AWS_SECRET_ACCESS_KEY', 'secret'],
    ] as const)
      vi.stubEnv(name, value)
    const told = connectionBy({})
    expect(await told.place()).toMatchObject({ hostname: '127.0.0.1', signingRegion: 'eu-west-1' })
    expect(await told.credentials()).toMatchObject(credentials)
  })
})

test('the AWS SDK finds what the options lack, and is loaded once', async () => {
  const own = connectionBy({ region: 'eu-central-1', credentials: async () => credentials })
  expect(await own.place()).toMatchObject({ hostname: 'dynamodb.eu-central-1.amazonaws.com', signingRegion: 'eu-central-1' })
  expect(await own.credentials()).toMatchObject(credentials)
  expect(await own.correctsClock()).toBe(true)
  expect(loaded.clients).toBe(1)
})
