import { invalid } from '../errors.ts'
import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import type { Path } from '../expression/path.ts'
import { projected, projectionOf } from '../expression/projection.ts'
import { expressionsOf, type Legacy } from '../request/legacy.ts'
import { shapes } from '../request/shapes.ts'
import { itemAt } from '../table/rows.ts'
import { keyOfKey } from '../table/table.ts'
import type { Item } from '../value/attribute-value.ts'
import { checkedItem } from '../value/checked-value.ts'
import { Consumption, type Told } from './capacity.ts'
import { operation } from './operation.ts'

interface KeysToGet extends ExpressionInput, Pick<Legacy, 'AttributesToGet'> {
  readonly Keys: readonly unknown[]
  readonly ConsistentRead?: boolean
  readonly ProjectionExpression?: string
}

interface Input {
  readonly RequestItems: Readonly<Record<string, KeysToGet>>
  readonly ReturnConsumedCapacity?: Told
}

/** "A single operation can retrieve up to 16 MB of data, which can contain as many as 100 items" (API Reference, BatchGetItem). */
const keys_max = 100
const bytes_max = 16 * 1024 * 1024

export const batchGetItem = operation<Input>(shapes.BatchGetItem, ({ catalog, read }, { RequestItems, ReturnConsumedCapacity }) => {
  const wanted = Object.entries(RequestItems).map(([name, input]) => wantedOf(name, input))
  if (wanted.length === 0) throw invalid('The requestItems parameter is required for BatchGetItem')
  if (wanted.reduce((sum, { keys }) => sum + keys.length, 0) > keys_max) throw invalid('Too many items requested for the BatchGetItem call')
  const consumption = new Consumption()
  const responses: Record<string, Item[]> = {}
  const unprocessed: Record<string, KeysToGet> = {}
  let bytes = 0
  for (const { name, input, keys, paths } of wanted) {
    const { ConsistentRead: isConsistent = false } = input
    read(isConsistent, (reading) => {
      const table = catalog.table(reading, name)
      const places = keys.map((key) => keyOfKey(table, key))
      if (new Set(places).size < places.length) throw invalid('Provided list of item keys contains duplicates')
      const items: Item[] = []
      for (const [at, place] of places.entries()) {
        const found = itemAt(reading, place)
        bytes += found?.[0] ?? 0
        if (bytes > bytes_max) {
          unprocessed[name] = { ...input, Keys: keys.slice(at) }
          break
        }
        consumption.read(table, found?.[0] ?? 0, isConsistent)
        if (found !== undefined) items.push(paths === undefined ? found[1] : projected(found[1], paths))
      }
      responses[name] = items
    })
  }
  return { Responses: responses, UnprocessedKeys: unprocessed, ...consumption.ofAll(ReturnConsumedCapacity) }
})

interface Wanted {
  readonly name: string
  readonly input: KeysToGet
  readonly keys: readonly Item[]
  readonly paths: readonly Path[] | undefined
}

function wantedOf(name: string, given: KeysToGet): Wanted {
  const input = expressionsOf(given)
  if (input.Keys.length > keys_max) {
    throw invalid(
      `1 validation error detected: Value at 'RequestItems.${name}.member.Keys' failed to satisfy constraint: Member must have length less than or equal to ${keys_max}`,
    )
  }
  const { ProjectionExpression } = input
  const bindings = new Bindings(input, { ProjectionExpression })
  const paths = projectionOf(bindings, ProjectionExpression)
  bindings.finish()
  return { name, input: given, keys: input.Keys.map((key) => checkedItem(key)), paths }
}
