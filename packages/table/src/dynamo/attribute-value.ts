import { FreeholdError, isFreeholdError } from '../errors.ts'
import { Carried } from '../plan/carried.ts'
import { parseDecimal, printDecimal } from './decimal.ts'

/**
 * A value in DynamoDB's JSON protocol. Binary values are base64 text, or bytes that JSON prints as such (`WireBytes`): the AWS SDK's
 * commands need bytes, and JSON needs text.
 */
export type AttributeValue =
  | { readonly S: string }
  | { readonly N: string }
  | { readonly BOOL: boolean }
  | { readonly NULL: boolean }
  | { readonly M: Item }
  | { readonly L: readonly AttributeValue[] }
  | { readonly SS: readonly string[] }
  | { readonly NS: readonly string[] }
  | { readonly B: WireBytes | string }
  | { readonly BS: readonly (WireBytes | string)[] }

/** An item or a key in DynamoDB's JSON protocol. */
export type Item = Readonly<Record<string, AttributeValue>>

/** Bytes that become base64 in JSON. */
export type WireBytes = Uint8Array & { toJSON(): string }

/** DynamoDB nests lists and maps at most this deep. */
export const depthMax = 32

/**
 * A plain object as an item for DynamoDB. `undefined` properties are left out.
 * Takes text, finite numbers, booleans, null, arrays, plain objects, Uint8Array, and Sets of text or of numbers.
 * @throws FreeholdError `InvalidInput`, which names the attribute, for anything else.
 */
export function toItem(plain: object): Record<string, AttributeValue> {
  return toMap(plain, 0, undefined)
}

/**
 * The plain object of an item or a key that only this project writes, with its attributes in the order of their names. An attribute named `__proto__`
 * becomes an own property and changes no prototype.
 * @throws FreeholdError `MalformedItem` for a number that JavaScript cannot represent, and for types that this project does not write.
 */
export function fromItem(raw: Item): Record<string, unknown> {
  return fromMap(raw, undefined)
}

function toMap(plain: object, depth: number, attribute: string | undefined): Record<string, AttributeValue> {
  const item: Record<string, AttributeValue> = {}
  // A plain object has only text as keys, and the type of each value is checked below.
  const source = plain as Record<string, unknown>
  for (const name of Object.keys(source)) {
    const value = source[name]
    if (value !== undefined) assign(item, checkedText(name, attribute ?? name), toValue(value, depth, attribute ?? name))
  }
  return item
}

function toValue(value: unknown, depth: number, attribute: string): AttributeValue {
  switch (typeof value) {
    case 'string':
      return { S: checkedText(value, attribute) }
    case 'number':
      return { N: printDecimal(value, attribute) }
    case 'boolean':
      return { BOOL: value }
    case 'object':
      return value === null ? { NULL: true } : toDocument(value, depth + 1, attribute)
    default:
      throw refused(attribute, `a ${typeof value} cannot be stored`)
  }
}

function toDocument(value: object, depth: number, attribute: string): AttributeValue {
  if (depth > depthMax) throw refused(attribute, `lists and maps nest at most ${depthMax} deep`)
  // What was carried was read from an item.
  if (value instanceof Carried) return value.value as AttributeValue
  if (Array.isArray(value)) return { L: value.map((element) => toValue(element, depth, attribute)) }
  if (value instanceof Uint8Array) return { B: toWireBytes(value) }
  if (value instanceof Set) return toSet(value, attribute)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) {
    throw refused(attribute, `an object of class ${value.constructor?.name ?? 'unknown'} cannot be stored; give plain data`)
  }
  return { M: toMap(value, depth, attribute) }
}

function toWireBytes(value: Uint8Array): WireBytes {
  const bytes = Uint8Array.from(value)
  return Object.assign(bytes, { toJSON: () => Buffer.from(bytes).toString('base64') })
}

