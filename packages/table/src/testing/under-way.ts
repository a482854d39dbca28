/** The input of any operation. */
type Input = Readonly<Record<string, unknown>>

/** What an action of a write does, by the name that it has in a transaction. */
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

/** The items that a write names, in the order of its actions, those that it only checks among them. None for a read. */
export function namedItems(operation: string, input: Input): readonly NamedItem[] {
  const single = singleWrites[operation]
  if (single !== undefined) return [{ action: single, place: placeOf(input) }]
  if (operation !== transactionName || !Array.isArray(input.TransactItems)) return []
  return input.TransactItems.flatMap((actions: Readonly<Partial<Record<ActionName, ItemAction>>>) =>
    // Each action has one member, which is named by what it does.
    (Object.entries(actions) as [ActionName, ItemAction][]).map(([action, named]) => ({ action, place: placeOf(named) })),
  )
}

/** Why DynamoDB at AWS refuses a request: its code, and what stands beside the message. */
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
 * The transactions that are under way, as DynamoDB at AWS sees them. The embedded engine, which does one after the other, never refuses one for another.
 * Two that name one item conflict, whatever they do with it, and so does a single write with a transaction. One token is at work once.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
export class UnderWay {
  /** How many requests were refused since a transaction was at work on one of their items. */
  conflicts = 0
  /** How many were refused since their token was at work. */
  repeats = 0
  /** The most transactions that were under way at once. */
  most = 0
  readonly #places = new Set<string>()
  readonly #tokens = new Set<unknown>()
  #count = 0

  /** The refusal of a request that meets a transaction under way, or what is to be called once the request has its answer. */
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
