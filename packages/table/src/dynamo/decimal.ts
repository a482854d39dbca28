import { FreeholdError } from '../errors.ts'
import { isDecimal } from '../kind/value.ts'

/**
 * A number as DynamoDB's text.
 * @throws FreeholdError `InvalidInput` for NaN, an infinity and magnitudes that DynamoDB does not store.
 */
export function printDecimal(value: number, attribute: string): string {
  // Exact whole numbers are the common case, and all are valid.
  if (Number.isSafeInteger(value) || isDecimal(value)) return String(value)
  const reason = Number.isFinite(value) ? `${value} is outside the range of DynamoDB's numbers` : `${value} is not a finite number`
  throw new FreeholdError('InvalidInput', `${attribute}: ${reason}.`, { attribute, issues: [{ path: [attribute], message: reason }] })
}

/** True for a decimal that equals the JavaScript number of its text. */
export function isExactDecimal(text: string): boolean {
  const printed = String(Number(text))
  return Number.isFinite(Number(text)) && (printed === text || sameDecimal(printed, text))
}

/**
 * The JavaScript number that equals this decimal.
 * @throws FreeholdError `MalformedItem` if there is none, since the next write would store the rounded number.
 */
export function parseDecimal(text: string, attribute: string): number {
  if (isExactDecimal(text)) return Number(text)
  throw new FreeholdError('MalformedItem', `Attribute ${attribute} holds a number that JavaScript cannot represent.`, { attribute })
}

interface Decimal {
  readonly negative: boolean
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string
  /** The power of ten of the last digit. */
  readonly exponent: number
}

/** `12.50`, `1.25e1` and `+0012.5` are the same number. Undefined for text that is not a decimal. */
function decimalOf(text: string): Decimal | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const led = (whole + fraction).replace(/^0+/, '')
  const digits = led.replace(/0+$/, '')
  if (digits === '') return { negative: false, digits, exponent: 0 }
  return { negative: sign === '-', digits, exponent: Number(exponent) - fraction.length + led.length - digits.length }
}

function sameDecimal(a: string, b: string): boolean {
  const [left, right] = [decimalOf(a), decimalOf(b)]
  if (left === undefined || right === undefined) return false
  return left.negative === right.negative && left.digits === right.digits && left.exponent === right.exponent
}

/**
 * The bytes that DynamoDB counts for a number: one for two significant digits, and one more. The documentation says "approximately". This
 * is the upper bound: digits are paired from the decimal point, so 1.5 takes two pairs, and a negative number takes one more byte.
 */
export function decimalBytes(value: number): number {
  const decimal = decimalOf(String(value))
  if (decimal === undefined || decimal.digits === '') return 1
  const padding = Math.abs(decimal.exponent % 2)
  return Math.ceil((decimal.digits.length + padding) / 2) + 1 + (decimal.negative ? 1 : 0)
}
