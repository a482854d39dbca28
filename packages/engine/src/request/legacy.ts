import { invalid } from '../errors.ts'
import type { ExpressionInput } from '../expression/bindings.ts'
import { checkedRecord } from '../value/checked-value.ts'

/** Parameters from before expressions (Developer Guide, "Legacy DynamoDB conditional parameters"). Each means an expression, and is made one. */
export interface Legacy {
  readonly AttributesToGet?: readonly string[]
  readonly AttributeUpdates?: unknown
  readonly Expected?: unknown
  readonly KeyConditions?: unknown
  readonly QueryFilter?: unknown
  readonly ScanFilter?: unknown
  readonly ConditionalOperator?: 'AND' | 'OR'
}

const legacyNames = [
  'AttributesToGet',
  'AttributeUpdates',
  'Expected',
  'KeyConditions',
  'QueryFilter',
  'ScanFilter',
  'ConditionalOperator',
] as const satisfies readonly (keyof Legacy)[]

const expressionNames = [
  'ProjectionExpression',
  'UpdateExpression',
  'ConditionExpression',
  'KeyConditionExpression',
  'FilterExpression',
] as const

type Expressions = { readonly [name in (typeof expressionNames)[number]]?: string }

/**
 * The request with expressions in place of legacy parameters.
 * @throws ServiceError for a request that has both, or a legacy parameter in a wrong form
 */
export function expressionsOf<I extends Legacy & ExpressionInput & Expressions>(input: I): I {
  const legacy = legacyNames.filter((name) => input[name] !== undefined)
  if (legacy.length === 0) return input
  const modern = expressionNames.filter((name) => input[name] !== undefined)
  if (modern.length > 0) {
    throw invalid(
      `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {${legacy.join(', ')}} Expression parameters: {${modern.join(', ')}}`,
    )
  }
  if (input.ExpressionAttributeNames !== undefined) throw invalid('ExpressionAttributeNames can only be specified when using expressions')
  if (input.ExpressionAttributeValues !== undefined) throw invalid('ExpressionAttributeValues can only be specified when using expressions')
  return { ...input, ...new Translation().of(input) }
}

const comparators: Readonly<Record<string, string>> = { EQ: '=', NE: '<>', LE: '<=', LT: '<', GE: '>=', GT: '>' }

/** Collects names and values while it writes expressions. */
class Translation {
  readonly #names: Record<string, string> = {}
  readonly #values: Record<string, unknown> = {}

  of({ AttributesToGet, AttributeUpdates, Expected, KeyConditions, QueryFilter, ScanFilter, ConditionalOperator = 'AND' }: Legacy): object {
    const filter = QueryFilter ?? ScanFilter
    const expressions = {
      ProjectionExpression: AttributesToGet?.map((name) => this.#name(name)).join(', '),
      UpdateExpression: AttributeUpdates === undefined ? undefined : this.#updates(AttributeUpdates),
      ConditionExpression: Expected === undefined ? undefined : this.#conditions(Expected, ConditionalOperator),
      KeyConditionExpression: KeyConditions === undefined ? undefined : this.#conditions(KeyConditions, 'AND'),
      FilterExpression: filter === undefined ? undefined : this.#conditions(filter, ConditionalOperator),
    }
    return {
      ...Object.fromEntries(Object.entries(expressions).filter(([, text]) => text !== undefined && text !== '')),
      ...(Object.keys(this.#names).length === 0 ? {} : { ExpressionAttributeNames: this.#names }),
      ...(Object.keys(this.#values).length === 0 ? {} : { ExpressionAttributeValues: this.#values }),
    }
  }

  #name(name: string): string {
    const alias = `#l${Object.keys(this.#names).length}`
    this.#names[alias] = name
    return alias
  }

  #value(value: unknown): string {
    const name = `:l${Object.keys(this.#values).length}`
    this.#values[name] = value
    return name
  }

  #conditions(given: unknown, operator: 'AND' | 'OR'): string {
    const terms = Object.entries(checkedRecord(given)).map(([name, condition]) => this.#condition(name, checkedRecord(condition)))
    return terms.join(` ${operator} `)
  }

  #condition(name: string, { Exists, Value, ComparisonOperator, AttributeValueList }: Readonly<Record<string, unknown>>): string {
    const alias = this.#name(name)
    if (ComparisonOperator === undefined) {
      if (Exists === false) return `attribute_not_exists(${alias})`
      if (Value === undefined)
        throw invalid(`One or more parameter values were invalid: Value must be provided when Exists is true for Attribute: ${name}`)
      return `${alias} = ${this.#value(Value)}`
    }
    const given = Array.isArray(AttributeValueList) ? AttributeValueList : Value === undefined ? [] : [Value]
    const values = given.map((value: unknown) => this.#value(value))
    const operator = String(ComparisonOperator)
    const [first, second] = values
    const wanted = { IN: values.length, BETWEEN: 2, NULL: 0, NOT_NULL: 0 }[operator] ?? 1
    if (values.length !== wanted || (operator === 'IN' && values.length === 0)) {
      throw invalid(`One or more parameter values were invalid: Invalid number of argument(s) for the ${operator} ComparisonOperator`)
    }
    switch (operator) {
      case 'NULL':
        return `attribute_not_exists(${alias})`
      case 'NOT_NULL':
        return `attribute_exists(${alias})`
      case 'CONTAINS':
        return `contains(${alias}, ${first})`
      case 'NOT_CONTAINS':
        return `NOT contains(${alias}, ${first})`
      case 'BEGINS_WITH':
        return `begins_with(${alias}, ${first})`
      case 'IN':
        return `${alias} IN (${values.join(', ')})`
      case 'BETWEEN':
        return `${alias} BETWEEN ${first} AND ${second}`
      default:
        if (comparators[operator] === undefined) throw invalid(`Unsupported ComparisonOperator: ${operator}`)
        return `${alias} ${comparators[operator]} ${first}`
    }
  }

  #updates(given: unknown): string {
    const sections: Record<'SET' | 'REMOVE' | 'ADD' | 'DELETE', string[]> = { SET: [], REMOVE: [], ADD: [], DELETE: [] }
    for (const [name, update] of Object.entries(checkedRecord(given))) {
      const { Action: action = 'PUT', Value: value } = checkedRecord(update)
      const alias = this.#name(name)
      if (action === 'DELETE' && value === undefined) sections.REMOVE.push(alias)
      else if (value === undefined)
        throw invalid(`One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified`)
      else if (action === 'PUT') sections.SET.push(`${alias} = ${this.#value(value)}`)
      else if (action === 'ADD' || action === 'DELETE') sections[action].push(`${alias} ${this.#value(value)}`)
      else throw invalid(`Unsupported Action: ${String(action)}`)
    }
    return Object.entries(sections)
      .flatMap(([section, actions]) => (actions.length === 0 ? [] : [`${section} ${actions.join(', ')}`]))
      .join(' ')
  }
}
