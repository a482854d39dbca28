import { type Asked, type Input, isMap, itemNamed, type KeyAttribute, keyRead, type Part } from './asked.ts'
import { attributeOf, expressed, ofExpression, pathsOf, valueNamed } from './expressions.ts'
import { first, ofEachPart, type Rule } from './rule.ts'
import { keyText } from './values.ts'

const bytesMax = { partition: 2048, sort: 1024 } as const

function keyValueProblem(value: unknown, attribute: KeyAttribute | undefined, name: string): string | undefined {
  const text = keyText(value)
  if (text === undefined) return `${name} is empty or of a type that no key has: ${JSON.stringify(value)}`
  if (attribute !== undefined && isMap(value) && value[attribute.type] === undefined) return `${name} is not of the type ${attribute.type}`
  const max = bytesMax[attribute?.part ?? 'partition']
  return Buffer.byteLength(text) > max ? `${name} has more than ${max} bytes` : undefined
}

/** What is wrong with a key that names an item: of the table, or of the table and an index. */
function keyProblem(key: Input, attributes: readonly KeyAttribute[] | undefined): string | undefined {
  const names = Object.keys(key)
  const known = attributes && new Set(attributes.map(({ name }) => name))
  if (known !== undefined && (names.length !== known.size || !names.every((name) => known.has(name))))
    return `a key of ${names.sort().join(' and ')}, not of ${[...known].sort().join(' and ')}`
  return first(names, (name) => {
    return keyValueProblem(
      key[name],
      attributes?.find((each) => each.name === name),
      name,
    )
  })
}

function startProblem({ keys, expressions }: Part): string | undefined {
  const { ExclusiveStartKey: start, IndexName } = expressions
  if (start === undefined) return undefined
  if (!isMap(start)) return 'a start key that is none'
  const ofIndex = typeof IndexName === 'string' ? keys?.indexes.get(IndexName) : []
  return keyProblem(start, keys && ofIndex && [...keys.own, ...ofIndex])
}

/** What is wrong with the key attributes of an item that is put. Those of an index may be absent. */
function itemProblem({ item, keys }: Part): string | undefined {
  if (!isMap(item) || keys === undefined) return undefined
  const own = first(keys.own, (each) => keyValueProblem(item[each.name], each, each.name))
  const ofIndexes = [...keys.indexes.values()].flat().filter(({ name }) => item[name] !== undefined)
  return own ?? first(ofIndexes, (each) => keyValueProblem(item[each.name], each, each.name))
}

const named = '#?[A-Za-z_][A-Za-z0-9_]*|#[A-Za-z0-9_]+'
const value = ':[A-Za-z0-9_]+'
const comparison = `(${named}) (?:(=|<|<=|>|>=) (${value})|(BETWEEN) (${value}) AND (${value}))`
const beginning = `(begins_with) \\( (${named}) , (${value}) \\)`
const ofPartition = new RegExp(`^(${named}) = (${value})(?: AND (.+))?$`)
const ofSort = new RegExp(`^(?:${comparison}|${beginning})$`, 'i')

/** What a key condition compares: the partition key, and the sort key by the rest. */
const comparedBy = ofExpression(({ tokens = [] }) => {
  const [, partition, equal, rest] = ofPartition.exec(tokens.join(' ')) ?? []
  return { partition, equal, rest, sort: rest === undefined ? null : ofSort.exec(rest) }
})

function conditionProblem(part: Part): string | undefined {
  if (part.verb !== 'Query') return undefined
  const { expressions } = part
  const condition = expressed(expressions).find(({ member }) => member === 'KeyConditionExpression')
  const { partition, equal, rest, sort } = condition === undefined ? {} : comparedBy(condition)
  if (partition === undefined) return `no condition of a partition: ${condition?.text}`
  const attributes = keyRead(part)
  const problemOf = (name: string | undefined, given: string | undefined) => {
    const attribute = attributeOf(name, expressions)
    const known = attributes?.find((each) => each.name === attribute)
    if (attributes !== undefined && known === undefined) return `${attribute} is no key attribute of what is queried`
    return keyValueProblem(valueNamed(given, expressions), known, attribute ?? '')
  }
  const problem = problemOf(partition, equal)
  if (problem !== undefined || rest === undefined) return problem
  if (sort == null) return `no condition of a sort key: ${rest}`
  const [, compared, , one, , from, to, , begun, start] = sort
  const ends = [one, from, to, start].filter((end) => end !== undefined)
  const [low, high] = [from, to].map((end) => keyText(valueNamed(end, expressions)))
  if (low !== undefined && high !== undefined && Buffer.compare(Buffer.from(low), Buffer.from(high)) > 0) return 'a range that is reversed'
  return first(ends, (end) => problemOf(compared ?? begun, end))
}

/** What is wrong with an update's change of a key attribute. */
function updateProblem({ keys, expressions }: Part): string | undefined {
  const [update] = expressed(expressions).filter(({ member }) => member === 'UpdateExpression')
  if (update === undefined || keys === undefined) return undefined
  const changed = new Set(pathsOf(update, expressions).map(([attribute]) => attribute))
  return first(keys.own, ({ name }) => (changed.has(name) ? `${name} is changed, which is a key attribute` : undefined))
}

function filterProblem(part: Part): string | undefined {
  if (part.verb !== 'Query') return undefined
  const filter = expressed(part.expressions).find(({ member }) => member === 'FilterExpression')
  const attributes = keyRead(part)
  if (filter === undefined || attributes === undefined) return undefined
  const names = new Set((filter.tokens ?? []).map((name) => attributeOf(name, part.expressions)))
  return first(attributes, ({ name }) => (names.has(name) ? `${name} is filtered, which is a key attribute` : undefined))
}

function repeated({ parts }: Asked): string | undefined {
  if (parts.length < 2) return undefined
  const seen = new Set<string>()
  return first(parts, (part) => {
    const name = itemNamed(part)
    if (name !== undefined && seen.has(name)) return `the item ${name} twice`
    if (name !== undefined) seen.add(name)
    return undefined
  })
}

export const rulesOfKeys: readonly Rule[] = [
  {
    says: 'A key has the attributes of its table, with values that are not empty.',
    source: 'API_GetItem, Key; API_AttributeValue; Constraints, "Partition keys and sort keys"',
    broken: ofEachPart(({ key, keys }) => (isMap(key) ? keyProblem(key, keys?.own) : undefined)),
  },
  {
    says: 'The key attributes of an item are not empty, nor are those of an index that it has.',
    source: 'API_PutItem: "must have a length greater than zero if the attribute is used as a key attribute for a table or index"',
    broken: ofEachPart(itemProblem),
  },
  {
    says: 'A query is of one value of the partition key, and at most one comparison of the sort key; no value of them is empty.',
    source: 'API_Query, KeyConditionExpression',
    broken: ofEachPart(conditionProblem),
  },
  {
    says: 'A start key is that of an item, and of its index.',
    source: 'API_Query, ExclusiveStartKey',
    broken: ofEachPart(startProblem),
  },
  {
    says: 'A query does not filter key attributes.',
    source: 'API_Query, FilterExpression: "does not allow key attributes"',
    broken: ofEachPart(filterProblem),
  },
  {
    says: 'An update does not change the key of its item.',
    source: 'API_UpdateItem, UpdateExpression; API_Update',
    broken: ofEachPart(updateProblem),
  },
  {
    says: 'No item stands twice in a batch or a transaction.',
    source: 'API_BatchWriteItem, "multiple operations on the same item"; API_BatchGetItem; API_TransactWriteItems, "target the same item"',
    broken: repeated,
  },
]
