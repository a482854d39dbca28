import { ServiceError } from '../errors.ts'
import { cancelled } from '../operation/cancelled.ts'
import type { Context } from '../operation/operation.ts'

export interface NamedItem {
  readonly partition: string
  readonly item: string
}

type Members = Readonly<Record<string, unknown>>

function membersOf(given: unknown): Members {
  // Any object has members by text.
  return typeof given === 'object' && given !== null ? (given as Members) : {}
}

/** The items that a request names by their keys, in its order. A request in a wrong form names none. */
export function itemsNamed({ catalog, read }: Context, operation: string, input: unknown): NamedItem[] {
  const { TableName, Key, Item, RequestItems, TransactItems } = membersOf(input)
  const named: [table: unknown, key: unknown][] = []
  if (operation.startsWith('Transact') && Array.isArray(TransactItems)) {
    for (const action of TransactItems) {
      for (const part of Object.values(membersOf(action)).map(membersOf)) named.push([part.TableName, part.Key ?? part.Item])
    }
  } else if (operation.startsWith('Batch')) {
    for (const [table, part] of Object.entries(membersOf(RequestItems))) {
      const keys: unknown = Array.isArray(part) ? part : membersOf(part).Keys
      for (const key of Array.isArray(keys) ? keys.map(membersOf) : []) {
        named.push([table, membersOf(key.PutRequest).Item ?? membersOf(key.DeleteRequest).Key ?? key])
      }
    }
  } else if (Key !== undefined || Item !== undefined) named.push([TableName, Key ?? Item])
  return read(true, (reading) =>
    named.flatMap(([name, key]) => {
      const table = catalog.find(reading, String(name))
      if (table === undefined) return []
      const values = table.keyNames.map((each) => JSON.stringify(membersOf(key)[each]))
      return [{ partition: `${table.name} ${values[0]}`, item: `${table.name} ${values.join(' ')}` }]
    }),
  )
}

/** The batch without some of its parts, and how its answer tells of these. Undefined for what is no batch, or loses none. */
export function refusedAs(
  operation: string,
  input: unknown,
  refuses: (isFirst: boolean) => boolean,
): { readonly input: Members; readonly refused: object } | undefined {
  if (operation !== 'BatchGetItem' && operation !== 'BatchWriteItem') return undefined
  const kept: Record<string, unknown> = {}
  const left: Record<string, unknown> = {}
  let isFirst = true
  for (const [table, part] of Object.entries(membersOf(membersOf(input).RequestItems))) {
    const parts: unknown = Array.isArray(part) ? part : membersOf(part).Keys
    if (!Array.isArray(parts)) return undefined
    const [taken, refused]: [unknown[], unknown[]] = [[], []]
    for (const each of parts) {
      if (refuses(isFirst)) refused.push(each)
      else taken.push(each)
      isFirst = false
    }
    const of = (some: unknown[]): unknown => (Array.isArray(part) ? some : { ...membersOf(part), Keys: some })
    if (taken.length > 0) kept[table] = of(taken)
    if (refused.length > 0) left[table] = of(refused)
  }
  if (Object.keys(left).length === 0) return undefined
  return {
    input: { ...membersOf(input), RequestItems: kept },
    refused: { [operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems']: left },
  }
}

const itemWrites: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem'])

/**
 * Requests under way, by item. A transaction conflicts with any write that is under way on one of its items, and an item's write with a
 * transaction (Developer Guide, "Transaction conflict handling in DynamoDB").
 */
export class UnderWay {
  readonly #writes = new Map<string, number>()
  readonly #transactions = new Map<string, number>()

  async run(operation: string, named: readonly NamedItem[], request: () => Promise<object>): Promise<object> {
    const items = named.map(({ item }) => item)
    const [conflicting, own] =
      operation === 'TransactWriteItems'
        ? [(item: string) => this.#writes.has(item) || this.#transactions.has(item), this.#transactions]
        : operation === 'TransactGetItems' || itemWrites.has(operation)
          ? [(item: string) => this.#transactions.has(item), itemWrites.has(operation) ? this.#writes : undefined]
          : [() => false, undefined]
    if (items.some(conflicting)) throw conflictOf(operation, items.map(conflicting))
    if (own === undefined) return request()
    for (const item of items) own.set(item, (own.get(item) ?? 0) + 1)
    try {
      // Without a turn of the event loop no other request would come while this one is under way.
      await new Promise(setImmediate)
      return await request()
    } finally {
      for (const item of items) {
        const count = (own.get(item) ?? 1) - 1
        if (count > 0) own.set(item, count)
        else own.delete(item)
      }
    }
  }
}

function conflictOf(operation: string, conflicts: readonly boolean[]): ServiceError {
  const message = 'Transaction is ongoing for the item'
  if (!operation.startsWith('Transact')) return new ServiceError('TransactionConflictException', message)
  return cancelled(conflicts.map((conflict) => (conflict ? { Code: 'TransactionConflict', Message: message } : { Code: 'None' })))
}
