import { invalid } from '../errors.ts'
import { Bindings, type ExpressionInput } from '../expression/bindings.ts'
import { expressionsOf, type Legacy } from '../request/legacy.ts'
import { shapes } from '../request/shapes.ts'
import { scattered } from '../table/key-bytes.ts'
import { operation } from './operation.ts'
import { askedOf, type PageInput, pageIn, sourceOf } from './page.ts'

interface Input extends PageInput, ExpressionInput, Legacy {
  readonly TableName: string
  readonly Segment?: number
  readonly TotalSegments?: number
}

export const scan = operation<Input>(shapes.Scan, ({ catalog, read }, given) => {
  const { Segment: segment = 0, TotalSegments: segments = 1 } = given
  checkSegments(given)
  const input = expressionsOf(given)
  const { FilterExpression, ProjectionExpression, ConsistentRead = false } = input
  const bindings = new Bindings(input, { FilterExpression, ProjectionExpression })
  const asked = askedOf(input, bindings)
  return read(ConsistentRead, (reading) => {
    const source = sourceOf(catalog.table(reading, input.TableName), input)
    const { space, end } = source.keyed
    const range = {
      start: space + scattered(segment, segments),
      end: segment + 1 === segments ? end : space + scattered(segment + 1, segments),
    }
    const outside =
      'The provided starting key is invalid: Invalid ExclusiveStartKey. Please use ExclusiveStartKey with correct Segment. ' +
      `TotalSegments: ${segments} Segment: ${segment}`
    return pageIn(reading, source, asked, range, outside)
  })
})

function checkSegments({ Segment: segment, TotalSegments: segments }: Input): void {
  if (segment !== undefined && segments === undefined) {
    throw invalid('The TotalSegments parameter is required but was not present in the request when Segment parameter is present')
  }
  if (segments !== undefined && segment === undefined) {
    throw invalid('The Segment parameter is required but was not present in the request when parameter TotalSegments is present')
  }
  if (segment !== undefined && segments !== undefined && segment >= segments) {
    throw invalid(
      `The Segment parameter is zero-based and must be less than parameter TotalSegments: Segment: ${segment} is not less than TotalSegments: ${segments}`,
    )
  }
}
