import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { Entity } from 'electrodb'

/** Tasks of an organisation, as ElectroDB's own documentation writes an entity: its keys are those that it makes itself. */
export function electrodbTasks(client: DynamoDBClient, table: string) {
  return new Entity(
    {
      model: { entity: 'tasks', version: '1', service: 'taskapp' },
      attributes: {
        orgId: { type: 'string', required: true, field: 'org_id' },
        taskId: { type: 'string', required: true, field: 'task_id' },
        assignee: { type: 'string', required: true },
        title: { type: 'string', required: true },
        points: { type: 'number' },
      },
      indexes: {
        ofOrg: { pk: { field: 'pk', composite: ['orgId'] }, sk: { field: 'sk', composite: ['taskId'] } },
        ofAssignee: {
          index: 'gsi1',
          pk: { field: 'gsi1pk', composite: ['assignee'] },
          sk: { field: 'gsi1sk', composite: ['orgId', 'taskId'] },
        },
      },
    },
    { client, table },
  )
}
