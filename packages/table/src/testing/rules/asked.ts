import type { CreateTableInput, KeySchemaElement } from '../../dynamo/operation.ts'

/** Any part of a request, in the shapes of DynamoDB's JSON protocol. */
export type Input = Readonly<Record<string, unknown>>

/** A key attribute of a table or index. */
export interface KeyAttribute {
  readonly name: string
  readonly type: string
  readonly part: 'partition' | 'sort'
}

/** The keys of a table, and of its indexes by their names. */
export interface TableKeys {
  readonly own: readonly KeyAttribute[]
  readonly indexes: ReadonlyMap<string, readonly KeyAttribute[]>
}

/** The keys of a table. Undefined for one that is not known, of whose keys no rule speaks then. */
export type KeysOf = (table: string) => TableKeys | undefined

/** The keys of a table that is created so. */
export function keysCreated({ AttributeDefinitions, KeySchema, GlobalSecondaryIndexes = [] }: CreateTableInput): TableKeys {
  const typeOf = (name: string) => AttributeDefinitions.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? 'S'
  const keyOf = (schema: readonly KeySchemaElement[]) =>
    schema.map(({ AttributeName: name, KeyType }): KeyAttribute => {
      return { name, type: typeOf(name), part: KeyType === 'HASH' ? 'partition' : 'sort' }
    })
  return {
    own: keyOf(KeySchema),
    indexes: new Map(GlobalSecondaryIndexes.map((index) => [index.IndexName, keyOf(index.KeySchema)])),
  }
}

export const isMap = (value: unknown): value is Input => typeof value === 'object' && value !== null && !Array.isArray(value)
const listed = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** What a request asks of one item, or of one range. */
export interface Part {
  readonly verb: string
  readonly table: string
  readonly keys: TableKeys | undefined
  /** The key that it names. */
  readonly key?: unknown
  /** The item that it puts. */
  readonly item?: unknown
  /** Its expressions, with their names and values. */
  readonly expressions: Input
}

export interface Asked {
  readonly operation: string
  readonly input: Input
  readonly parts: readonly Part[]
}

/** One value for all parts without expressions, of which nothing has to be found twice. */
const none: Input = {}

function partsOf(operation: string, input: Input, keysOf: KeysOf): readonly Part[] {
  const part = (verb: string, table: unknown, of: Input, expressions = of): Part => {
    const name = String(table)
    return { verb, table: name, keys: keysOf(name), key: of.Key, item: of.Item, expressions }
  }
  const tables = () => Object.entries(isMap(input.RequestItems) ? input.RequestItems : {})
  switch (operation) {
    case 'TransactWriteItems':
      return listed(input.TransactItems).flatMap((each) =>
        Object.entries(isMap(each) ? each : {}).flatMap(([verb, of]) => (isMap(of) ? [part(verb, of.TableName, of)] : [])),
      )
    case 'BatchWriteItem':
      return tables().flatMap(([table, writes]) =>
        listed(writes).flatMap((each) =>
          Object.entries(isMap(each) ? each : {}).flatMap(([verb, of]) =>
            isMap(of) ? [part(verb.replace('Request', ''), table, of, none)] : [],
          ),
        ),
      )
    case 'BatchGetItem':
      // The expressions are those of all keys of a table, so only its first key has them.
      return tables().flatMap(([table, of]) =>
        isMap(of) ? listed(of.Keys).map((Key, index) => part('Get', table, { Key }, index === 0 ? of : none)) : [],
      )
    default:
      return input.TableName === undefined ? [] : [part(operation.replace(/Item$/, ''), input.TableName, input)]
  }
}

export function askedBy(operation: string, input: Input, keysOf: KeysOf): Asked {
  return { operation, input, parts: partsOf(operation, input, keysOf) }
}

/** The key attributes of the table or index that a part reads. */
export function keyRead({ keys, expressions: { IndexName } }: Part): readonly KeyAttribute[] | undefined {
  return typeof IndexName === 'string' ? keys?.indexes.get(IndexName) : keys?.own
}

/** A text that tells the keys of a part from those of another. Undefined for a part that names no item. */
export function itemNamed({ table, key, item, keys }: Part): string | undefined {
  const from = isMap(key) ? key : isMap(item) ? item : undefined
  if (from === undefined) return undefined
  const names = keys?.own.map(({ name }) => name) ?? (isMap(key) ? Object.keys(key).sort() : undefined)
  return names === undefined ? undefined : JSON.stringify([table, names.map((name) => from[name])])
}
