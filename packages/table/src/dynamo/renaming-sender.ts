import { storedIndex, storedName, type TableNames } from '../design/names.ts'
import type { Outputs } from './operation.ts'
import { type Expressions, renamedExpressions } from './renamed-expressions.ts'
import type { Sender } from './sender.ts'

/** Renames an item, and whatever is not in DynamoDB's form not at all: who reads the answer refuses it. */
type Rename = (item: unknown) => unknown
type Part = Readonly<Record<string, unknown>>

const isRecord = (value: unknown): value is Part => typeof value === 'object' && value !== null && !Array.isArray(value)

const each = (value: unknown, map: (element: unknown) => unknown) => (Array.isArray(value) ? value.map(map) : map(value))
const byTable = (value: unknown, map: (element: unknown) => unknown) =>
  isRecord(value) ? Object.fromEntries(Object.entries(value).map(([table, of]) => [table, each(of, map)])) : value

const items: ReadonlySet<string> = new Set(['Key', 'Keys', 'Item', 'Items', 'Attributes', 'ExclusiveStartKey', 'LastEvaluatedKey'])
const parts: ReadonlySet<string> = new Set(['TransactItems', 'Put', 'Update', 'Delete', 'ConditionCheck', 'PutRequest', 'DeleteRequest'])
const partsByTable: ReadonlySet<string> = new Set(['RequestItems', 'UnprocessedKeys', 'UnprocessedItems'])

/** Renames the items and keys in a request or an answer, wherever DynamoDB's protocol has them. */
function renamedItems(part: unknown, rename: Rename, inPart: (part: Part) => Part = (same) => same): unknown {
  if (!isRecord(part)) return part
  const within = (value: unknown) => renamedItems(value, rename, inPart)
  const renamed = Object.entries(inPart(part)).map(([member, value]) => {
    if (items.has(member)) return [member, each(value, rename)]
    if (parts.has(member)) return [member, each(value, within)]
    if (partsByTable.has(member)) return [member, byTable(value, within)]
    return [member, member === 'Responses' ? byTable(value, rename) : value]
  })
  return Object.fromEntries(renamed)
}

/** @param type the name of the attribute that tells an item's entity, before it is renamed */
function renaming(attributes: ReadonlyMap<string, string>, types: ReadonlyMap<string, string>, type: string): Rename {
  const renamed = (name: string, value: unknown) =>
    name === type && isRecord(value) && typeof value.S === 'string' ? { S: types.get(value.S) ?? value.S } : value
  return (item) =>
    isRecord(item)
      ? Object.fromEntries(Object.entries(item).map(([name, value]) => [attributes.get(name) ?? name, renamed(name, value)]))
      : item
}

/** An error with the items that it returns: of a failed condition, or of each action of a transaction. */
function renamedError(error: unknown, rename: Rename): unknown {
  if (!isRecord(error) || (error.Item === undefined && error.CancellationReasons === undefined)) return error
  const { Item: item, CancellationReasons: reasons } = error
  const told = {
    ...(item === undefined ? {} : { Item: { value: rename(item), enumerable: true } }),
    ...(reasons === undefined
      ? {}
      : { CancellationReasons: { value: each(reasons, (reason) => renamedItems(reason, rename)), enumerable: true } }),
  }
  return Object.create(error, told)
}

/**
 * The same sender, over a table with other names: whoever sends by it speaks the names of the runtime. Requests that make or describe a table have the
 * names of the table already, since templates have them, too (`publish/table-definition.ts`).
 */
export function renamingSender(sender: Sender, names: TableNames): Sender {
  const { attributes, types } = names
  const toTable = renaming(attributes.toTable, types.toTable, 'Type')
  const fromTable = renaming(attributes.fromTable, types.fromTable, storedName(names, 'Type'))
  const inPart = (part: Part): Part => {
    // The members of requests are those of `Inputs`.
    const renamed = renamedExpressions(part as Part & Expressions, names)
    return typeof renamed.IndexName === 'string' ? { ...renamed, IndexName: storedIndex(names, renamed.IndexName) } : renamed
  }
  return {
    ...(sender.keepsTokens === undefined ? {} : { keepsTokens: sender.keepsTokens }),
    ...(sender.mayResend === undefined ? {} : { mayResend: sender.mayResend }),
    send: async (operation, input, options) => {
      try {
        // Only names in it have changed.
        const output = await sender.send(operation, renamedItems(input, toTable, inPart) as typeof input, options)
        return renamedItems(output, fromTable) as Outputs[typeof operation]
      } catch (error) {
        throw renamedError(error, fromTable)
      }
    },
    close: () => sender.close(),
  }
}
