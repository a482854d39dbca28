import { type AttributeValue, attributeOf, typeOf } from './attribute-value.ts'
import { compareNumbers } from './number.ts'

/**
 * The order of texts by their UTF-8 bytes, as DynamoDB has it. JavaScript's own order differs where one text has a character beyond the
 * first 65,536, since it compares halves of it.
 */
export function compareText(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  let at = 0
  while (at < length && a.charCodeAt(at) === b.charCodeAt(at)) at += 1
  if (at === length) return a.length - b.length
  const [left, right] = [a.charCodeAt(at), b.charCodeAt(at)]
  if (isHalf(left) !== isHalf(right)) return isHalf(left) ? 1 : -1
  return left - right
}

/** True for a half of a character beyond the first 65,536. */
function isHalf(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdfff
}

function compareBinary(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a, 'base64'), Buffer.from(b, 'base64'))
}

/** The order of two values of one type that has an order; undefined for others. */
export function compareValues(a: AttributeValue, b: AttributeValue): number | undefined {
  if ('S' in a && 'S' in b) return compareText(a.S, b.S)
  if ('N' in a && 'N' in b) return compareNumbers(a.N, b.N)
  if ('B' in a && 'B' in b) return compareBinary(a.B, b.B)
  return undefined
}

/** True for values of one type and content. Sets are kept in order, so that theirs is compared as it is. */
export function isEqual(a: AttributeValue, b: AttributeValue): boolean {
  if ('M' in a) {
    if (!('M' in b)) return false
    const names = Object.keys(a.M)
    return (
      names.length === Object.keys(b.M).length &&
      names.every((name) => {
        const [left, right] = [attributeOf(a.M, name), attributeOf(b.M, name)]
        return left !== undefined && right !== undefined && isEqual(left, right)
      })
    )
  }
  if ('L' in a) return 'L' in b && a.L.length === b.L.length && a.L.every((each, at) => isSame(each, b.L[at]))
  const type = typeOf(a)
  if (type !== typeOf(b)) return false
  const [[left], [right]] = [Object.values(a), Object.values(b)]
  if (Array.isArray(left) && Array.isArray(right)) return left.length === right.length && left.every((each, at) => each === right[at])
  return left === right
}

function isSame(a: AttributeValue, b: AttributeValue | undefined): boolean {
  return b !== undefined && isEqual(a, b)
}
