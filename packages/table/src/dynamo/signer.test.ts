import { inspect } from 'node:util'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { array, assert, asyncProperty, constantFrom, date, integer, json, option, record, string, webPath } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { failureOf } from './error.ts'
import { type Credentials, Signer } from './signer.ts'

let current: Credentials | undefined
// Credentials that have expired are asked for again with each request.
const provider = async () => {
  const { accessKeyId = '', secretAccessKey = '', sessionToken } = current ?? {}
  return { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }), expiration: new Date(0) }
}
const sdk = await new DynamoDBClient({ region: 'us-east-1', credentials: provider }).config.signer()

/** Headers as the AWS SDK's own signer gives them. */
async function bySdk({ host, path, region }: Endpoint, credentials: Credentials, operation: string, body: string, signingDate: Date) {
  current = credentials
  const headers = { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': operation }
  const request = { method: 'POST', protocol: 'https:', hostname: 'unused', path, query: {}, headers, body }
  return (await sdk.sign(request, { signingDate, signingRegion: region, signingService: 'dynamodb' })).headers
}

interface Endpoint {
  readonly host: string
  readonly path: string
  readonly region: string
}

// Few secrets and few days, so that derived keys are used again, and more than are kept.
const credentials = record({
  accessKeyId: string({ minLength: 1 }),
  secretAccessKey: constantFrom('one', 'two', 'drei und ä€𝒏', 'four', 'five', 'six'),
  sessionToken: option(string({ unit: 'grapheme' }), { nil: undefined }),
})
const day = date({ min: new Date('2026-02-27'), max: new Date('2026-03-02'), noInvalidDate: true })
const signed = record({
  credentials,
  operation: constantFrom('GetItem', 'Query', 'TransactWriteItems').map((name) => `DynamoDB_20120810.${name}`),
  body: json(),
  at: day,
})
const endpoint = record({
  host: record({
    name: constantFrom('dynamodb.eu-central-1.amazonaws.com', '127.0.0.1', '[::1]'),
    port: integer({ min: 1, max: 65_535 }),
  }).map(({ name, port }) => `${name}:${port}`),
  // As an endpoint has it: the path of a parsed URL.
  path: webPath().map((path) => new URL(`http://localhost/${path}`).pathname),
  region: constantFrom('eu-central-1', 'us-gov-west-1', 'cn-north-1'),
})

describe('a signer', () => {
  test("signs as the AWS SDK's signer does: any body, time, credentials and endpoint, one after another", async () => {
    const property = asyncProperty(endpoint, array(signed, { minLength: 1, maxLength: 12 }), async (at, requests) => {
      const signer = new Signer(at)
      for (const { credentials, operation, body, at: time } of requests)
        expect(signer.sign(credentials, operation, body, time)).toEqual(await bySdk(at, credentials, operation, body, time))
    })
    await assert(property, { numRuns: 200 })
  })

  const at = { host: 'localhost', path: '/', region: 'us-east-1' }

  test('shows no secret when it is printed', () => {
    const signer = new Signer(at)
    signer.sign({ accessKeyId: 'AKID', secretAccessKey: 'top-secret' }, 'DynamoDB_20120810.GetItem', '{}', new Date())
    expect(inspect({ signer }, { showHidden: true, depth: 9 })).not.toContain('secret')
    expect(JSON.stringify({ signer })).toBe('{"signer":{}}')
  })

  test.each([[undefined], [null], [{}], [{ accessKeyId: 'AKID', secretAccessKey: 7 }]])('refuses %j for credentials', (given) => {
    // A provider in JavaScript may return these.
    const sign = () => new Signer(at).sign(given as unknown as Credentials, 'DynamoDB_20120810.GetItem', '{}', new Date())
    expect(sign).toThrow('no access key')
    try {
      sign()
    } catch (caught) {
      expect(failureOf(caught).kind).toBe('refused')
    }
  })
})
