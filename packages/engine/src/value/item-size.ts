import type { AttributeValue, Item } from './attribute-value.ts'
import { numberBytes } from './number.ts'

/** The bytes of base64 text without the text's padding. */
export function binaryBytes(text: string): number {
  return Math.floor((text.length * 3) / 4) - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0)
}

/**
 * The bytes by which DynamoDB limits and charges an item: the UTF-8 bytes of its names, and of its values (Developer Guide, "DynamoDB item
 * sizes and formats").
 */
export function itemBytes(item: Item): number {
  let bytes = 0
  // An item has no members but its own, and few of its values are absent: to list them takes longer.
  for (const name in item) bytes += Buffer.byteLength(name) + valueBytes(item[name] ?? { NULL: true })
  return bytes
}

/** "An attribute of type List or Map requires 3 bytes of overhead", and one more for each element. */
const document_bytes = 3

export function valueBytes(value: AttributeValue): number {
  if ('S' in value) return Buffer.byteLength(value.S)
  if ('N' in value) return numberBytes(value.N)
  if ('B' in value) return binaryBytes(value.B)
  if ('M' in value) return document_bytes + itemBytes(value.M) + Object.keys(value.M).length
  if ('L' in value) return value.L.reduce((bytes, each) => bytes + valueBytes(each) + 1, document_bytes)
  if ('SS' in value) return value.SS.reduce((bytes, each) => bytes + Buffer.byteLength(each), 0)
  if ('NS' in value) return value.NS.reduce((bytes, each) => bytes + numberBytes(each), 0)
  if ('BS' in value) return value.BS.reduce((bytes, each) => bytes + binaryBytes(each), 0)
  return 1
}
