import { batchGetItem } from './batch-get-item.ts'
import { batchWriteItem } from './batch-write-item.ts'
import { createTable } from './create-table.ts'
import { getItem } from './get-item.ts'
import type { Operation } from './operation.ts'
import { query } from './query.ts'
import { scan } from './scan.ts'
import {
  deleteTable,
  describeTable,
  describeTimeToLive,
  listTables,
  listTagsOfResource,
  tagResource,
  untagResource,
  updateTimeToLive,
} from './tables.ts'
import { transactGetItems } from './transact-get-items.ts'
import { transactWriteItems } from './transact-write-items.ts'
import { updateTable } from './update-table.ts'
import { deleteItem, putItem, updateItem } from './write-item.ts'

/** Each operation that the engine has, by its name in DynamoDB's API (version 2012-08-10). */
export const operations: ReadonlyMap<string, Operation> = new Map([
  ['GetItem', getItem],
  ['PutItem', putItem],
  ['UpdateItem', updateItem],
  ['DeleteItem', deleteItem],
  ['Query', query],
  ['Scan', scan],
  ['BatchGetItem', batchGetItem],
  ['BatchWriteItem', batchWriteItem],
  ['TransactGetItems', transactGetItems],
  ['TransactWriteItems', transactWriteItems],
  ['CreateTable', createTable],
  ['UpdateTable', updateTable],
  ['DescribeTable', describeTable],
  ['DeleteTable', deleteTable],
  ['ListTables', listTables],
  ['UpdateTimeToLive', updateTimeToLive],
  ['DescribeTimeToLive', describeTimeToLive],
  ['TagResource', tagResource],
  ['UntagResource', untagResource],
  ['ListTagsOfResource', listTagsOfResource],
])
