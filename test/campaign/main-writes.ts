import { namedItems } from '@freehold/table/testing'

export type Input = Readonly<Record<string, unknown>>

/** The effect of a request on an item. */
export interface MainWrite {
  readonly key: string
  readonly kind: 'Put' | 'Update' | 'Delete'
}

/** The writes of a request, without its checks, in order: the item itself comes before its guards and lookup items. */
export function mainWrites(operation: string, input: Input): readonly MainWrite[] {
  return namedItems(operation, input).flatMap(({ action: kind, place: key }) => (kind === 'ConditionCheck' ? [] : [{ key, kind }]))
}

const singleWrites: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

export const isTransaction = (operation: string): boolean => operation === 'TransactWriteItems'
export const isWrite = (operation: string): boolean => isTransaction(operation) || singleWrites.has(operation)
