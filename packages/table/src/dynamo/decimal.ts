import { FreeholdError } from '../errors.ts'

/** DynamoDB's numbers: zero, or a magnitude from 1E-130 up to 9.99…E+125, with 38 significant digits (a JavaScript number has 17). */
const magnitude = { min: 1e-130, max: 1e126 } as const

/**
 * A number as DynamoDB takes it.
 * @throws FreeholdError `InvalidInput` for NaN, an infinity and magnitudes that DynamoDB does not hold.
 */
export function printDecimal(value: number, attribute: string): string {
  // Whole numbers that are exact are the common case, and all fit.
  if (Number.isSafeInteger(value)) return String(value)
  const size = Math.abs(value)
  if (size >= magnitude.min && size < magnitude.max) return String(value)
  const reason = Number.isFinite(value) ? `${value} is beyond what DynamoDB holds` : `${value} is not a finite number`
  throw new FreeholdError('InvalidInput', `${attribute}: ${reason}.`, { attribute, issues: [{ path: [attribute], message: reason }] })
}

/**
 * The JavaScript number that prints as this decimal.
 * @throws FreeholdError `MalformedItem` where there is none: rounding a stored number would change it at the next write.
 */
export function parseDecimal(text: string, attribute: string): number {
  const value = Number(text)
  if (Number.isFinite(value)) {
    const printed = String(value)
    if (printed === text || sameDecimal(printed, text)) return value
  }
  throw new FreeholdError('MalformedItem', `Attribute ${attribute} holds a number that JavaScript cannot represent.`, { attribute })
}

interface Decimal {
  readonly negative: boolean
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string
  /** The power of ten that the last digit counts. */
  readonly exponent: number
}

/** `12.50`, `1.25e1` and `+0012.5` are one number. Undefined for what is no decimal. */
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
 * The bytes that DynamoDB counts for a number: one for two significant digits, and one more. The documentation says "approximately"; this is the
 * upper bound: digits are paired from the decimal point, so that 1.5 takes two pairs, and a negative number has one byte more.
 */
export function decimalBytes(value: number): number {
  const decimal = decimalOf(String(value))
  if (decimal === undefined || decimal.digits === '') return 1
  const padding = Math.abs(decimal.exponent % 2)
  return Math.ceil((decimal.digits.length + padding) / 2) + 1 + (decimal.negative ? 1 : 0)
}
