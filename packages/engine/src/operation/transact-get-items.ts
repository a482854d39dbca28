import { invalid } from '../errors.ts'
import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import { projected, projectionOf } from '../expression/projection.ts'
import { shapes } from '../request/shapes.ts'
import { itemAt } from '../table/rows.ts'
import { keyOfKey, type Table } from '../table/table.ts'
import type { Item } from '../value/attribute-value.ts'
import { checkedItem } from '../value/checked-value.ts'
import { cancelled, checkOnce, type Reason, reasonOf } from './cancelled.ts'
import { Consumption, type Told } from './capacity.ts'
import { operation } from './operation.ts'

interface Get extends ExpressionInput {
  readonly TableName: string
  readonly Key: unknown
  readonly ProjectionExpression?: string
}

interface Input {
  readonly TransactItems: readonly { readonly Get: Get }[]
  readonly ReturnConsumedCapacity?: Told
}

/** "The aggregate size of the items in the transaction cannot exceed 4 MB" (API Reference, TransactGetItems). */
const bytes_max = 4 * 1024 * 1024

export const transactGetItems = operation<Input>(
  shapes.TransactGetItems,
  ({ catalog, read }, { TransactItems, ReturnConsumedCapacity }) => {
    const gets = TransactItems.map(({ Get: get }) => {
      const { TableName: name, Key, ProjectionExpression } = get
      const bindings = new Bindings(get, { ProjectionExpression })
      const paths = projectionOf(bindings, ProjectionExpression)
      bindings.finish()
      return { name, key: checkedItem(Key), paths }
    })
    return read(true, (reading) => {
      const places = gets.map(({ name, key }) => placeOf(catalog.table(reading, name), key))
      if (places.some(({ reason }) => reason.Code !== 'None')) throw cancelled(places.map(({ reason }) => reason))
      checkOnce(places.map(({ place }) => place))
      const consumption = new Consumption('ReadCapacityUnits')
      let bytes = 0
      const responses = places.map(({ table, place }, at) => {
        const found = itemAt(reading, place)
        bytes += found?.[0] ?? 0
        consumption.read(table, found?.[0] ?? 0, true)
        const paths = gets[at]?.paths
        if (found === undefined) return {}
        return { Item: paths === undefined ? found[1] : projected(found[1], paths) }
      })
      if (bytes > bytes_max)
        throw invalid('Collection size exceeded: the aggregate size of the items in the transaction cannot exceed 4 MB')
      return { Responses: responses, ...consumption.ofAll(ReturnConsumedCapacity) }
    })
  },
)

function placeOf(table: Table, key: Item): { readonly table: Table; readonly place: string; readonly reason: Reason } {
  try {
    return { table, place: keyOfKey(table, key), reason: { Code: 'None' } }
  } catch (error) {
    return { table, place: '', reason: reasonOf(error) }
  }
}
