import { invalid } from '../errors.ts'

// "Numbers can be positive, negative, or zero. Numbers can have up to 38 digits of precision" (Developer Guide, "Supported data types and
// naming rules": 1E-130 to 9.9999999999999999999999999999999999999E+125).

const digits_max = 38
const magnitude_min = -129
const magnitude_max = 126

interface Decimal {
  readonly isNegative: boolean
  /** Significant digits, without zeros at either end; empty for zero. */
  readonly digits: string
  /** The number is `0.digits` times ten to this power. */
  readonly magnitude: number
}

const plainWhole = /^(?:0|-?[1-9][0-9]{0,37})$/

/**
 * A number in its one spelling: without an exponent, and without zeros that say nothing.
 * @throws ServiceError `ValidationException` for text that is no number, and for numbers that DynamoDB does not store.
 */
export function canonicalNumber(text: string): string {
  return plainWhole.test(text) ? text : printDecimal(checked(parseDecimal(text)))
}

function parseDecimal(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') {
    throw invalid(`The parameter cannot be converted to a numeric value${text === '' ? '' : `: ${text}`}`)
  }
  const led = (whole + fraction).replace(/^0+/, '')
  const digits = led.replace(/0+$/, '')
  if (digits === '') return { isNegative: false, digits, magnitude: 0 }
  return { isNegative: sign === '-', digits, magnitude: Number(exponent) + led.length - fraction.length }
}

function checked(decimal: Decimal): Decimal {
  const { digits, magnitude } = decimal
  if (digits.length > digits_max) throw invalid(`Attempting to store more than ${digits_max} significant digits in a Number`)
  if (digits !== '' && magnitude > magnitude_max) {
    throw invalid('Number overflow. Attempting to store a number with magnitude larger than supported range')
  }
  if (digits !== '' && magnitude < magnitude_min) {
    throw invalid('Number underflow. Attempting to store a number with magnitude smaller than supported range')
  }
  return decimal
}

function printDecimal({ isNegative, digits, magnitude }: Decimal): string {
  if (digits === '') return '0'
  const sign = isNegative ? '-' : ''
  if (magnitude <= 0) return `${sign}0.${'0'.repeat(-magnitude)}${digits}`
  if (magnitude >= digits.length) return `${sign}${digits}${'0'.repeat(magnitude - digits.length)}`
  return `${sign}${digits.slice(0, magnitude)}.${digits.slice(magnitude)}`
}

/** Whole numbers of at most 15 digits add up exactly in JavaScript. */
const isShort = (text: string): boolean => text.length < 16 && !text.includes('.')

/**
 * The sum of two numbers, or their difference.
 * @throws ServiceError `ValidationException` for a result that DynamoDB does not store.
 */
export function sum(a: string, b: string, sign: 1 | -1 = 1): string {
  if (isShort(a) && isShort(b)) return String(Number(a) + sign * Number(b))
  const [left, right] = [parseDecimal(a), parseDecimal(b)]
  const scale = Math.min(left.magnitude - left.digits.length, right.magnitude - right.digits.length)
  const total = scaled(left, scale) + BigInt(sign) * scaled(right, scale)
  return canonicalNumber(`${total}e${scale}`)
}

function scaled({ isNegative, digits, magnitude }: Decimal, scale: number): bigint {
  const whole = BigInt(digits) * 10n ** BigInt(magnitude - digits.length - scale)
  return isNegative ? -whole : whole
}

/** Below, at or above zero, as `a` is less than, equal to or greater than `b`. Both are in their one spelling. */
export function compareNumbers(a: string, b: string): number {
  if (a === b) return 0
  if (isShort(a) && isShort(b)) return Number(a) - Number(b)
  return orderedNumber(a) < orderedNumber(b) ? -1 : 1
}

/**
 * Bytes, as characters of one byte, whose order is that of the numbers: sign, magnitude, and two digits a byte. Those of a negative number
 * are inverted, and end with the highest byte, since its shorter neighbour is the greater one.
 */
export function orderedNumber(text: string): string {
  const { isNegative, digits, magnitude } = parseDecimal(text)
  if (digits === '') return '\x80'
  const bytes = [magnitude - magnitude_min]
  for (let at = 0; at < digits.length; at += 2) bytes.push(Number(digits.slice(at, at + 2).padEnd(2, '0')) + 1)
  return isNegative ? `\x7f${String.fromCharCode(...bytes.map((byte) => 255 - byte), 255)}` : `\x81${String.fromCharCode(...bytes)}`
}

/**
 * The bytes that count for a number: "approximately (1 byte per two significant digits) + (1 byte)" (Developer Guide, "DynamoDB item sizes and
 * formats"). Digits are paired from the decimal point, and a sign takes a byte.
 */
export function numberBytes(text: string): number {
  if (text.length === 1) return text === '0' ? 1 : 2
  const { isNegative, digits, magnitude } = parseDecimal(text)
  if (digits === '') return 1
  const padding = Math.abs((magnitude - digits.length) % 2)
  return Math.ceil((digits.length + padding) / 2) + 1 + (isNegative ? 1 : 0)
}
