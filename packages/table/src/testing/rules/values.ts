import { isMap } from './asked.ts'
import { first } from './rule.ts'

/** Digits that count, and magnitudes, of DynamoDB's numbers. */
const digitsMax = 38
const exponents = { least: -130, most: 125 } as const
const depthMax = 32

function numberProblem(text: unknown): string | undefined {
  if (typeof text !== 'string') return 'a number that is not text'
  const [, whole, fraction = '', power = '0'] = /^[+-]?(?=\.?\d)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (whole === undefined) return `the number ${JSON.stringify(text)}`
  const led = `${whole}${fraction}`.replace(/^0+/, '')
  const digits = led.replace(/0+$/, '')
  if (digits.length > digitsMax) return `a number of ${digits.length} digits`
  const magnitude = led.length - 1 - fraction.length + Number(power)
  return digits !== '' && (magnitude < exponents.least || magnitude > exponents.most) ? `the number ${text}` : undefined
}

function setProblem(members: unknown, problemOf: (member: unknown) => string | undefined): string | undefined {
  if (!Array.isArray(members) || members.length === 0) return 'an empty set'
  return new Set(members).size < members.length ? 'a set with a member twice' : first(members, problemOf)
}

const notText = (value: unknown) => (typeof value === 'string' ? undefined : 'a text that is none')

/** What is wrong with an attribute value, as words that name it. */
export function valueProblem(value: unknown, depth = 1): string | undefined {
  if (!isMap(value)) return 'a value without a type'
  const [[type, of] = [], more] = Object.entries(value)
  if (type === undefined || more !== undefined) return 'a value that has not one type'
  if (depth > depthMax) return `a value nested deeper than ${depthMax}`
  switch (type) {
    case 'S':
    case 'B':
      return notText(of)
    case 'N':
      return numberProblem(of)
    case 'BOOL':
      return typeof of === 'boolean' ? undefined : 'a truth value that is none'
    case 'NULL':
      return of === true ? undefined : 'a null that is not true'
    case 'SS':
    case 'BS':
      return setProblem(of, notText)
    case 'NS':
      return setProblem(of, numberProblem)
    case 'L':
      return Array.isArray(of) ? first(of, (each) => valueProblem(each, depth + 1)) : 'a list that is none'
    case 'M':
      return isMap(of) ? mapProblem(of, depth + 1) : 'a map that is none'
    default:
      return `a value of the type ${type}`
  }
}

/** What is wrong with the names or values of a map, or of an item. */
export function mapProblem(map: object, depth = 1): string | undefined {
  return first(Object.entries(map), ([name, value]) => (name === '' ? 'an empty name' : valueProblem(value, depth)))
}

/** The bytes of an item, by the Developer Guide's page "DynamoDB item sizes and formats". A number counts as its least. */
export function bytesOf(item: object): number {
  let bytes = 0
  for (const [name, value] of Object.entries(item)) bytes += Buffer.byteLength(name) + valueBytes(value)
  return bytes
}

function valueBytes(value: unknown): number {
  if (!isMap(value)) return 0
  if (typeof value.S === 'string') return Buffer.byteLength(value.S)
  if (typeof value.B === 'string') return Buffer.byteLength(value.B, 'base64')
  if (isMap(value.M)) return 3 + Object.keys(value.M).length + bytesOf(value.M)
  if (Array.isArray(value.L)) return value.L.reduce((bytes: number, each) => bytes + 1 + valueBytes(each), 3)
  const members = value.SS ?? value.BS
  return Array.isArray(members) ? Buffer.byteLength(members.join('')) : 1
}

/** The text of a key's value. Undefined for one that no key may have. */
export function keyText(value: unknown): string | undefined {
  const [[type, of] = []] = isMap(value) ? Object.entries(value) : []
  return type !== undefined && ['S', 'N', 'B'].includes(type) && typeof of === 'string' && of !== '' ? of : undefined
}
