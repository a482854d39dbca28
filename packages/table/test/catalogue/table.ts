import { ownTableOf } from '../../../../test/engine/own-table.ts'
import type { Inputs, Operation, Outputs } from '../../src/dynamo/operation.ts'
import type { Sender } from '../../src/dynamo/sender.ts'
import { type ConnectOptions, connect, type Table } from '../../src/run/connect.ts'
import { directSender, noWait } from '../depot/table.ts'
import { catalogue } from './design.ts'

export type Catalogue = Table<typeof catalogue>

/** The design connected to a table, without making that. */
export function catalogueOf(table: string, options: ConnectOptions = {}): Catalogue {
  return connect(catalogue, { table, sender: directSender(), sleep: noWait, ...options })
}

/** A table of this test's own on the shared engine. */
export const ownCatalogue = (options: ConnectOptions = {}): Promise<Catalogue> =>
  ownTableOf(catalogue, { sender: directSender(), ...options })

/** Sends, and remembers what was sent. */
export class RecordingSender implements Sender {
  readonly requests: { readonly operation: Operation; readonly input: Readonly<Record<string, unknown>> }[] = []

  send<O extends Operation>(operation: O, input: Inputs[O]): Promise<Outputs[O]> {
    this.requests.push({ operation, input: { ...input } })
    return directSender().send(operation, input)
  }

  close(): void {}
}

// Items as they lie in the table, written out by hand: what the code under test makes of a key is not asked.

/** An id that sorts as its number does. */
export const numbered = (index: number): string => String(index).padStart(6, '0')

export const bookItem = (shelf: string, genre: string, id: string, more: object = {}) => ({
  PK: `SHELF#${shelf}`,
  SK: `BOOK#${genre}#${id}`,
  Type: 'Book',
  version: 1,
  shelf,
  genre,
  id,
  ...more,
})

/** So many books of one genre. */
export const bookItems = (shelf: string, count: number, more: (index: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, index) => bookItem(shelf, 'x', numbered(index), more(index)))
