import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { describe, expect, test, vi } from 'vitest'
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

test('the AWS SDK finds what the options lack, and is loaded once', async () => {
  const own = connectionBy({ region: 'eu-central-1', credentials: async () => credentials })
  expect(await own.place()).toMatchObject({ hostname: 'dynamodb.eu-central-1.amazonaws.com', signingRegion: 'eu-central-1' })
  expect(await own.credentials()).toMatchObject(credentials)
  expect(await own.correctsClock()).toBe(true)
  expect(loaded.clients).toBe(1)
})
