import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import { projected, projectionOf } from '../expression/projection.ts'
import { expressionsOf, type Legacy } from '../request/legacy.ts'
import { shapes } from '../request/shapes.ts'
import { itemAt } from '../table/rows.ts'
import { keyOfKey } from '../table/table.ts'
import { checkedItem } from '../value/checked-value.ts'
import { Consumption, type Told } from './capacity.ts'
import { operation } from './operation.ts'

interface Input extends ExpressionInput, Pick<Legacy, 'AttributesToGet'> {
  readonly TableName: string
  readonly Key: unknown
  readonly ConsistentRead?: boolean
  readonly ProjectionExpression?: string
  readonly ReturnConsumedCapacity?: Told
}

export const getItem = operation<Input>(shapes.GetItem, ({ catalog, read }, request) => {
  const input = expressionsOf(request)
  const { TableName, Key, ConsistentRead = false, ProjectionExpression, ReturnConsumedCapacity } = input
  const given = checkedItem(Key)
  const bindings = new Bindings(input, { ProjectionExpression })
  const paths = projectionOf(bindings, ProjectionExpression)
  bindings.finish()
  return read(ConsistentRead, (reading) => {
    const table = catalog.table(reading, TableName)
    const found = itemAt(reading, keyOfKey(table, given))
    const consumption = new Consumption()
    consumption.read(table, found?.[0] ?? 0, ConsistentRead)
    const item = found === undefined || paths === undefined ? found?.[1] : projected(found[1], paths)
    return { ...(item === undefined ? {} : { Item: item }), ...consumption.ofOne(ReturnConsumedCapacity) }
  })
})
