import { invalid } from '../errors.ts'
import type { Path } from '../expression/path.ts'
import { projected } from '../expression/projection.ts'
import { expressionsOf, type Legacy } from '../request/legacy.ts'
import type { Shape } from '../request/shape.ts'
import { shapes } from '../request/shapes.ts'
import { itemAt, replaceItem, type StoredItem } from '../table/rows.ts'
import type { Table } from '../table/table.ts'
import { attributeOf, type Item } from '../value/attribute-value.ts'
import { type Action, type ActionInput, actionOf, outcomeOf, placeOf } from './action.ts'
import { Consumption, type Told } from './capacity.ts'
import { type Context, type Operation, operation } from './operation.ts'

type ReturnValues = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'

interface Input extends ActionInput, Legacy {
  readonly Item?: unknown
  readonly Key?: unknown
  readonly ReturnValues?: ReturnValues
  readonly ReturnConsumedCapacity?: Told
  readonly ReturnItemCollectionMetrics?: 'SIZE' | 'NONE'
}

export const putItem = writing('Put', shapes.PutItem)
export const updateItem = writing('Update', shapes.UpdateItem)
export const deleteItem = writing('Delete', shapes.DeleteItem)

function writing(kind: 'Put' | 'Update' | 'Delete', shape: Shape): Operation {
  return operation<Input>(shape, (context, given) => {
    const { ReturnValues: returned = 'NONE' } = given
    if (kind !== 'Update' && returned !== 'NONE' && returned !== 'ALL_OLD') throw invalid('Return values set to invalid value')
    const input = expressionsOf(given)
    return write(context, input, actionOf(kind, kind === 'Put' ? input.Item : input.Key, input))
  })
}

function write({ catalog, write }: Context, input: Input, action: Action): Promise<object> {
  return write((writing) => {
    const table = catalog.table(writing, input.TableName)
    const key = placeOf(table, action)
    const before = itemAt(writing, key)
    const after = outcomeOf(table, action, before)
    const changes = replaceItem(writing, table, { key, before, after })
    const consumption = new Consumption()
    consumption.write(table, Math.max(before?.[0] ?? 0, after?.[0] ?? 0), changes)
    const attributes = returnedOf(input.ReturnValues, { before, after, paths: action.update?.paths ?? [] })
    return {
      ...(attributes === undefined || Object.keys(attributes).length === 0 ? {} : { Attributes: attributes }),
      ...consumption.ofOne(input.ReturnConsumedCapacity),
      ...(input.ReturnItemCollectionMetrics === 'SIZE' ? collectionMetrics(table, action.item) : {}),
    }
  })
}

interface Change {
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  readonly paths: readonly Path[]
}

function returnedOf(returned: ReturnValues | undefined, { before, after, paths }: Change): Item | undefined {
  if (returned === 'ALL_OLD') return before?.[1]
  if (returned === 'ALL_NEW') return after?.[1]
  if (returned === 'UPDATED_OLD') return before && projected(before[1], paths)
  return returned === 'UPDATED_NEW' && after !== undefined ? projected(after[1], paths) : undefined
}

/** "If the table does not have any local secondary indexes, this information is not returned" (API Reference, ItemCollectionMetrics). */
export function collectionMetrics(table: Table, item: Item): object {
  const value = attributeOf(item, table.partition.name)
  if (table.indexes.every(({ isGlobal }) => isGlobal) || value === undefined) return {}
  return { ItemCollectionMetrics: { ItemCollectionKey: { [table.partition.name]: value }, SizeEstimateRangeGB: [0, 1] } }
}
