import { decimalBytes } from './decimal.ts'

/** DynamoDB refuses larger items (spec rule 2). 1 KB is 1,024 bytes. */
export const itemBytesMax = 400 * 1024

/**
 * The size of an item in bytes as DynamoDB counts it for its limit and for request units, by the Developer Guide's page "DynamoDB item
 * sizes and formats". The argument is the same as for `toItem`.
 */
export function itemBytes(plain: object): number {
  let bytes = 0
  // Every write calls this function, so it avoids a list of pairs. A plain object has only text as keys.
  const source = plain as Readonly<Record<string, unknown>>
  for (const name of Object.keys(source)) {
    const value = source[name]
    if (value !== undefined) bytes += Buffer.byteLength(name) + valueBytes(value)
  }
  return bytes
}

function valueBytes(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (typeof value === 'number') return decimalBytes(value)
  if (typeof value !== 'object' || value === null) return 1
  if (value instanceof Uint8Array) return value.byteLength
  // The page does not mention sets. They are counted as the sum of their members.
  if (value instanceof Set) return [...value].reduce((bytes: number, member) => bytes + valueBytes(member), 0)
  // Lists and maps: three bytes, and one more for each element.
  if (Array.isArray(value)) return value.reduce((bytes: number, element) => bytes + 1 + valueBytes(element), 3)
  const elements = Object.values(value).filter((element) => element !== undefined).length
  return 3 + elements + itemBytes(value)
}
