import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Entity } from 'electrodb'
import { connectionOf, type Peer, type Place } from './peer.js'

const now = () => new Date().toISOString()
const casing = 'none'

export function electrodb(place: Place): Peer {
  const { table } = place
  const workstreams = new Entity(
    {
      model: { entity: 'Workstream', version: '1', service: 'platform' },
      attributes: {
        id: { type: 'string', required: true },
        accountId: { type: 'string', required: true },
        enterpriseId: { type: 'string' },
        name: { type: 'string', required: true },
        description: { type: 'string' },
        createdAt: { type: 'string', readOnly: true, required: true, default: now },
        updatedAt: { type: 'string', watch: '*', required: true, default: now, set: now },
      },
      indexes: {
        ofAccount: {
          pk: { field: 'PK', composite: ['accountId'], template: 'ACCOUNT#${accountId}', casing },
          sk: { field: 'SK', composite: ['id'], template: 'WORKSTREAM#${id}', casing },
        },
        all: {
          index: 'GSI1',
          pk: { field: 'GSI1PK', composite: [], template: 'ENTITY#WORKSTREAM', casing },
          sk: { field: 'GSI1SK', composite: ['id'], template: 'WORKSTREAM#${id}', casing },
        },
        ofEnterprise: {
          index: 'GSI2',
          pk: { field: 'GSI2PK', composite: ['enterpriseId'], template: 'ENTERPRISE#${enterpriseId}', casing },
          sk: { field: 'GSI2SK', composite: ['id'], template: 'WORKSTREAM#${id}', casing },
        },
      },
    },
    { table, client: new DynamoDBClient(connectionOf(place)) },
  )
  return {
    get: (id) => workstreams.get(id).go(),
    create: (item) => workstreams.create(item).go(),
    // `patch` is the update of an item that must be there.
    join: (id, enterpriseId) => workstreams.patch(id).set({ enterpriseId }).go(),
    leave: (id) => workstreams.patch(id).remove(['enterpriseId']).go(),
    ofAccount: async (accountId, limit) => (await workstreams.query.ofAccount({ accountId }).go({ limit })).data,
    ofEnterprise: async (enterpriseId, limit) => (await workstreams.query.ofEnterprise({ enterpriseId }).go({ limit })).data,
    plan: (item) => workstreams.create(item).params(),
  }
}
