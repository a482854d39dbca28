import { invalid } from '../errors.ts'
import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import { conditionOf } from '../expression/condition.ts'
import { keyRange } from '../expression/key-condition.ts'
import { expressionsOf, type Legacy } from '../request/legacy.ts'
import { shapes } from '../request/shapes.ts'
import { namesOf } from '../table/table.ts'
import { operation } from './operation.ts'
import { askedOf, type PageInput, pageIn, sourceOf } from './page.ts'

interface Input extends PageInput, ExpressionInput, Legacy {
  readonly TableName: string
  readonly KeyConditionExpression?: string
  readonly ScanIndexForward?: boolean
}

export const query = operation<Input>(shapes.Query, ({ catalog, read }, given) => {
  if (given.Limit !== undefined && given.Limit < 1) {
    throw invalid(
      "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  }
  const input = expressionsOf(given)
  const { KeyConditionExpression, ConsistentRead = false, ScanIndexForward = true } = input
  if (KeyConditionExpression === undefined) {
    throw invalid('Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.')
  }
  const bindings = new Bindings(input, { KeyConditionExpression })
  const key = conditionOf(bindings, 'KeyConditionExpression', KeyConditionExpression)
  const asked = askedOf(input, bindings)
  return read(ConsistentRead, (reading) => {
    const source = sourceOf(catalog.table(reading, input.TableName), input)
    const { start, end } = keyRange(source.keyed, key)
    const primary = asked.filter?.attributes.find((name) => namesOf(source.keyed).includes(name))
    if (primary !== undefined) {
      throw invalid(`Filter Expression can only contain non-primary key attributes: Primary key attribute: ${primary}`)
    }
    const range = { start, end, isReverse: !ScanIndexForward }
    const outside = 'The provided starting key is outside query boundaries based on provided conditions'
    return pageIn(reading, source, asked, range, outside)
  })
})
