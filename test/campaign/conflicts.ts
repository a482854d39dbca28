/** Answers and keys as DynamoDB has them; nothing of Freehold. */
export interface EngineAnswer {
  readonly status: number
  readonly body: string
}

export type Input = Readonly<Record<string, unknown>>
type Attributes = Readonly<Record<string, unknown>>

export function refusal(code: string, more: object = {}): EngineAnswer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: `${code}, by the campaign`, ...more }
  return { status: 400, body: JSON.stringify(body) }
}

function keyOf(table: unknown, attributes: unknown): string {
  const { PK, SK } = (attributes ?? {}) as Attributes
  return JSON.stringify([table, PK, SK])
}

interface Action {
  readonly TableName?: unknown
  readonly Item?: unknown
  readonly Key?: unknown
}

/** The key of each action of a transaction, checks included, in order. */
function keysOfTransaction({ TransactItems }: Input): readonly string[] {
  if (!Array.isArray(TransactItems)) return []
  return TransactItems.map((entry: Readonly<Record<string, Action>>) => {
    const [action] = Object.values(entry)
    return keyOf(action?.TableName, action?.Item ?? action?.Key)
  })
}

/** What a request does to an item. */
export interface MainWrite {
  readonly key: string
  readonly kind: 'Put' | 'Update' | 'Delete'
}

const kindOf = (name: string): MainWrite['kind'] | undefined =>
  name.startsWith('Put') ? 'Put' : name.startsWith('Update') ? 'Update' : name.startsWith('Delete') ? 'Delete' : undefined

/** What a request writes, without its checks, in order: the item itself comes before its guards and mirrors. */
export function mainWrites(operation: string, input: Input): readonly MainWrite[] {
  const actions: readonly [string, Action][] = isTransaction(operation)
    ? (Array.isArray(input.TransactItems) ? input.TransactItems : []).flatMap((entry: Readonly<Record<string, Action>>) =>
        Object.entries(entry),
      )
    : [[operation, input]]
  return actions.flatMap(([name, { TableName, Item, Key }]) => {
    const kind = kindOf(name)
    return kind === undefined ? [] : [{ key: keyOf(TableName, Item ?? Key), kind }]
  })
}

const singleWrites: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

export const isTransaction = (operation: string): boolean => operation === 'TransactWriteItems'
export const isWrite = (operation: string): boolean => isTransaction(operation) || singleWrites.has(operation)

/**
 * The transactions under way, as AWS sees them and the embedded engine, which does one after the other, never does: two that name one item
 * conflict, whatever they do with it, and so does a single write with a transaction. One token is at work once.
 */
export class UnderWay {
  private readonly keys = new Set<string>()
  private readonly tokens = new Set<unknown>()
  /** How often one was refused for another. */
  conflicts = 0
  repeats = 0

  /** The refusal of a request that meets a transaction under way; else what ends its own being under way. */
  enter(operation: string, input: Input): { readonly refused: EngineAnswer } | { readonly leave: () => void } {
    if (singleWrites.has(operation)) {
      if (!this.keys.has(keyOf(input.TableName, input.Item ?? input.Key))) return { leave: () => {} }
      this.conflicts += 1
      return { refused: refusal('TransactionConflictException') }
    }
    if (!isTransaction(operation)) return { leave: () => {} }
    const token = input.ClientRequestToken
    if (token !== undefined && this.tokens.has(token)) {
      this.repeats += 1
      return { refused: refusal('TransactionInProgressException') }
    }
    const own = keysOfTransaction(input)
    if (own.some((key) => this.keys.has(key))) {
      this.conflicts += 1
      const CancellationReasons = own.map((key) => ({ Code: this.keys.has(key) ? 'TransactionConflict' : 'None' }))
      return { refused: refusal('TransactionCanceledException', { CancellationReasons }) }
    }
    for (const key of own) this.keys.add(key)
    if (token !== undefined) this.tokens.add(token)
    return {
      leave: () => {
        for (const key of own) this.keys.delete(key)
        this.tokens.delete(token)
      },
    }
  }
}
