import { invalid, malformed } from '../errors.ts'

// The rules of a request's members, as AWS's API reference lists them for each operation. Their violations are told together, in AWS's words.

/** A rule of a member, as the message of its violation. */
type Constraint = string

export interface Member {
  readonly isRequired: boolean
  /** @throws ServiceError `SerializationException` for another type. @returns the constraints that the value violates, with the path below it */
  check(value: unknown): readonly Violation[]
}

export interface Violation {
  /** Below the member: `.1.member.keyType`. */
  readonly path: string
  readonly shown: string
  readonly constraint: Constraint
}

export type Shape = Readonly<Record<string, Member>>

const violation = (value: unknown, constraint: Constraint, path = ''): Violation => ({ path, shown: `'${shownValue(value)}'`, constraint })

const none: readonly Violation[] = []

/** A value as Java prints it. */
function shownValue(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shownValue).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .map(([name, each]) => `${name}=${shownValue(each)}`)
    .join(', ')}}`
}

export interface TextRules {
  readonly min?: number
  readonly max?: number
  readonly pattern?: string
  readonly among?: readonly string[]
}

export function text({ min, max, pattern, among }: TextRules = {}): Member {
  const expression = pattern === undefined ? undefined : new RegExp(`^(?:${pattern})$`)
  return optional((value) => {
    if (typeof value !== 'string') throw malformed(`${kindOf(value)} cannot be converted to String`)
    const isAmong = among === undefined || among.includes(value)
    const isShort = min !== undefined && value.length < min
    const isLong = max !== undefined && value.length > max
    const fits = isShort || expression === undefined || expression.test(value)
    if (isAmong && !isShort && !isLong && fits) return none
    const found: Violation[] = []
    if (!isAmong) found.push(violation(value, `Member must satisfy enum value set: [${among.join(', ')}]`))
    if (isLong) found.push(violation(value, `Member must have length less than or equal to ${max}`))
    if (isShort) found.push(violation(value, `Member must have length greater than or equal to ${min}`))
    if (!fits) found.push(violation(value, `Member must satisfy regular expression pattern: ${pattern}`))
    return found
  })
}

export function flag(): Member {
  return optional((value) => {
    if (typeof value !== 'boolean') throw malformed(`${kindOf(value)} cannot be converted to Boolean`)
    return none
  })
}

export function whole({ min, max }: { readonly min?: number; readonly max?: number } = {}): Member {
  return optional((value) => {
    if (typeof value !== 'number' || !Number.isInteger(value)) throw malformed(`${kindOf(value)} cannot be converted to Integer`)
    if (min !== undefined && value < min) return [violation(value, `Member must have value greater than or equal to ${min}`)]
    return max !== undefined && value > max ? [violation(value, `Member must have value less than or equal to ${max}`)] : none
  })
}

export interface ListRules {
  readonly min?: number
  readonly max?: number
  /** What AWS calls an element. */
  readonly of?: string
}

export function list(member: Member, { min, max, of }: ListRules = {}): Member {
  return optional((value) => {
    if (!Array.isArray(value)) throw malformed('Unexpected value type in payload')
    const found: Violation[] = []
    for (let at = 0; at < value.length; at += 1) {
      for (const { path, ...rest } of member.check(value[at])) found.push({ path: `.${at + 1}.member${path}`, ...rest })
    }
    const told = (): unknown => (of === undefined ? value : value.map((each: unknown) => shownElement(of, each)))
    if (max !== undefined && value.length > max) found.push(violation(told(), `Member must have length less than or equal to ${max}`))
    if (min !== undefined && value.length < min) found.push(violation(told(), `Member must have length greater than or equal to ${min}`))
    return found
  })
}

/** `KeySchemaElement(attributeName=pk, keyType=HASH)` */
function shownElement(of: string, element: unknown): string {
  const members = typeof element === 'object' && element !== null ? Object.entries(element) : []
  return `${of}(${members.map(([name, value]) => `${lowerFirst(name)}=${shownValue(value)}`).join(', ')})`
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** An object whose members are named by the caller. */
export function map(member?: Member): Member {
  return optional((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('Unexpected value type in payload')
    if (member === undefined) return none
    return Object.entries(value).flatMap(([name, each]) =>
      member.check(each).map(({ path, ...rest }) => ({ path: `.${name}.member${path}`, ...rest })),
    )
  })
}

export function structure(shape: Shape): Member {
  return optional((value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('Unexpected value type in payload')
    // An object has members by text.
    const found = violationsOf(shape, value as Readonly<Record<string, unknown>>)
    return found.length === 0 ? none : found.map(({ path, ...rest }) => ({ path: `.${path}`, ...rest }))
  })
}

/** A value whose rules depend on more than itself. */
export function anything(): Member {
  return optional(() => none)
}

export function required(member: Member): Member {
  return { isRequired: true, check: member.check }
}

function optional(check: Member['check']): Member {
  return { isRequired: false, check }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'START_ARRAY'
  if (typeof value === 'object') return 'START_OBJECT'
  return typeof value === 'boolean' ? `${String(value).toUpperCase()}_VALUE` : typeof value === 'number' ? 'NUMBER_VALUE' : 'STRING_VALUE'
}

function violationsOf(shape: Shape, input: Readonly<Record<string, unknown>>): Violation[] {
  const found: Violation[] = []
  for (const name in shape) {
    const member = shape[name]
    const value = input[name]
    if (member === undefined) continue
    if (value === undefined || value === null) {
      if (member.isRequired) found.push({ path: lowerFirst(name), shown: 'null', constraint: 'Member must not be null' })
    } else for (const { path, ...rest } of member.check(value)) found.push({ path: lowerFirst(name) + path, ...rest })
  }
  return found
}

/** @throws ServiceError that tells all violations, or `SerializationException` for a member of another type */
export function checkShape(shape: Shape, input: Readonly<Record<string, unknown>>): void {
  const found = violationsOf(shape, input)
  if (found.length === 0) return
  const told = found.map(({ path, shown, constraint }) => `Value ${shown} at '${path}' failed to satisfy constraint: ${constraint}`)
  throw invalid(`${found.length} validation error${found.length === 1 ? '' : 's'} detected: ${told.join('; ')}`)
}
