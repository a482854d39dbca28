/** The input of any operation. */
type Input = Readonly<Record<string, unknown>>

/** The action of a write, by its name in a transaction. */
export type ActionName = 'Put' | 'Update' | 'Delete' | 'ConditionCheck'

/** An item that a write names. */
export interface NamedItem {
  readonly action: ActionName
  /** Its table and its key. */
  readonly place: string
}

interface ItemAction {
  readonly TableName?: unknown
  readonly Item?: Input
  readonly Key?: Input
}

const singleWrites: Readonly<Record<string, ActionName>> = { PutItem: 'Put', UpdateItem: 'Update', DeleteItem: 'Delete' }
const transactionName = 'TransactWriteItems'

function placeOf({ TableName, Item, Key }: ItemAction): string {
  const { PK, SK } = Key ?? Item ?? {}
  return JSON.stringify([TableName, PK, SK])
}

/** The items that a write names, in the order of its actions, including items that it only checks. None for a read. */
export function namedItems(operation: string, input: Input): readonly NamedItem[] {
  const single = singleWrites[operation]
  if (single !== undefined) return [{ action: single, place: placeOf(input) }]
  if (operation !== transactionName || !Array.isArray(input.TransactItems)) return []
  return input.TransactItems.flatMap((actions: Readonly<Partial<Record<ActionName, ItemAction>>>) =>
    // Each action has one member, which is named by what it does.
    (Object.entries(actions) as [ActionName, ItemAction][]).map(([action, named]) => ({ action, place: placeOf(named) })),
  )
}

/** The refusal of a request by DynamoDB at AWS: its code, and the members next to the message. */
export interface ConflictRefusal {
  readonly code: string
  readonly CancellationReasons?: readonly { readonly Code: string }[]
}

/** The refusal of a write, by whether each of its actions has met a conflict. */
export function conflictRefusal(operation: string, isReadByDecisions: readonly boolean[]): ConflictRefusal {
  if (operation !== transactionName) return { code: 'TransactionConflictException' }
  return {
    code: 'TransactionCanceledException',
    CancellationReasons: isReadByDecisions.map((met) => ({ Code: met ? 'TransactionConflict' : 'None' })),
  }
}

/**
 * The running transactions, as DynamoDB at AWS treats them. The embedded engine runs one after another, so it never refuses one for
 * another. Two transactions with the same item conflict, whatever they do with it, and so do a single write and a transaction. A token is
 * used by one request at a time. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
export class UnderWay {
  /** The number of requests refused because a running transaction had one of their items. */
  conflicts = 0
  /** The number of requests refused because their token was in use. */
  repeats = 0
  /** The largest number of parallel transactions. */
  most = 0
  readonly #places = new Set<string>()
  readonly #tokens = new Set<unknown>()
  #count = 0

  /** The refusal of a request that conflicts with a running transaction, or a function to call once the request has its answer. */
  enter(operation: string, input: Input): { readonly refused: ConflictRefusal } | { readonly leave: () => void } {
    const places = namedItems(operation, input).map(({ place }) => place)
    const isTransaction = operation === transactionName
    const token = isTransaction ? input.ClientRequestToken : undefined
    if (token !== undefined && this.#tokens.has(token)) {
      this.repeats++
      return { refused: { code: 'TransactionInProgressException' } }
    }
    const isReadByDecisions = places.map((place) => this.#places.has(place))
    if (isReadByDecisions.includes(true)) {
      this.conflicts++
      return { refused: conflictRefusal(operation, isReadByDecisions) }
    }
    if (!isTransaction) return { leave: () => {} }
    for (const place of places) this.#places.add(place)
    if (token !== undefined) this.#tokens.add(token)
    this.most = Math.max(this.most, ++this.#count)
    return {
      leave: () => {
        this.#count--
        for (const place of places) this.#places.delete(place)
        this.#tokens.delete(token)
      },
    }
  }
}
