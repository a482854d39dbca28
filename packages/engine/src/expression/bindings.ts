import { invalid, malformed, ServiceError } from '../errors.ts'
import { type AttributeValue, type Item, typeOf, type ValueType } from '../value/attribute-value.ts'
import { checkedRecord, checkedValue } from '../value/checked-value.ts'
import { valueBytes } from '../value/item-size.ts'
import type { Parsed } from './parser.ts'
import type { Path } from './path.ts'
import type { Operand, PathNode } from './tree.ts'

export interface ExpressionInput {
  readonly ExpressionAttributeNames?: unknown
  readonly ExpressionAttributeValues?: unknown
}

/** "The maximum length of all substitution variables in an expression is 2 MB" (Developer Guide, "Quotas in Amazon DynamoDB"). */
const substitutions_bytes_max = 2 * 1024 * 1024

/** What the names and values in a request's expressions stand for. It finds those that no expression uses. */
export class Bindings {
  readonly #names: Readonly<Record<string, string>>
  readonly #values: Item
  readonly #used: Parsed<unknown>[] = []

  /**
   * @param expressions the request's expressions, by the name of their parameter
   * @throws ServiceError for names and values in a wrong form, or without an expression
   */
  constructor(
    { ExpressionAttributeNames: names, ExpressionAttributeValues: values }: ExpressionInput,
    expressions: Readonly<Record<string, unknown>>,
  ) {
    const hasExpression = Object.values(expressions).some((expression) => expression !== undefined)
    this.#names = names === undefined ? noNames : checkedNames(names)
    this.#values = values === undefined ? noValues : checkedValues(values)
    if (!hasExpression && (names !== undefined || values !== undefined)) {
      const which = names === undefined ? 'ExpressionAttributeValues' : 'ExpressionAttributeNames'
      const labels = Object.keys(expressions)
      const nulls = `${labels.join(' and ')} ${labels.length > 1 ? 'are' : 'is'} null`
      throw invalid(`${which} can only be specified when using expressions: ${nulls}`)
    }
  }

  /** @throws ServiceError for names and values that no expression has used. */
  finish(): void {
    const names = Object.keys(this.#names).filter((name) => !this.#used.some(({ aliases }) => aliases.has(name)))
    if (names.length > 0) throw unused('ExpressionAttributeNames', names)
    const unusedValues = Object.keys(this.#values).filter((name) => !this.#used.some(({ values }) => values.has(name)))
    if (unusedValues.length > 0) throw unused('ExpressionAttributeValues', unusedValues)
  }

  path({ elements }: PathNode): Path {
    return elements.map((element) => ('index' in element ? element.index : 'word' in element ? element.word : this.#name(element.alias)))
  }

  value(name: string): AttributeValue {
    const value = Object.hasOwn(this.#values, name) ? this.#values[name] : undefined
    if (value === undefined) throw new Error(`${name} is not bound.`)
    return value
  }

  /** The type of an operand that is a value; undefined for others, whose type the item decides. */
  typeOf(operand: Operand): ValueType | undefined {
    return operand.kind === 'value' ? typeOf(this.value(operand.name)) : undefined
  }

  #name(alias: string): string {
    const name = Object.hasOwn(this.#names, alias) ? this.#names[alias] : undefined
    if (name === undefined) throw new Error(`${alias} is not bound.`)
    return name
  }

  /** @throws ServiceError for names and values of an expression that the request does not give */
  use(label: string, parsed: Parsed<unknown>): void {
    this.#used.push(parsed)
    for (const alias of parsed.aliases) {
      if (!Object.hasOwn(this.#names, alias)) {
        throw invalid(`Invalid ${label}: An expression attribute name used in the document path is not defined; attribute name: ${alias}`)
      }
    }
    for (const value of parsed.values) {
      if (!Object.hasOwn(this.#values, value)) {
        throw invalid(`Invalid ${label}: An expression attribute value used in expression is not defined; attribute value: ${value}`)
      }
    }
  }
}

const noNames = {}
const noValues: Item = {}

function unused(parameter: string, keys: readonly string[]): Error {
  return invalid(`Value provided in ${parameter} unused in expressions: keys: {${keys.join(', ')}}`)
}

function checkedNames(given: unknown): Readonly<Record<string, string>> {
  const source = checkedRecord(given)
  const names: Record<string, string> = {}
  for (const [alias, name] of Object.entries(source)) {
    if (typeof name !== 'string') throw malformed('Unexpected value type in payload')
    if (!/^#\w+$/.test(alias)) throw invalidKey('ExpressionAttributeNames', alias)
    if (name === '') throw invalid(`ExpressionAttributeNames contains invalid value: Empty attribute name for key ${alias}`)
    names[alias] = name
  }
  if (Object.keys(names).length === 0) throw invalid('ExpressionAttributeNames must not be empty')
  return names
}

function checkedValues(given: unknown): Item {
  const source = checkedRecord(given)
  const values: Record<string, AttributeValue> = {}
  let bytes = 0
  for (const [name, value] of Object.entries(source)) {
    if (!/^:\w+$/.test(name)) throw invalidKey('ExpressionAttributeValues', name)
    const checked = valueNamed(name, value)
    bytes += name.length + valueBytes(checked)
    values[name] = checked
  }
  if (Object.keys(values).length === 0) throw invalid('ExpressionAttributeValues must not be empty')
  if (bytes > substitutions_bytes_max) throw invalid('ExpressionAttributeValues exceeded the maximum size of all substitution variables')
  return values
}

function valueNamed(name: string, given: unknown): AttributeValue {
  try {
    return checkedValue(given)
  } catch (error) {
    if (!(error instanceof ServiceError) || error.name !== 'ValidationException') throw error
    throw invalid(`ExpressionAttributeValues contains invalid value: ${error.message} for key ${name}`)
  }
}

function invalidKey(parameter: string, key: string): Error {
  return invalid(`${parameter} contains invalid key: Syntax error; key: "${key}"`)
}
