import { Carried } from '../plan/carried.ts'
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
  if (value instanceof Carried) return wireBytes(value.value)
  // The page does not mention sets. They are counted as the sum of their members.
  if (value instanceof Set) return [...value].reduce((bytes: number, member) => bytes + valueBytes(member), 0)
  // Lists and maps: three bytes, and one more for each element.
  if (Array.isArray(value)) return value.reduce((bytes: number, element) => bytes + 1 + valueBytes(element), 3)
  const elements = Object.values(value).filter((element) => element !== undefined).length
  return 3 + elements + itemBytes(value)
}

/** The size of a value in DynamoDB's JSON protocol, of any type. */
function wireBytes(value: object): number {
  const [type = '', held]: readonly unknown[] = Object.entries(value)[0] ?? []
  const each = (of: string) => (Array.isArray(held) ? held.reduce((bytes: number, one) => bytes + wireBytes({ [of]: one }), 0) : 0)
  if (Array.isArray(held) && type !== 'L') return each(String(type).slice(0, 1))
  if (Array.isArray(held)) return held.reduce((bytes: number, one) => bytes + 1 + wireBytes(one), 3)
  // Two digits take a byte. A sign, a point and an exponent count as digits, so that this is an upper bound.
  if (type === 'N') return Math.ceil(String(held).length / 2) + 1
  if (type === 'B' && typeof held === 'string') return Buffer.byteLength(held, 'base64')
  if (type !== 'M' || typeof held !== 'object' || held === null) return valueBytes(held)
  return Object.entries(held).reduce((bytes, [name, one]) => bytes + 1 + Buffer.byteLength(name) + wireBytes(one), 3)
}
