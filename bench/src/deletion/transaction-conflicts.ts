type Input = Readonly<Record<string, unknown>>

/** DynamoDB's refusal of a request that meets a transaction under way. */
export interface Refusal {
  readonly code: string
  readonly body: string
}

interface OfItem {
  readonly TableName: string
  readonly Key?: Input
  readonly Item?: Input
}

const singleWrites: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/** The keys of every table here are `PK` and `SK`. */
function placeOf({ TableName, Key, Item }: OfItem): string {
  const { PK, SK } = Key ?? Item ?? {}
  return JSON.stringify([TableName, PK, SK])
}

/** The items that a transaction names, in the order of its actions; checks are among them. */
function placesOf({ TransactItems }: Input): readonly string[] {
  // Each action of a request that the engine takes has one member, which names its item.
  const actions = TransactItems as readonly Readonly<Record<string, OfItem>>[]
  return actions.map((action) => Object.values(action).map(placeOf).join())
}

function refusal(name: string, more: object = {}): Refusal {
  const code = `com.amazonaws.dynamodb.v20120810#${name}`
  return { code: name, body: JSON.stringify({ __type: code, message: `${name}, by the proxy of the bench`, ...more }) }
}

/** What is under way, and what meets it. */
export interface Conflicts {
  /** The refusal of a request that meets a transaction under way, or else what is to be called once the request has its answer. */
  begin(operation: string, input: Input): Refusal | (() => void)
}

/**
 * Refuses as AWS does what the embedded engine, which does one thing after another, never has to: a transaction that names an item that another one
 * under way names, and a single write of such an item. https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
 */
export function conflicts(): Conflicts {
  const held = new Set<string>()
  return {
    begin: (operation, input) => {
      if (operation === 'TransactWriteItems') {
        const places = placesOf(input)
        if (places.some((place) => held.has(place))) {
          const CancellationReasons = places.map((place) => ({ Code: held.has(place) ? 'TransactionConflict' : 'None' }))
          return refusal('TransactionCanceledException', { CancellationReasons })
        }
        for (const place of places) held.add(place)
        return () => {
          for (const place of places) held.delete(place)
        }
      }
      // A single write names its table, and its key or its item.
      if (singleWrites.has(operation) && held.has(placeOf(input as unknown as OfItem))) return refusal('TransactionConflictException')
      return () => {}
    },
  }
}
