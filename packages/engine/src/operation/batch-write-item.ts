import { invalid } from '../errors.ts'
import { shapes } from '../request/shapes.ts'
import { itemAt, replaceItem } from '../table/rows.ts'
import { type Action, actionOf, outcomeOf, placeOf } from './action.ts'
import { Consumption, type Told } from './capacity.ts'
import { operation } from './operation.ts'
import { collectionMetrics } from './write-item.ts'

interface WriteRequest {
  readonly PutRequest?: { readonly Item: unknown }
  readonly DeleteRequest?: { readonly Key: unknown }
}

interface Input {
  readonly RequestItems: Readonly<Record<string, readonly WriteRequest[]>>
  readonly ReturnConsumedCapacity?: Told
  readonly ReturnItemCollectionMetrics?: 'SIZE' | 'NONE'
}

/** "A single call to BatchWriteItem can transmit up to 16MB of data over the network, consisting of up to 25 item put or delete operations" (API Reference). */
const requests_max = 25
const bytes_max = 16 * 1024 * 1024

export const batchWriteItem = operation<Input>(shapes.BatchWriteItem, ({ catalog, write }, input) => {
  const entries = Object.entries(input.RequestItems)
  if (entries.length === 0) throw invalid('The requestItems parameter is required for BatchWriteItem')
  for (const [name, requests] of entries) checkNumber(name, requests)
  if (entries.reduce((sum, [, requests]) => sum + requests.length, 0) > requests_max) {
    throw invalid('Too many items requested for the BatchWriteItem call')
  }
  const tables = entries.map(([name, requests]) => ({ name, actions: requests.map((request) => actionIn(name, request)) }))
  if (JSON.stringify(tables).length > bytes_max) throw invalid('The batch exceeds the maximum size of 16 MB')
  return write((writing) => {
    const placed = tables.map(({ name, actions }) => {
      const table = catalog.table(writing, name)
      const writes = actions.map((action) => ({ action, key: placeOf(table, action) }))
      if (new Set(writes.map(({ key }) => key)).size < writes.length) throw invalid('Provided list of item keys contains duplicates')
      return { table, writes }
    })
    const consumption = new Consumption()
    const metrics: Record<string, object[]> = {}
    for (const { table, writes } of placed) {
      for (const { action, key } of writes) {
        const before = itemAt(writing, key)
        const after = outcomeOf(table, action, before)
        const changes = replaceItem(writing, table, { key, before, after })
        consumption.write(table, Math.max(before?.[0] ?? 0, after?.[0] ?? 0), changes)
        const told = collectionMetrics(table, action.item)
        if ('ItemCollectionMetrics' in told) metrics[table.name] = [...(metrics[table.name] ?? []), told.ItemCollectionMetrics as object] // Always an object.
      }
    }
    const isTold = input.ReturnItemCollectionMetrics === 'SIZE' && Object.keys(metrics).length > 0
    return {
      UnprocessedItems: {},
      ...(isTold ? { ItemCollectionMetrics: metrics } : {}),
      ...consumption.ofAll(input.ReturnConsumedCapacity),
    }
  })
})

function checkNumber(name: string, requests: readonly WriteRequest[]): void {
  if (requests.length > 0 && requests.length <= requests_max) return
  const shown = requests.map((request) => `com.amazonaws.dynamodb.v20120810.WriteRequest@${JSON.stringify(request).length.toString(16)}`)
  throw invalid(
    `1 validation error detected: Value '{${name}=[${shown.join(', ')}]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy constraint: [Member must have length less than or equal to ${requests_max}, Member must have length greater than or equal to 1]`,
  )
}

function actionIn(name: string, { PutRequest: put, DeleteRequest: remove }: WriteRequest): Action {
  if ((put === undefined) === (remove === undefined)) {
    throw invalid('Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes')
  }
  return put === undefined ? actionOf('Delete', remove?.Key, { TableName: name }) : actionOf('Put', put.Item, { TableName: name })
}
