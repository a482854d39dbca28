import { invalid, invalidValues } from '../errors.ts'
import type { Range } from '../store/store.ts'
import { afterAll, closed, opened, orderedBytes, partitionOf } from '../table/key-bytes.ts'
import { emptyKey, type KeyAttribute, type Keyed } from '../table/table.ts'
import { type AttributeValue, contentOf } from '../value/attribute-value.ts'
import type { Bindings } from './bindings.ts'
import type { Condition } from './condition.ts'
import type { Comparator, ConditionNode, Operand } from './tree.ts'

type Operator = Comparator | 'BETWEEN' | 'begins_with'

interface KeyTerm {
  readonly name: string
  readonly operator: Operator
  readonly values: readonly AttributeValue[]
}

/**
 * The range of keys that a key condition names: one partition, and of its sort keys those that meet one term (Developer Guide, "Key condition
 * expressions for the Query operation").
 * @throws ServiceError for a condition that a Query cannot follow
 */
export function keyRange(keyed: Keyed, { tree, bindings }: Condition): Pick<Range, 'start' | 'end'> {
  const terms = termsOf(tree, bindings)
  const names = terms.map(({ name }) => name)
  if (new Set(names).size < names.length) throw invalid('KeyConditionExpressions must only contain one condition per key')
  const partitionTerm = terms.find(({ name }) => name === keyed.partition.name)
  if (partitionTerm === undefined) throw invalid(`Query condition missed key schema element: ${keyed.partition.name}`)
  const others = terms.filter((term) => term !== partitionTerm)
  const [other] = others
  if (other !== undefined && keyed.sort === undefined) throw invalid('Query key condition not supported')
  if (other !== undefined && other.name !== keyed.sort?.name)
    throw invalid(`Query condition missed key schema element: ${keyed.sort?.name}`)
  if (partitionTerm.operator !== '=') throw invalid('Query key condition not supported')
  const [bytes = ''] = bytesOf(keyed.partition, partitionTerm)
  const partition = keyed.space + partitionOf(bytes)
  return other === undefined || keyed.sort === undefined
    ? { start: partition, end: after(partition) }
    : sortRange(keyed.sort, other, partition)
}

function sortRange(attribute: KeyAttribute, term: KeyTerm, partition: string): Pick<Range, 'start' | 'end'> {
  const [low = '', high = low] = bytesOf(attribute, term)
  const [all, from, to] = [after(partition), partition + closed(low), partition + closed(high)]
  switch (term.operator) {
    case '=':
    case 'BETWEEN':
      return { start: from, end: after(to) }
    case '<':
      return { start: partition, end: from }
    case '<=':
      return { start: partition, end: after(from) }
    case '>':
      return { start: after(from), end: all }
    case '>=':
      return { start: from, end: all }
    case 'begins_with': {
      const next = afterAll(opened(low))
      return { start: partition + opened(low), end: next === undefined ? all : partition + next }
    }
    case '<>':
      throw unsupported('<>')
  }
}

/** The key after all that begin with these bytes, which end with those of a closed key. */
function after(closedBytes: string): string {
  const next = afterAll(closedBytes)
  if (next === undefined) throw new Error('A closed key has bytes after it.')
  return next
}

function bytesOf({ name, type }: KeyAttribute, { operator, values }: KeyTerm): string[] {
  return values.map((value) => {
    const content = contentOf(value, type)
    if (content === undefined) throw invalidValues('Condition parameter type does not match schema type')
    if (content === '') throw emptyKey(name, type)
    if (operator === 'begins_with' && type === 'N') {
      throw invalid(
        'Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: begins_with, operand type: N',
      )
    }
    return orderedBytes(content, type)
  })
}

function termsOf(node: ConditionNode, bindings: Bindings): KeyTerm[] {
  switch (node.kind) {
    case 'and':
      return [...termsOf(node.left, bindings), ...termsOf(node.right, bindings)]
    case 'or':
    case 'not':
    case 'in':
      throw unsupported(node.kind.toUpperCase())
    case 'between':
      return [termOf('BETWEEN', node.operand, [node.low, node.high], bindings)]
    case 'call':
      if (node.name !== 'begins_with') throw unsupported(node.name)
      return [termOf('begins_with', node.operands[0], node.operands.slice(1), bindings)]
    case 'compare':
      if (node.operator === '<>') throw unsupported('<>')
      return node.left.kind === 'value'
        ? [termOf(flipped[node.operator], node.right, [node.left], bindings)]
        : [termOf(node.operator, node.left, [node.right], bindings)]
  }
}

const flipped = { '=': '=', '<': '>', '<=': '>=', '>': '<', '>=': '<=' } as const

function termOf(operator: Operator, operand: Operand | undefined, values: readonly Operand[], bindings: Bindings): KeyTerm {
  if (operand?.kind === 'call') throw unsupported(operand.name)
  if (operand?.kind !== 'path') throw invalid('Invalid condition in KeyConditionExpression: No key attribute specified')
  const [name, ...rest] = bindings.path(operand)
  if (rest.length > 0) throw invalid('Invalid KeyConditionExpression: KeyConditionExpressions cannot have conditions on nested attributes')
  return { name: String(name), operator, values: values.map((value) => boundValue(value, bindings)) }
}

function boundValue(operand: Operand, bindings: Bindings): AttributeValue {
  if (operand.kind === 'value') return bindings.value(operand.name)
  if (operand.kind === 'call') throw unsupported(operand.name)
  throw invalid('Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition')
}

function unsupported(operator: string): Error {
  return invalid(`Invalid operator used in KeyConditionExpression: ${operator}`)
}
