import type { Sender, TableKey } from '@freehold/table/runtime'

type Wire = Readonly<Record<string, { readonly S?: string }>>

/** The keys that a request writes; what it only checks is left alone. */
function writtenBy(operation: string, input: unknown): readonly (Wire | undefined)[] {
  // Only requests of the port's own shapes come here.
  const {
    Item,
    Key,
    TransactItems = [],
    RequestItems = {},
  } = input as {
    readonly Item?: Wire
    readonly Key?: Wire
    readonly TransactItems?: readonly Readonly<
      Record<'Put' | 'Update' | 'Delete', { readonly Item?: Wire; readonly Key?: Wire } | undefined>
    >[]
    readonly RequestItems?: Readonly<
      Record<string, readonly { readonly PutRequest?: { readonly Item: Wire }; readonly DeleteRequest?: { readonly Key: Wire } }[]>
    >
  }
  switch (operation) {
    case 'PutItem':
      return [Item]
    case 'UpdateItem':
    case 'DeleteItem':
      return [Key]
    case 'TransactWriteItems':
      return TransactItems.map(({ Put, Update, Delete }) => Put?.Item ?? Update?.Key ?? Delete?.Key)
    case 'BatchWriteItem':
      return Object.values(RequestItems).flatMap((writes) =>
        writes.map(({ PutRequest, DeleteRequest }) => PutRequest?.Item ?? DeleteRequest?.Key),
      )
    default:
      return []
  }
}

/** Keeps the keys of everything that is written through it, so that nothing else has to be looked at afterwards. */
export class WatchedSender implements Sender {
  private readonly inner: Sender
  private written = new Map<string, TableKey>()

  constructor(inner: Sender) {
    this.inner = inner
  }

  readonly send: Sender['send'] = (operation, input, options) => {
    for (const key of writtenBy(operation, input)) {
      const [PK = '', SK = ''] = [key?.PK?.S, key?.SK?.S]
      if (key !== undefined) this.written.set(`${PK} / ${SK}`, { PK, SK })
    }
    return this.inner.send(operation, input, options)
  }

  /** The writes since this was asked last. */
  take(): readonly TableKey[] {
    const keys = [...this.written.values()]
    this.written = new Map()
    return keys
  }

  close(): void {
    this.inner.close()
  }
}
