import { FreeholdError } from '@freehold/table'

/** One row of a file, with the line it begins on, from 1; or why that line is no row. */
export type SourceRow<V = Readonly<Record<string, unknown>>> =
  | { readonly line: number; readonly values: V; readonly error?: undefined }
  | { readonly line: number; readonly values?: undefined; readonly error: FreeholdError }

/** Bytes or text as a file or an upload gives them, in pieces of any size. */
export type Source = AsyncIterable<Uint8Array | string>

/** An item has at most 400 KB; quoted and escaped for a file it may be several times that. Longer rows would cost memory without bound. */
export const rowBytesMax = 4 * 1024 * 1024

/** Of a row: spreadsheets save in the code page of their system unless they are told. */
export const notUtf8 = 'is not UTF-8: save the file as UTF-8'

/** The error of a row that cannot be read or does not fit: `attribute` where it is one column's fault. */
export function rowError(message: string, attribute?: string): FreeholdError {
  const path = attribute === undefined ? [] : [attribute]
  const sentence = attribute === undefined ? `The row ${message}.` : `${attribute} ${message}.`
  return new FreeholdError('InvalidInput', sentence, { issues: [{ path, message }] })
}
