import { namedItems } from '@freehold/table/testing'

export type Input = Readonly<Record<string, unknown>>

/** What a request does to an item. */
export interface MainWrite {
  readonly key: string
  readonly kind: 'Put' | 'Update' | 'Delete'
}

/** What a request writes, without its checks, in order: the item itself comes before its guards and mirrors. */
export function mainWrites(operation: string, input: Input): readonly MainWrite[] {
  return namedItems(operation, input).flatMap(({ action: kind, place: key }) => (kind === 'ConditionCheck' ? [] : [{ key, kind }]))
}

const singleWrites: ReadonlySet<string> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

export const isTransaction = (operation: string): boolean => operation === 'TransactWriteItems'
export const isWrite = (operation: string): boolean => isTransaction(operation) || singleWrites.has(operation)
