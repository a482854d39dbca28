import { invalid, invalidValues, malformed } from '../errors.ts'
import { type AttributeValue, type Item, isValueType, type MutableItem, setAttribute, type ValueType } from './attribute-value.ts'
import { compareText } from './compare.ts'
import { canonicalNumber, compareNumbers } from './number.ts'

/** "DynamoDB supports nested attributes up to 32 levels deep" (Developer Guide, "Quotas in Amazon DynamoDB"). */
const depth_max = 32

/**
 * An item, a key or a set of expression values as a caller gave it, checked and in its one spelling. Its attributes are in the order of their
 * names: few orders make few shapes of stored records.
 * @throws ServiceError `ValidationException` for values that DynamoDB refuses, `SerializationException` for what its protocol has no place for.
 */
export function checkedItem(given: unknown, depth = 0): Item {
  const source = checkedRecord(given)
  const item: MutableItem = {}
  for (const name of inOrder(Object.keys(source))) setAttribute(item, name.toWellFormed(), checkedValue(source[name], depth))
  return item
}

/** Most are in order: an item that was read, a key. To sort those would take longer than to look. */
function inOrder(names: string[]): readonly string[] {
  for (let at = 1; at < names.length; at += 1) if ((names[at - 1] ?? '') > (names[at] ?? '')) return names.sort()
  return names
}

export function checkedValue(given: unknown, depth = 0): AttributeValue {
  if (depth > depth_max)
    throw invalid('Nesting Levels have exceeded supported limits: Attributes cannot have more than 32 levels of nesting')
  const source = checkedRecord(given)
  let type: ValueType | undefined
  for (const name of Object.keys(source)) {
    if (source[name] === undefined || source[name] === null || !isValueType(name)) continue
    if (type !== undefined) {
      throw invalid('Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes')
    }
    type = name
  }
  if (type === undefined) throw invalid('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
  return contentAs(type, source[type], depth)
}

function contentAs(type: ValueType, content: unknown, depth: number): AttributeValue {
  switch (type) {
    case 'S':
      return { S: textOf(content).toWellFormed() }
    case 'N':
      return { N: canonicalNumber(textOf(content)) }
    case 'B':
      return { B: base64Of(content) }
    case 'BOOL':
      if (typeof content !== 'boolean') throw cannotBe(content, 'Boolean')
      return { BOOL: content }
    case 'NULL':
      if (typeof content !== 'boolean') throw cannotBe(content, 'Boolean')
      if (!content) throw invalidValues('Null attribute value types must have the value of true')
      return { NULL: true }
    case 'M':
      return { M: checkedItem(content, depth + 1) }
    case 'L':
      return { L: listOf(content).map((each) => checkedValue(each, depth + 1)) }
    case 'SS':
      return { SS: textSet(listOf(content).map((each) => textOf(each).toWellFormed())) }
    case 'NS':
      return { NS: numberSet(listOf(content).map((each) => canonicalNumber(textOf(each)))) }
    case 'BS':
      return { BS: binarySet(listOf(content).map(base64Of)) }
  }
}

function textSet(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) throw invalidValues('An string set  may not be empty')
  if (new Set(texts).size < texts.length) throw invalidValues(`Input collection [${texts.join(', ')}] contains duplicates.`)
  return [...texts].sort(compareText)
}

function numberSet(numbers: readonly string[]): readonly string[] {
  if (numbers.length === 0) throw invalidValues('An number set  may not be empty')
  if (new Set(numbers).size < numbers.length) throw invalid('Input collection contains duplicates')
  return [...numbers].sort(compareNumbers)
}

function binarySet(binaries: readonly string[]): readonly string[] {
  if (binaries.length === 0) throw invalidValues('Binary sets should not be empty')
  if (new Set(binaries).size < binaries.length) {
    throw invalidValues(`Input collection [${binaries.join(', ')}]of type BS contains duplicates.`)
  }
  return [...binaries].sort()
}

function textOf(content: unknown): string {
  if (typeof content !== 'string') throw cannotBe(content, 'String')
  return content
}

function listOf(content: unknown): readonly unknown[] {
  if (!Array.isArray(content)) throw malformed(`Unexpected value type in payload`)
  return content
}

/** Bytes, or their base64 text, as base64 text in its one spelling. */
function base64Of(content: unknown): string {
  if (content instanceof Uint8Array) return Buffer.from(content.buffer, content.byteOffset, content.byteLength).toString('base64')
  const text = textOf(content)
  const canonical = Buffer.from(text, 'base64').toString('base64')
  if (canonical !== text) throw malformed(`Base64 encoded length is expected a multiple of 4 bytes but found: ${text.length}`)
  return canonical
}

/** @throws ServiceError `SerializationException` for what is not an object with members. */
export function checkedRecord(given: unknown): Readonly<Record<string, unknown>> {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) throw malformed('Unexpected value type in payload')
  return given as Readonly<Record<string, unknown>> // Any object has members by text.
}

/** How DynamoDB names what JSON has instead of what the protocol wants. */
function cannotBe(content: unknown, wanted: string): Error {
  if (typeof content === 'object')
    return malformed(
      Array.isArray(content)
        ? 'Unrecognized collection type class java.lang.String'
        : 'Start of structure or map found where not expected.',
    )
  const found =
    typeof content === 'string' ? 'STRING_VALUE' : typeof content === 'number' ? 'NUMBER_VALUE' : `${String(content).toUpperCase()}_VALUE`
  return malformed(`${found} cannot be converted to ${wanted}`)
}
