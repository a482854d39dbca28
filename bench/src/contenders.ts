import {
  type AttributeValue,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb'
import { QueryCommand as DocumentQuery, DynamoDBDocumentClient, GetCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb'
import { connect, creating } from '@freehold/table'
import type { Contender } from './measure.js'
import { customer, newOrder, Order, orders, storedOrder } from './orders.js'

export type Operation = 'get' | 'put' | 'query of 25' | '4-action transaction'
export type Contenders = Readonly<Record<Operation, Contender>>

const TableName = orders.table
const absent = 'attribute_not_exists(PK)'
const condition = 'PK = :p AND begins_with(SK, :s)'
/** Customers 0 to 99 have 25 orders each; what is written goes to others. */
export const customersOf25 = 100
const reading = (index: number) => customer(index % customersOf25)
const actions = [0, 1, 2, 3]
/** Transactions write elsewhere than puts. */
const apart = 5_000_000

function connectionOf(endpoint: string) {
  return { endpoint, region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } }
}

/** The SDK's DocumentClient as its documentation shows it. */
export function documentClient(endpoint: string, offset: number): Contenders {
  const client = DynamoDBDocumentClient.from(new DynamoDBClient(connectionOf(endpoint)))
  const name = 'DocumentClient'
  return {
    get: {
      name,
      run: (i) =>
        client.send(
          new GetCommand({ TableName, Key: { PK: `CUSTOMER#${reading(i)}`, SK: `ORDER#${newOrder(i % customersOf25).orderId}` } }),
        ),
    },
    put: { name, run: (i) => client.send(new PutCommand({ TableName, Item: storedOrder(offset + i), ConditionExpression: absent })) },
    'query of 25': {
      name,
      run: (i) =>
        client.send(
          new DocumentQuery({
            TableName,
            KeyConditionExpression: condition,
            ExpressionAttributeValues: { ':p': `CUSTOMER#${reading(i)}`, ':s': 'ORDER#' },
            Limit: 25,
          }),
        ),
    },
    '4-action transaction': {
      name,
      run: (i) =>
        client.send(
          new TransactWriteCommand({
            TransactItems: actions.map((n) => ({
              Put: { TableName, Item: storedOrder(offset + apart + 4 * i + n), ConditionExpression: absent },
            })),
          }),
        ),
    },
  }
}

function marshal(plain: object): Record<string, AttributeValue> {
  return Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [
      name,
      typeof value === 'string' ? { S: value } : typeof value === 'number' ? { N: String(value) } : { BOOL: value === true },
    ]),
  )
}

function unmarshal(item: Record<string, AttributeValue> = {}): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => [name, value.S ?? (value.N === undefined ? value.BOOL : Number(value.N))]),
  )
}

/** The SDK's client as it comes, with marshalling written by hand for just this item. */
export function bareClient(endpoint: string, offset: number): Contenders {
  const client = new DynamoDBClient(connectionOf(endpoint))
  const name = 'bare client'
  return {
    get: {
      name,
      run: async (i) => {
        const Key = marshal({ PK: `CUSTOMER#${reading(i)}`, SK: `ORDER#${newOrder(i % customersOf25).orderId}` })
        return unmarshal((await client.send(new GetItemCommand({ TableName, Key }))).Item)
      },
    },
    put: {
      name,
      run: (i) => client.send(new PutItemCommand({ TableName, Item: marshal(storedOrder(offset + i)), ConditionExpression: absent })),
    },
    'query of 25': {
      name,
      run: async (i) => {
        const ExpressionAttributeValues = marshal({ ':p': `CUSTOMER#${reading(i)}`, ':s': 'ORDER#' })
        const { Items = [] } = await client.send(
          new QueryCommand({ TableName, KeyConditionExpression: condition, ExpressionAttributeValues, Limit: 25 }),
        )
        return Items.map(unmarshal)
      },
    },
    '4-action transaction': {
      name,
      run: (i) =>
        client.send(
          new TransactWriteItemsCommand({
            TransactItems: actions.map((n) => ({
              Put: { TableName, Item: marshal(storedOrder(offset + apart + 4 * i + n)), ConditionExpression: absent },
            })),
          }),
        ),
    },
  }
}

/** This project, with all its checks: input, keys, conditions, what is read. */
export function freehold(endpoint: string, offset: number): Contenders {
  const table = connect(orders, { dynamo: { endpoint } })
  const name = 'freehold'
  return {
    get: { name, run: (i) => table.Order.get({ customerId: reading(i), orderId: newOrder(i % customersOf25).orderId }) },
    put: { name, run: (i) => table.Order.create(newOrder(offset + i)) },
    'query of 25': { name, run: (i) => table.ordersOfCustomer({ customerId: reading(i) }, { limit: 25 }) },
    '4-action transaction': {
      name,
      run: (i) => {
        const step = (n: number) => creating(Order, newOrder(offset + apart + 4 * i + n))
        return table.transact({ a: step(0), b: step(1), c: step(2), d: step(3) })
      },
    },
  }
}
