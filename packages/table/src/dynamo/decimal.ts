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
  const printed = String(value)
  if (printed === text) return value
  if (Number.isFinite(value) && sameDecimal(printed, text)) return value
  throw new FreeholdError('MalformedItem', `Attribute ${attribute} holds a number that JavaScript cannot represent.`, { attribute })
}

function sameDecimal(a: string, b: string): boolean {
  const left = normalised(a)
  return left !== undefined && left === normalised(b)
}

/** Sign, significant digits and exponent: `12.50`, `1.25e1` and `+0012.5` are one number. Undefined for what is no decimal. */
function normalised(text: string): string | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] = /^([+-]?)(\d*)\.?(\d*)(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (sign === undefined || whole + fraction === '') return undefined
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  return `${sign === '-' ? '-' : ''}${significant}e${Number(exponent) - fraction.length + (digits.length - significant.length)}`
}

/** How many significant digits DynamoDB stores of a number, leading and trailing zeros trimmed. */
export function significantDigits(value: number): number {
  const significant = normalised(String(value))
  if (significant === undefined || significant === '0') return 0
  return significant.replace('-', '').indexOf('e')
}
