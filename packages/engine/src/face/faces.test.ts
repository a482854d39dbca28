import { DynamoDBClient, type DynamoDBClientConfig, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb'
import { afterEach, describe, expect, test } from 'vitest'
import { memoryEngine, tableInput } from '../../test/engines.ts'
import type { Engine } from '../index.ts'

const key = { pk: { S: 'a' }, sk: { S: 'b' } }
const credentials = { accessKeyId: 'key', secretAccessKey: 'secret' }
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

function clientOf(config: DynamoDBClientConfig): DynamoDBClient {
  const client = new DynamoDBClient({ region: 'eu-central-1', maxAttempts: 1, ...config })
  ends.push(() => client.destroy())
  return client
}

async function listening(engine: Engine) {
  const listener = await engine.listen({ credentials })
  ends.push(() => listener.close())
  return listener
}

describe('a client of the AWS SDK', () => {
  test.each([
    ['in the process', async (engine: Engine) => ({ requestHandler: engine.requestHandler })],
    ['over HTTP', async (engine: Engine) => ({ endpoint: (await listening(engine)).endpoint })],
  ])('%s reads what it wrote, bytes among it, and learns why a condition failed', async (_, configOf) => {
    const engine = await memoryEngine()
    await engine.execute('CreateTable', tableInput())
    const client = clientOf({ ...(await configOf(engine)), credentials })
    const Item = { ...key, bytes: { B: new Uint8Array([0, 255]) }, text: { S: 'é\u{1f600}' } }
    await client.send(new PutItemCommand({ TableName: 'items', Item }))
    expect((await client.send(new GetItemCommand({ TableName: 'items', Key: key }))).Item).toEqual(Item)
    const again = new PutItemCommand({
      TableName: 'items',
      Item,
      ConditionExpression: 'attribute_not_exists(pk)',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    await expect(client.send(again)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException', Item })
  })

  test.each([
    ['another key', { accessKeyId: 'other', secretAccessKey: 'secret' }, 'UnrecognizedClientException'],
    ['another secret', { accessKeyId: 'key', secretAccessKey: 'other' }, 'InvalidSignatureException'],
  ])('with %s is refused', async (_, other, name) => {
    const { endpoint } = await listening(await memoryEngine())
    const client = clientOf({ endpoint, credentials: other })
    await expect(client.send(new GetItemCommand({ TableName: 'items', Key: key }))).rejects.toMatchObject({ name })
  })

  test('whose clock is an hour late is refused', async () => {
    const hour_ms = 60 * 60 * 1000
    const { endpoint } = await listening(await memoryEngine({ now: () => new Date(Date.now() + hour_ms) }))
    const client = clientOf({ endpoint, credentials })
    await expect(client.send(new GetItemCommand({ TableName: 'items', Key: key }))).rejects.toMatchObject({
      name: 'InvalidSignatureException',
    })
  })
})

test('a request without a signature is refused', async () => {
  const { endpoint } = await listening(await memoryEngine())
  const response = await fetch(endpoint, { method: 'POST', body: '{}' })
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ __type: expect.stringMatching(/#MissingAuthenticationTokenException$/) })
})

test('the sender gives up a call that its caller gave up', async () => {
  const { sender } = await memoryEngine()
  const signal = AbortSignal.abort(new Error('enough'))
  await expect(sender.send('DescribeTable', { TableName: 'items' }, { signal })).rejects.toThrow('enough')
})
