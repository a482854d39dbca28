import { beginsWith, design, email, entity, get, number, oneOf, query, queryOn, stamp, text } from '@freehold/table'

/** ElectroDB writes ids in lower case in keys. A text that has no other letters is one id in both spellings. */
const lowerCase = () => text({ pattern: /[^A-Z]+/, saying: 'has a capital letter' })

const Task = entity('Task', {
  attributes: {
    orgId: lowerCase(),
    taskId: lowerCase().made(({ ulid }) => ulid().toLowerCase()),
    assignee: lowerCase(),
    title: text(),
    points: number().optional(),
    /** ElectroDB takes no item for its own without it. */
    __edb_v__: oneOf('1').made('1'),
  },
  key: ['$taskapp#orgid_{orgId}', '$tasks_1#taskid_{taskId}'],
  indexes: { GSI1: ['$taskapp#assignee_{assignee}', '$tasks_1#orgid_{orgId}#taskid_{taskId}'] },
})

export const tasks = design({
  name: 'tasks',
  table: 'tasks',
  entities: { Task },
  patterns: {
    task: get(Task),
    ofOrg: query('$taskapp#orgid_{orgId}', beginsWith('$tasks_1#')).returns(Task),
    ofAssignee: queryOn('GSI1', '$taskapp#assignee_{assignee}', beginsWith('$tasks_1#orgid_{orgId}')).returns(Task),
  },
  names: {
    partitionKey: 'pk',
    sortKey: 'sk',
    type: '__edb_e__',
    indexes: { GSI1: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' } },
    attributes: { orgId: 'org_id', taskId: 'task_id' },
    types: { Task: 'tasks' },
  },
})

const User = entity('User', {
  attributes: {
    accountId: lowerCase(),
    email: email(),
    name: text(),
    created: stamp.onCreate(),
    updated: stamp.onWrite(),
  },
  key: ['account:{accountId}', 'user:{email}'],
  indexes: { GSI1: ['users#', 'user:{email}'] },
})

export const users = design({
  name: 'users',
  table: 'users',
  entities: { User },
  patterns: {
    user: get(User),
    ofAccount: query('account:{accountId}').returns(User),
    all: queryOn('GSI1', 'users#').returns(User),
  },
  names: {
    partitionKey: 'pk',
    sortKey: 'sk',
    type: '_type',
    indexes: { GSI1: { name: 'gsi1', partitionKey: 'gsi1pk', sortKey: 'gsi1sk' } },
  },
})
