import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { type Entity, type Model, Table } from 'dynamodb-onetable'

const schema = {
  format: 'onetable:1.1.0',
  version: '0.0.1',
  indexes: { primary: { hash: 'pk', sort: 'sk' }, gsi1: { hash: 'gsi1pk', sort: 'gsi1sk', project: 'all' } },
  models: {
    User: {
      pk: { type: String, value: 'account:${accountId}' },
      sk: { type: String, value: 'user:${email}' },
      gsi1pk: { type: String, value: 'users#' },
      gsi1sk: { type: String, value: 'user:${email}' },
      accountId: { type: String, required: true },
      email: { type: String, required: true },
      name: { type: String, required: true },
      updated: { type: Date },
      created: { type: Date },
    },
  },
  params: { isoDates: true, timestamps: true },
} as const

/** Users of an account, as OneTable's own documentation writes a schema. */
export function onetableUsers(client: DynamoDBClient, name: string): Model<Entity<typeof schema.models.User>> {
  return new Table({ name, client, schema, partial: false }).getModel('User')
}
