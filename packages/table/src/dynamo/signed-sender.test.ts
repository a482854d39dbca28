import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { toItem } from './attribute-value.ts'
import { CommandSender } from './command-sender.ts'
import { connectionOf } from './connection.ts'
import { failureOf } from './error.ts'
import type { HttpRequest } from './http-handler.ts'
import { SignedSender } from './signed-sender.ts'

const credentials = { accessKeyId: 'AKID', secretAccessKey: 'secret', sessionToken: 'session' }
const input = { TableName: 'people', Key: toItem({ PK: 'USER#é' }), ConsistentRead: true }

/** A client that sends nothing: what it would have sent is kept. */
function capturing(config: DynamoDBClientConfig, statusCode = 200, body = '{}') {
  const requests: HttpRequest[] = []
  const requestHandler = {
    handle: async (request: HttpRequest) => {
      requests.push(request)
      return { response: { statusCode, headers: {}, body: Buffer.from(body) } }
    },
  }
  return {
    requests,
    client: new DynamoDBClient({ credentials, maxAttempts: 1, accountIdEndpointMode: 'disabled', ...config, requestHandler }),
  }
}

const places: readonly [string, DynamoDBClientConfig][] = [
  ['a region', { region: 'eu-central-1' }],
  ['the region of a local engine', { region: 'local' }],
  ['a region of another partition', { region: 'cn-north-1' }],
  ['a FIPS endpoint', { region: 'us-east-1', useFipsEndpoint: true }],
  ['a dual-stack endpoint', { region: 'us-east-1', useDualstackEndpoint: true }],
  ['an endpoint with a port', { region: 'us-east-1', endpoint: 'http://127.0.0.1:8000' }],
  ['an endpoint with a path', { region: 'us-west-2', endpoint: 'https://example.org:8443/tables/%7Eown/' }],
  ['an endpoint without one', { region: 'us-west-2', endpoint: 'https://dynamodb.example.org' }],
]

describe.each(places)("to %s, a request is the one that the SDK's command would be", (_, config) => {
  test('in its place, its target, its body and what is signed', async () => {
    const [own, sdk] = [capturing(config), capturing(config)]
    await new SignedSender(connectionOf(own.client)).send('GetItem', input)
    await new CommandSender(sdk.client).send('GetItem', input)
    expect(own.requests.map(essence)).toEqual(sdk.requests.map(essence))
    expect(own.requests).toHaveLength(1)
  })
})

function essence({ protocol, hostname, port, path, headers, body }: HttpRequest): unknown {
  const [, scope] = /Credential=AKID\/\d{8}\/([^,]*)/.exec(headers.authorization ?? '') ?? []
  return {
    place: [protocol, hostname, port, path, headers.host],
    target: [headers['content-type'], headers['x-amz-target'], headers['x-amz-security-token']],
    scope,
    // The SDK's body is bytes that warn when they are taken for text.
    body: JSON.parse(typeof body === 'string' ? body : new TextDecoder().decode(body)),
  }
}

test('a request carries the signature that its headers and body give', async () => {
  const { client, requests } = capturing({ region: 'us-east-1' })
  await new SignedSender(connectionOf(client)).send('GetItem', input)
  const [sent] = requests
  const { authorization, ...headers } = sent?.headers ?? {}
  const signer = await client.config.signer()
  const [date = ''] = /\d{8}T\d{6}Z/.exec(headers['x-amz-date'] ?? '') ?? []
  const signingDate = new Date(date.replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5'))
  const unsigned = { ...sent, protocol: 'https:', hostname: sent?.hostname ?? '', path: '/', method: 'POST', query: {}, headers }
  const again = await signer.sign(unsigned, { signingDate, signingRegion: 'us-east-1', signingService: 'dynamodb' })
  expect(authorization).toBe(again.headers.authorization)
  expect(authorization).toMatch(/SignedHeaders=.*host.*x-amz-target/)
})

test('a failure to find the region or credentials is not kept', async () => {
  let found = ''
  const region = async () => {
    if (found === '') throw new Error('no region yet')
    return 'us-east-1'
  }
  const late = async () => {
    if (found !== 'both') throw Object.assign(new Error('no credentials yet'), { name: 'CredentialsProviderError' })
    return credentials
  }
  const sender = new SignedSender(connectionOf(capturing({ region, credentials: late }).client))
  await expect(sender.send('GetItem', input)).rejects.toThrow('no region yet')
  found = 'region'
  expect(failureOf(await sender.send('GetItem', input).catch((caught) => caught)).kind).toBe('refused')
  found = 'both'
  expect(await sender.send('GetItem', input)).toEqual({})
})

test.each([
  [502, '<html>Bad Gateway</html>', 'lost'],
  [503, '{"__type":"ServiceUnavailable"}', 'lost'],
  [413, '', 'invalid'],
  [400, '{"__type":"com.amazon.coral.service#UnrecognizedClientException","Message":"no"}', 'refused'],
  [400, '{"__type":"com.amazon.coral.availability#ThrottlingException"}', 'throttled'],
  [200, '{"Item":', 'lost'],
  [400, '', 'lost'],
  [400, '<html>Bad Request</html>', 'lost'],
  [400, 'null', 'lost'],
  [400, '{}', 'lost'],
  [400, '{"__type":7}', 'lost'],
  [403, '<html>Forbidden</html>', 'refused'],
  [429, '', 'throttled'],
])('an answer %i %s is understood as %s', async (status, body, kind) => {
  const { client } = capturing({ region: 'us-east-1' }, status, body)
  expect(failureOf(await new SignedSender(connectionOf(client)).send('GetItem', input).catch((caught) => caught)).kind).toBe(kind)
})
