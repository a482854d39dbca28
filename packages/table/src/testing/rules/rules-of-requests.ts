import { type Asked, type Input, isMap, type Part } from './asked.ts'
import { expressed, ofExpression, overlap, pathsOf, updateActions, valueNamed } from './expressions.ts'
import { ofEachPart, type Rule } from './rule.ts'
import { bytesOf, mapProblem } from './values.ts'

const expressionBytesMax = 4096
const operandsMax = 100
const itemBytesMax = 400 * 1024

const forms = { '#': /^#[A-Za-z0-9_]+$/, ':': /^:[A-Za-z0-9_]+$/ } as const
const signed = (sign: '#' | ':') => ofExpression(({ tokens = [] }) => new Set(tokens.filter((each) => each.startsWith(sign))))
const uses = { '#': signed('#'), ':': signed(':') } as const

/** What is wrong between the names, or values, that are defined and those that the expressions use. */
function definitionProblem(expressions: Input, member: string, sign: '#' | ':'): string | undefined {
  const given = expressions[member]
  const used = expressed(expressions).map(uses[sign])
  if (given === undefined && used.length === 0) return undefined
  if (given !== undefined && (!isMap(given) || Object.keys(given).length === 0)) return `${member} is empty`
  const defined = isMap(given) ? given : {}
  const unused = Object.keys(defined).find((each) => !used.some((names) => names.has(each)))
  // No expression can use a malformed name.
  if (unused !== undefined) return forms[sign].test(unused) ? `${unused} is not used` : `${member} has the malformed name ${unused}`
  for (const names of used) for (const each of names) if (defined[each] === undefined) return `${each} is not defined`
  return undefined
}

/** True where parentheses enclose nothing but parentheses. Those of a function or of IN are its own. */
function hasIdleParentheses(tokens: readonly string[]): boolean {
  const open: number[] = []
  const closed = new Map<number, number>()
  for (const [index, each] of tokens.entries()) {
    if (each === '(') open.push(index)
    if (each === ')') closed.set(open.pop() ?? -1, index)
  }
  const isGroup = (index: number) => index === 0 || ['(', 'AND', 'OR', 'NOT'].includes(tokens[index - 1]?.toUpperCase() ?? '')
  return [...closed].some(([from, to]) => isGroup(from) && tokens[from + 1] === '(' && closed.get(from + 1) === to - 1)
}

const expressionProblem = ofExpression(({ member, text, tokens }): string | undefined => {
  if (text.trim() === '') return `${member} is empty`
  if (Buffer.byteLength(text) > expressionBytesMax) return `${member} has more than ${expressionBytesMax} bytes`
  if (tokens === undefined) return `${member} is malformed: ${text}`
  const spaced = tokens.join(' ')
  if (/(?:^| )(\S+) (?:=|<>|<|<=|>|>=) \1(?: |$)/.test(spaced) && member !== 'UpdateExpression')
    return `${member} compares a value with itself: ${text}`
  if (hasIdleParentheses(tokens)) return `${member} has parentheses that say nothing: ${text}`
  const lists = [...spaced.matchAll(/ IN \( ([^()]*) \)/gi)].map(([, operands = '']) => operands.split(',').length)
  return lists.some((count) => count > operandsMax) ? `${member} has more than ${operandsMax} operands of IN` : undefined
})

function pathProblem(expressions: Input): string | undefined {
  for (const each of expressed(expressions)) {
    const paths = pathsOf(each, expressions)
    const twice = paths.find((path, index) => paths.slice(0, index).some((other) => overlap(path, other)))
    if (twice !== undefined) return `${each.member} has paths that overlap: ${twice.join('.')}`
  }
  return undefined
}

const typesOf: Readonly<Record<string, readonly string[]>> = { ADD: ['N', 'SS', 'NS', 'BS'], DELETE: ['SS', 'NS', 'BS'] }

function updateProblem(expressions: Input): string | undefined {
  const [update] = expressed(expressions).filter(({ member }) => member === 'UpdateExpression')
  if (update === undefined) return undefined
  const { clauses, actions } = updateActions(update)
  if (actions.length === 0) return 'an update without a clause'
  if (new Set(clauses).size < clauses.length) return `a clause twice: ${update.text}`
  for (const { verb, tokens } of actions) {
    if (tokens.length === 0) return `an empty clause ${verb}`
    const types = typesOf[verb]
    const value = valueNamed(tokens.at(-1), expressions)
    if (types !== undefined && isMap(value) && !types.some((type) => value[type] !== undefined))
      return `${verb} of ${JSON.stringify(value)}`
  }
  return undefined
}

const countOf = (value: unknown) => (Array.isArray(value) ? value.length : 0)

/** A bound of a list, from 1 on. */
const countProblem = (what: string, count: number, most: number) =>
  count >= 1 && count <= most ? undefined : `${what}: ${count}, of 1 to ${most}`

function batchProblem({ operation, input, parts }: Asked): string | undefined {
  if (operation === 'BatchGetItem') return countProblem('keys', parts.length, 100)
  if (operation === 'BatchWriteItem') return countProblem('writes', parts.length, 25)
  if (operation !== 'TransactWriteItems') return undefined
  const { ClientRequestToken: token, TransactItems: items } = input
  if (token !== undefined && (typeof token !== 'string' || token.length < 1 || token.length > 36)) return `the token ${String(token)}`
  if (countOf(items) !== parts.length) return 'an action that is not one of Put, Update, Delete and ConditionCheck'
  const idle = parts.find(({ verb, expressions }) => verb === 'ConditionCheck' && expressions.ConditionExpression === undefined)
  return idle === undefined ? countProblem('actions', parts.length, 100) : 'a check without a condition'
}

const bytesMaxOf: Readonly<Record<string, number>> = { BatchWriteItem: 16 * 1024 * 1024, TransactWriteItems: 4 * 1024 * 1024 }

function bytesProblem({ operation, parts }: Asked): string | undefined {
  const sizes = parts.map(({ item }) => (isMap(item) ? bytesOf(item) : 0))
  if (sizes.some((bytes) => bytes > itemBytesMax)) return `an item of more than ${itemBytesMax} bytes`
  const total = sizes.reduce((sum, bytes) => sum + bytes, 0)
  return total > (bytesMaxOf[operation] ?? total) ? `items of ${total} bytes` : undefined
}

function valuesProblem({ item, expressions }: Part): string | undefined {
  const { ExpressionAttributeValues: values } = expressions
  return (isMap(item) ? mapProblem(item) : undefined) ?? (isMap(values) ? mapProblem(values) : undefined)
}

const tableName = /^[A-Za-z0-9_.-]{3,255}$/

/** What is wrong with a table that is to be created. */
function tableProblem({ operation, input }: Asked): string | undefined {
  if (operation !== 'CreateTable') return undefined
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes: indexes = [], BillingMode, ProvisionedThroughput } = input
  const lists = [KeySchema, ...(Array.isArray(indexes) ? indexes.map((index) => isMap(index) && index.KeySchema) : [])]
  const schemas = lists.map((schema) => (Array.isArray(schema) ? schema : []))
  const types = schemas.map((schema) => schema.map(({ KeyType }) => KeyType).join(' '))
  if (!types.every((each) => ['HASH', 'HASH RANGE'].includes(each))) return `a key of ${types.join(' or ')}`
  const defined = (Array.isArray(AttributeDefinitions) ? AttributeDefinitions : []).map(({ AttributeName }) => AttributeName)
  const used = new Set(schemas.flat().map(({ AttributeName }) => AttributeName))
  if (defined.length !== used.size || !defined.every((name) => used.has(name)))
    return `the attributes ${defined.join(' and ')} are not those of the keys`
  const names = Array.isArray(indexes) ? indexes.map(({ IndexName }) => IndexName) : []
  if (names.length > 20 || new Set(names).size < names.length || !names.every((name) => tableName.test(String(name))))
    return `the indexes ${names.join(', ')}`
  if (input.GlobalSecondaryIndexes !== undefined && names.length === 0) return 'an empty list of indexes'
  return (BillingMode === 'PAY_PER_REQUEST') === (ProvisionedThroughput === undefined)
    ? undefined
    : 'a throughput that contradicts its billing'
}