function toSet(set: ReadonlySet<unknown>, attribute: string): AttributeValue {
  const members = [...set]
  if (members.length === 0) throw refused(attribute, 'a set cannot be empty; leave the attribute out')
  if (members.every((member) => typeof member === 'string')) return { SS: members.map((member) => checkedText(member, attribute)) }
  if (members.every((member) => typeof member === 'number')) return { NS: members.map((member) => printDecimal(member, attribute)) }
  throw refused(attribute, 'a set holds text only, or numbers only')
}

/** The engine within the process keeps attributes in this order: to sort them takes longer than to look. */
function namesInOrder(raw: Item): readonly string[] {
  const names = Object.keys(raw)
  for (let at = 1; at < names.length; at++) if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort()
  return names
}

/** @param attribute the attribute that the map is the value of, or undefined for an item */
function fromMap(raw: Item, attribute: string | undefined): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const name of namesInOrder(raw)) assign(plain, name, fromValue(raw[name], attribute ?? name))
  return plain
}

/**
 * The plain object of an item that any program may have written, with its attributes in the order of their names, so that printed items are alike. Nothing
 * that stands in it spoils the rest: attributes that are not known, and values that cannot be read, are `Carried`.
 * @param known the attributes that are read; all, if absent
 */
export function readAttributes(raw: Item, known?: ReadonlySet<string>): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  for (const name of namesInOrder(raw)) {
    // It is the item's own name.
    const value = raw[name] as AttributeValue
    assign(plain, name, known === undefined || known.has(name) ? readable(value, name) : new Carried(value))
  }
  return plain
}

function readable(value: AttributeValue, name: string): unknown {
  // The most common types need no `try`.
  if ('S' in value && typeof value.S === 'string') return value.S
  try {
    return fromValue(value, name)
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem')) throw error
    return new Carried(value)
  }
}

/** Tests for the most common types first. */
function fromValue(raw: AttributeValue | undefined, attribute: string): unknown {
  // Only one of these members exists. All are named, so that each can be read without a cast. Sets and bytes are rare.
  const value: Partial<Record<'S' | 'N' | 'BOOL' | 'NULL' | 'M' | 'L' | 'SS' | 'NS' | 'B' | 'BS', unknown>> | undefined = raw
  if (typeof value === 'object' && value !== null) {
    if (typeof value.S === 'string') return value.S
    if (typeof value.N === 'string') return parseDecimal(value.N, attribute)
    if (typeof value.BOOL === 'boolean') return value.BOOL
    if (value.NULL === true) return null
    // By DynamoDB's protocol M is a map and L a list of such values. Each value is checked in turn.
    if (typeof value.M === 'object' && value.M !== null) return fromMap(value.M as Item, attribute)
    if (Array.isArray(value.L)) return value.L.map((element: AttributeValue) => fromValue(element, attribute))
    if (Array.isArray(value.SS)) return new Set(value.SS)
    if (Array.isArray(value.NS)) return new Set(value.NS.map((member: string) => parseDecimal(member, attribute)))
    if (typeof value.B === 'string') return new Uint8Array(Buffer.from(value.B, 'base64'))
    if (value.B instanceof Uint8Array) return new Uint8Array(value.B)
  }
  throw new FreeholdError('MalformedItem', `Attribute ${attribute} has a type that this table does not use.`, { attribute })
}

/** Sets an own property. Plain assignment to `__proto__` would set the prototype. */
function assign<T>(target: Record<string, T>, name: string, value: T): void {
  if (name === '__proto__') Object.defineProperty(target, name, { value, enumerable: true, writable: true, configurable: true })
  else target[name] = value
}

/** UTF-8 has no unpaired surrogates, so one would be stored as another character. */
function checkedText(text: string, attribute: string): string {
  if (!text.isWellFormed()) throw refused(attribute, 'text holds an unpaired surrogate')
  return text
}

function refused(attribute: string, reason: string): FreeholdError {
  return new FreeholdError('InvalidInput', `${attribute}: ${reason}.`, { attribute, issues: [{ path: [attribute], message: reason }] })
}
