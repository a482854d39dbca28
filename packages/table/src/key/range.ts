import { lastCodePoint } from './format.ts'

/** Both ends belong to the range, as in DynamoDB's BETWEEN. */
export interface KeyRange {
  readonly from: string
  readonly to: string
}

/**
 * Every key that begins with `prefix`, exact in case. `begins_with` is not used for this: the embedded engine ignores
 * ASCII case in it. No key holds U+10FFFF, so nothing that begins with the prefix lies beyond.
 */
export function prefixRange(prefix: string): KeyRange {
  return { from: prefix, to: prefix + lastCodePoint }
}

/** Orders keys as DynamoDB does, by their UTF-8 bytes; JavaScript's own order is by UTF-16 units. */
export function compareKeys(a: string, b: string): number {
  return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b))
}
