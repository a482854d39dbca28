import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Table } from 'dynamodb-onetable'
import { connectionOf, type Peer, type Place } from './peer.js'

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: {
    primary: { hash: 'PK', sort: 'SK' },
    GSI1: { hash: 'GSI1PK', sort: 'GSI1SK' },
    GSI2: { hash: 'GSI2PK', sort: 'GSI2SK' },
  },
  models: {
    Workstream: {
      PK: { type: String, value: 'ACCOUNT#${accountId}' },
      SK: { type: String, value: 'WORKSTREAM#${id}' },
      GSI1PK: { type: String, value: 'ENTITY#WORKSTREAM' },
      GSI1SK: { type: String, value: 'WORKSTREAM#${id}' },
      GSI2PK: { type: String, value: 'ENTERPRISE#${enterpriseId}' },
      GSI2SK: { type: String, value: 'WORKSTREAM#${id}' },
      id: { type: String, required: true },
      accountId: { type: String, required: true },
      enterpriseId: { type: String },
      name: { type: String, required: true },
      description: { type: String },
      createdAt: { type: Date },
      updatedAt: { type: Date },
    },
  },
  params: { isoDates: true, timestamps: true, createdField: 'createdAt', updatedField: 'updatedAt', typeField: 'Type' },
} as const

export function onetable(place: Place): Peer {
  const table = new Table({ name: place.table, client: new DynamoDBClient(connectionOf(place)), schema, partial: false })
  const workstreams = table.getModel('Workstream')
  return {
    get: (id) => workstreams.get(id),
    create: (item) => workstreams.create(item),
    join: (id, enterpriseId) => workstreams.update({ ...id, enterpriseId }),
    leave: (id) => workstreams.update(id, { remove: ['enterpriseId'] }),
    ofAccount: (accountId, limit) => workstreams.find({ accountId }, { limit }),
    ofEnterprise: (enterpriseId, limit) => workstreams.find({ enterpriseId }, { index: 'GSI2', limit }),
    plan: (item) => workstreams.create(item, { execute: false }),
  }
}
