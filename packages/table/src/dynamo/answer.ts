import type { Item } from './attribute-value.ts'
import type { Operation, Outputs } from './operation.ts'

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** True for an item or a key: attributes, each with its value under the name of its type. */
export function isItem(value: unknown): value is Item {
  if (!isRecord(value)) return false
  // Parsed JSON has no members but its own. To list them takes longer than to look at each.
  for (const name in value) if (!isRecord(value[name])) return false
  return true
}

const isItems = (value: unknown) => Array.isArray(value) && value.every(isItem)
const isRecordOf = (isMember: (value: unknown) => boolean) => (value: unknown) => isRecord(value) && Object.values(value).every(isMember)
const optional = (isValue: (value: unknown) => boolean) => (value: unknown) => value === undefined || isValue(value)

type Shape = Readonly<Record<string, (value: unknown, answer: Readonly<Record<string, unknown>>) => boolean>>

const page: Shape = { Items: isItems, LastEvaluatedKey: optional(isItem) }
const written: Shape = { Attributes: optional(isItem) }

/** The shape of each operation's answer by DynamoDB's API reference, as far as this project reads it. */
const shapes: Readonly<Record<Operation, Shape>> = {
  GetItem: { Item: optional(isItem) },
  PutItem: written,
  UpdateItem: written,
  DeleteItem: written,
  Query: page,
  Scan: page,
  BatchGetItem: {
    // If no key was processed, responses may be absent.
    Responses: (value, { UnprocessedKeys }) => (value === undefined ? UnprocessedKeys !== undefined : isRecordOf(isItems)(value)),
    UnprocessedKeys: optional(isRecordOf((each) => isRecord(each) && isItems(each.Keys))),
  },
  BatchWriteItem: { UnprocessedItems: optional(isRecordOf((each) => Array.isArray(each) && each.every(isRecord))) },
  TransactWriteItems: {},
  CreateTable: {},
  UpdateTable: {},
  DescribeTable: { Table: isRecord },
  UpdateTimeToLive: {},
  DescribeTimeToLive: {},
}

/** Further members of answers, which are not read. The AWS SDK adds `$metadata`. */
const others: readonly string[] = [
  ...['Count', 'ScannedCount', 'ConsumedCapacity', 'ItemCollectionMetrics', '$metadata'],
  ...['Table', 'TableDescription', 'TimeToLiveSpecification', 'TimeToLiveDescription'],
]

/** True for an object that has members, but none of the operation's: a proxy answered, or the answer belongs to another request. */
function isForeign(operation: Operation, answer: Readonly<Record<string, unknown>>): boolean {
  const names = Object.keys(answer)
  return names.length > 0 && !names.some((name) => others.includes(name) || Object.hasOwn(shapes[operation], name))
}

/** Thrown for an answer that is not DynamoDB's: a proxy's page, half a body, null. The request may or may not have been applied. */
export class MalformedAnswer extends Error {
  override readonly name = 'MalformedAnswer'
}

/** Returns the answer unchanged. Throws `MalformedAnswer` if a required member is missing: the answer would otherwise be read as "none". */
export function checkAnswer<O extends Operation>(operation: O, output: Outputs[O]): Outputs[O] {
  const value: unknown = output
  if (!isRecord(value) || isForeign(operation, value)) throw new MalformedAnswer(`The answer to ${operation} is not DynamoDB's.`)
  const shape = shapes[operation]
  for (const name in shape) {
    if (shape[name]?.(value[name], value) !== true) throw new MalformedAnswer(`The answer to ${operation} has no valid ${name}.`)
  }
  return output
}
