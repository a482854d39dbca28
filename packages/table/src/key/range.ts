import { lastCodePoint } from './format.ts'

/** Both ends belong to the range, as in DynamoDB's BETWEEN. */
export interface KeyRange {
  readonly from: string
  readonly to: string
}

/**
 * Every key that begins with `prefix`, in the same case. `begins_with` is not used, since the embedded engine ignores ASCII case in it.
 * No key contains U+10FFFF, so the range holds every key with the prefix.
 */
export function prefixRange(prefix: string): KeyRange {
  return { from: prefix, to: prefix + lastCodePoint }
}

const surrogate = /[\ud800-\udfff]/

/** Orders keys as DynamoDB does, by UTF-8 bytes. JavaScript itself orders by UTF-16 units. */
export function compareKeys(a: string, b: string): number {
  if (a === b) return 0
  // UTF-16 has the order of UTF-8 but for surrogates.
  if (!surrogate.test(a) && !surrogate.test(b)) return a < b ? -1 : 1
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