const isCount = (value: unknown, least: number) => value === undefined || (Number.isInteger(value) && Number(value) >= least)

function pageProblem({ input }: Asked): string | undefined {
  const { Limit, Segment, TotalSegments } = input
  if (!isCount(Limit, 1)) return `the limit ${String(Limit)}`
  if (!isCount(TotalSegments, 1) || !isCount(Segment, 0) || (Segment === undefined) !== (TotalSegments === undefined))
    return 'a segment without their number'
  return Number(Segment ?? 0) < Number(TotalSegments ?? 1) ? undefined : `the segment ${String(Segment)} of ${String(TotalSegments)}`
}

export const rulesOfRequests: readonly Rule[] = [
  {
    says: 'Names of expressions are all used and all defined.',
    source: 'Developer Guide, "Expression attribute names"; API_Query, ExpressionAttributeNames',
    broken: ofEachPart(({ expressions }) => definitionProblem(expressions, 'ExpressionAttributeNames', '#')),
  },
  {
    says: 'Values of expressions are all used and all defined.',
    source: 'Developer Guide, "Expression attribute values"; API_Query, ExpressionAttributeValues',
    broken: ofEachPart(({ expressions }) => definitionProblem(expressions, 'ExpressionAttributeValues', ':')),
  },
  {
    says: 'An expression has at most 4 KB, and IN at most 100 operands.',
    source: 'Constraints, "Expression parameters"; API_Query, KeyConditionExpression',
    broken: ofEachPart(({ expressions }) =>
      expressed(expressions)
        .map(expressionProblem)
        .find((problem) => problem !== undefined),
    ),
  },
  {
    says: 'Paths of a projection or an update do not overlap.',
    source: 'Developer Guide, "Projection expressions", "Update expressions": "two document paths overlap"',
    broken: ofEachPart(({ expressions }) => pathProblem(expressions)),
  },
  {
    says: 'An update has each clause once. ADD takes numbers and sets, DELETE takes sets.',
    source: 'API_UpdateItem, UpdateExpression: "The ADD action supports only number and set data types"',
    broken: ofEachPart(({ expressions }) => updateProblem(expressions)),
  },
  {
    says: 'A batch reads at most 100 items and writes at most 25; a transaction has at most 100 actions, and a token of at most 36 characters.',
    source: 'API_BatchGetItem; API_BatchWriteItem; API_TransactWriteItems, TransactItems, ClientRequestToken',
    broken: batchProblem,
  },
  {
    says: 'An item has at most 400 KB, those of a transaction 4 MB, those of a batch 16 MB.',
    source: 'Constraints, "Item size"; API_TransactWriteItems; API_BatchWriteItem',
    broken: bytesProblem,
  },
  {
    says: 'Values have one type, numbers at most 38 digits, sets a member; values nest at most 32 deep.',
    source: 'API_AttributeValue; Developer Guide, "Data types"; Constraints, "Numbers", "Attribute values"',
    broken: ofEachPart(valuesProblem),
  },
  {
    says: 'An index is not read consistently.',
    source: 'API_Query, ConsistentRead: "not supported on global secondary indexes"',
    broken: ({ input }) => (input.IndexName !== undefined && input.ConsistentRead === true ? `of ${String(input.IndexName)}` : undefined),
  },
  {
    says: 'A limit and a segment are within their bounds.',
    source: 'API_Query, Limit; API_Scan, Segment, TotalSegments',
    broken: pageProblem,
  },
  {
    says: 'A table is named by 3 to 255 letters, digits, underscores, dots and hyphens.',
    source: 'API_CreateTable, TableName',
    broken: ofEachPart(({ table }) => (tableName.test(table) ? undefined : table)),
  },
  {
    says: 'A table defines the attributes of its keys and no others; its billing and its throughput agree.',
    source: 'API_CreateTable, AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode',
    broken: tableProblem,
  },
]
