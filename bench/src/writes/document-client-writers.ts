import { type ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { BatchWriteCommand, DeleteCommand, DynamoDBDocumentClient, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { newOrder } from '../orders.js'
import { newEvent } from '../shop.js'
import { shop } from './runtime-writers.js'
import { noteOf, removedFrom, updated, updatedFrom, type Writer, type Writers } from './written.js'

interface Measured {
  readonly ReturnConsumedCapacity?: 'TOTAL'
}

/** DynamoDB's limit of one BatchWriteItem. */
const batchWritesMax = 25
const absent = 'attribute_not_exists(PK)'
const present = 'attribute_exists(PK)'

const keyOf = (index: number) => {
  const { customerId, orderId } = newOrder(index)
  return { PK: `DRAFTS#${customerId}`, SK: `ORDER#${orderId}` }
}

/** As a hand-written program stores a draft. */
function storedDraft(index: number) {
  const now = new Date().toISOString()
  return { ...newOrder(index), createdAt: now, updatedAt: now, ...keyOf(index), Type: 'Draft', version: 1 }
}

function storedEvent(index: number) {
  const at = new Date().toISOString()
  const event = newEvent(index)
  return { ...event, at, PK: `EVENTS#${event.customerId}`, SK: `EVENT#${at}#${event.eventId}`, Type: 'Event', version: 1 }
}

/** Each write is one command, and the client of a local engine sends it once. */
function writer(
  send: (index: number, measured: Measured) => Promise<{ readonly ConsumedCapacity?: ConsumedCapacity | undefined }>,
  more: Pick<Writer, 'prepare'> = {},
): Writer {
  return {
    name: 'DocumentClient',
    run: (index) => send(index, {}),
    count: async (index) => {
      const { ConsumedCapacity } = await send(index, { ReturnConsumedCapacity: 'TOTAL' })
      return { requests: 1, readUnits: 0, writeUnits: ConsumedCapacity?.CapacityUnits ?? Number.NaN }
    },
    ...more,
  }
}

/** The SDK's DocumentClient as its documentation shows it, with a condition where ours has one, and no look at what is changed. */
export async function documentClientWriters(endpoint: string, TableName: string): Promise<Writers> {
  const table = connect(shop, { dynamo: { endpoint }, table: TableName })
  await ensureTable(table.runtime)
  table.close()
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }),
  )
  const draftsFrom = async (from: number, count: number) => {
    for (let at = 0; at < count; at += batchWritesMax) {
      const length = Math.min(batchWritesMax, count - at)
      const puts = Array.from({ length }, (_, index) => ({ PutRequest: { Item: storedDraft(from + at + index) } }))
      await client.send(new BatchWriteCommand({ RequestItems: { [TableName]: puts } }))
    }
  }
  await draftsFrom(updatedFrom, updated)
  return {
    'create, lone': writer((index, measured) =>
      client.send(new PutCommand({ TableName, Item: storedDraft(index), ConditionExpression: absent, ...measured })),
    ),
    'create, append-only': writer((index, measured) =>
      client.send(new PutCommand({ TableName, Item: storedEvent(index), ConditionExpression: absent, ...measured })),
    ),
    update: writer((index, measured) =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: keyOf(updatedFrom + (index % updated)),
          UpdateExpression: 'SET note = :note, updatedAt = :now ADD version :one',
          ConditionExpression: present,
          ExpressionAttributeValues: { ':note': noteOf(index), ':now': new Date().toISOString(), ':one': 1 },
          ...measured,
        }),
      ),
    ),
    'remove of a leaf': writer(
      (index, measured) =>
        client.send(new DeleteCommand({ TableName, Key: keyOf(removedFrom + index), ConditionExpression: present, ...measured })),
      { prepare: (from, count) => draftsFrom(removedFrom + from, count) },
    ),
  }
}
