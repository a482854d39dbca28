import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import { Entity } from 'dynamodb-toolbox/entity'
import { GetItemCommand } from 'dynamodb-toolbox/entity/actions/get'
import { PutItemCommand } from 'dynamodb-toolbox/entity/actions/put'
import { $remove, UpdateItemCommand } from 'dynamodb-toolbox/entity/actions/update'
import { item } from 'dynamodb-toolbox/schema/item'
import { string } from 'dynamodb-toolbox/schema/string'
import { Table } from 'dynamodb-toolbox/table'
import { QueryCommand } from 'dynamodb-toolbox/table/actions/query'
import { connectionOf, type Peer, type Place } from './peer.js'

const key = (name: string) => ({ name, type: 'string' }) as const
const index = (name: string) => ({ type: 'global', partitionKey: key(`${name}PK`), sortKey: key(`${name}SK`) }) as const
const range = { beginsWith: 'WORKSTREAM#' }

export function toolbox(place: Place): Peer {
  const table = new Table({
    name: place.table,
    documentClient: DynamoDBDocumentClient.from(new DynamoDBClient(connectionOf(place)), {
      marshallOptions: { removeUndefinedValues: true, convertEmptyValues: false },
    }),
    partitionKey: key('PK'),
    sortKey: key('SK'),
    indexes: { GSI1: index('GSI1'), GSI2: index('GSI2') },
    entityAttributeSavedAs: 'Type',
  })
  const schema = item({
    id: string().key(),
    accountId: string().key(),
    enterpriseId: string().optional(),
    name: string(),
    description: string().optional(),
  }).and((own) => ({
    GSI1PK: string().hidden().default('ENTITY#WORKSTREAM'),
    GSI1SK: string()
      .hidden()
      .putLink<typeof own>(({ id }) => `WORKSTREAM#${id}`),
    GSI2PK: string()
      .hidden()
      .optional()
      .putLink<typeof own>(({ enterpriseId }) => (enterpriseId === undefined ? undefined : `ENTERPRISE#${enterpriseId}`))
      .updateLink<typeof own>(({ enterpriseId }) => (typeof enterpriseId === 'string' ? `ENTERPRISE#${enterpriseId}` : undefined)),
    GSI2SK: string()
      .hidden()
      .optional()
      .putLink<typeof own>(({ id, enterpriseId }) => (enterpriseId === undefined ? undefined : `WORKSTREAM#${id}`)),
  }))
  const workstreams = new Entity({
    name: 'Workstream',
    table,
    schema,
    computeKey: ({ accountId, id }) => ({ PK: `ACCOUNT#${accountId}`, SK: `WORKSTREAM#${id}` }),
    timestamps: { created: { name: 'createdAt', savedAs: 'createdAt' }, modified: { name: 'updatedAt', savedAs: 'updatedAt' } },
  })
  const absent = { attr: 'id', exists: false } as const
  const present = { attr: 'id', exists: true } as const
  return {
    get: (id) => workstreams.build(GetItemCommand).key(id).send(),
    create: (each) => workstreams.build(PutItemCommand).item(each).options({ condition: absent }).send(),
    join: (id, enterpriseId) =>
      workstreams
        .build(UpdateItemCommand)
        .item({ ...id, enterpriseId })
        .options({ condition: present })
        .send(),
    leave: (id) =>
      workstreams
        .build(UpdateItemCommand)
        .item({ ...id, enterpriseId: $remove() })
        .options({ condition: present })
        .send(),
    ofAccount: async (accountId, limit) => {
      const command = table
        .build(QueryCommand)
        .entities(workstreams)
        .query({ partition: `ACCOUNT#${accountId}`, range })
      return (await command.options({ limit }).send()).Items ?? []
    },
    ofEnterprise: async (enterpriseId, limit) => {
      const command = table
        .build(QueryCommand)
        .entities(workstreams)
        .query({ index: 'GSI2', partition: `ENTERPRISE#${enterpriseId}`, range })
      return (await command.options({ limit }).send()).Items ?? []
    },
    plan: (each) => workstreams.build(PutItemCommand).item(each).options({ condition: absent }).params(),
  }
}
