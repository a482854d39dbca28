import { invalid } from '../errors.ts'
import { type AttributeValue, type Item, isValueType, printed, typeNames, typeOf, type ValueType } from '../value/attribute-value.ts'
import { compareValues, isEqual } from '../value/compare.ts'
import { binaryBytes } from '../value/item-size.ts'
import type { Bindings } from './bindings.ts'
import { parseCondition } from './parse.ts'
import { shown, valueAt } from './path.ts'
import type { CallNode, Comparator, ConditionNode, Operand } from './tree.ts'

/** A condition or filter with what its names and values stand for. */
export interface Condition {
  readonly tree: ConditionNode
  readonly bindings: Bindings
  /** The attributes that it names, as the first elements of their paths. */
  readonly attributes: readonly string[]
}

/**
 * @param label the parameter that has the expression
 * @throws ServiceError for an expression that DynamoDB refuses whatever the item
 */
export function conditionOf(bindings: Bindings, label: string, text: string): Condition {
  const parsed = parseCondition(label, text)
  bindings.use(label, parsed)
  check(parsed.tree, { label, bindings })
  return { tree: parsed.tree, bindings, attributes: parsed.paths.map((path) => String(bindings.path(path)[0])) }
}

interface Context {
  readonly label: string
  readonly bindings: Bindings
}

const ordered: ReadonlySet<ValueType> = new Set(['S', 'N', 'B'])

function check(node: ConditionNode, context: Context): void {
  switch (node.kind) {
    case 'and':
    case 'or':
      check(node.left, context)
      check(node.right, context)
      return
    case 'not':
      check(node.inner, context)
      return
    case 'compare':
      for (const operand of [node.left, node.right]) {
        checkOperand(operand, context)
        if (node.operator !== '=' && node.operator !== '<>') checkType(operand, ordered, node.operator, context)
      }
      checkDistinct(node.operator, node.left, [node.right], context)
      return
    case 'between':
      for (const operand of [node.operand, node.low, node.high]) {
        checkOperand(operand, context)
        checkType(operand, ordered, 'BETWEEN', context)
      }
      checkBounds(node.low, node.high, context)
      return
    case 'in':
      for (const operand of [node.operand, ...node.among]) checkOperand(operand, context)
      checkDistinct('IN', node.operand, node.among, context)
      return
    case 'call':
      checkCall(node, context)
  }
}

function checkCall(node: CallNode, context: Context): void {
  const [first, second] = node.operands
  for (const operand of node.operands) checkOperand(operand, context)
  if (first === undefined || second === undefined) return
  if (node.name === 'begins_with') for (const operand of node.operands) checkType(operand, new Set(['S', 'B']), 'begins_with', context)
  if (node.name === 'attribute_type') {
    if (second.kind !== 'value') throw refused(context, 'Operator or function requires a value; operator or function: attribute_type')
    checkType(second, new Set(['S']), 'attribute_type', context)
    const value = context.bindings.value(second.name)
    if ('S' in value && !isValueType(value.S)) {
      throw refused(
        context,
        `Invalid attribute type name found; type: ${value.S}, valid types: {${Object.keys(typeNames).sort().join(',')}}`,
      )
    }
  }
  if (node.name !== 'attribute_type') checkDistinct(node.name, first, [second], context)
}

/** `size` is the one function whose result is compared. */
function checkOperand(operand: Operand, context: Context): void {
  if (operand.kind !== 'call') return
  for (const inner of operand.operands) {
    checkOperand(inner, context)
    checkType(inner, sized, operand.name, context)
  }
}

const sized: ReadonlySet<ValueType> = new Set(['S', 'B', 'SS', 'NS', 'BS', 'L', 'M'])

function checkType(operand: Operand, types: ReadonlySet<ValueType>, operator: string, { label, bindings }: Context): void {
  const type = operand.kind === 'call' ? 'N' : bindings.typeOf(operand)
  if (type === undefined || types.has(type)) return
  throw invalid(
    `Invalid ${label}: Incorrect operand type for operator or function; operator or function: ${operator}, operand type: ${type}`,
  )
}

function checkDistinct(operator: string, first: Operand, others: readonly Operand[], { label, bindings }: Context): void {
  if (first.kind !== 'path' || others.every(({ kind }) => kind !== 'path')) return
  const name = shown(bindings.path(first))
  if (!others.some((other) => other.kind === 'path' && shown(bindings.path(other)) === name)) return
  throw invalid(
    `Invalid ${label}: The first operand must be distinct from the remaining operands for this operator or function; operator: ${operator}, first operand: ${name}`,
  )
}

function checkBounds(low: Operand, high: Operand, context: Context): void {
  if (low.kind !== 'value' || high.kind !== 'value') return
  const [lower, upper] = [context.bindings.value(low.name), context.bindings.value(high.name)]
  const isOfOneType = typeOf(lower) === typeOf(upper)
  if (isOfOneType && (compareValues(lower, upper) ?? 0) <= 0) return
  const wanted = isOfOneType ? 'upper bound to be greater than or equal to lower bound' : 'same data type for lower and upper bounds'
  const operands = `lower bound operand: AttributeValue: ${printed(lower)}, upper bound operand: AttributeValue: ${printed(upper)}`
  throw refused(context, `The BETWEEN operator requires ${wanted}; ${operands}`)
}

function refused({ label }: Context, message: string): Error {
  return invalid(`Invalid ${label}: ${message}`)
}

/** True if the item meets the condition. An item that is not there has no attribute. */
export function meets({ tree, bindings }: Condition, item: Item | undefined): boolean {
  return holds(tree, item, bindings)
}

function holds(node: ConditionNode, item: Item | undefined, bindings: Bindings): boolean {
  switch (node.kind) {
    case 'and':
      return holds(node.left, item, bindings) && holds(node.right, item, bindings)
    case 'or':
      return holds(node.left, item, bindings) || holds(node.right, item, bindings)
    case 'not':
      return !holds(node.inner, item, bindings)
    case 'compare':
      return compares(node.operator, operandValue(node.left, item, bindings), operandValue(node.right, item, bindings))
    case 'between': {
      const value = operandValue(node.operand, item, bindings)
      return compares('>=', value, operandValue(node.low, item, bindings)) && compares('<=', value, operandValue(node.high, item, bindings))
    }
    case 'in': {
      const value = operandValue(node.operand, item, bindings)
      return node.among.some((other) => compares('=', value, operandValue(other, item, bindings)))
    }
    case 'call':
      return callHolds(node, item, bindings)
  }
}

/** Values of different types are unequal, and have no order. What is not there differs from everything. */
export function compares(operator: Comparator, left: AttributeValue | undefined, right: AttributeValue | undefined): boolean {
  if (left === undefined || right === undefined) return operator === '<>'
  if (operator === '=') return isEqual(left, right)
  if (operator === '<>') return !isEqual(left, right)
  const order = compareValues(left, right)
  if (order === undefined) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

function operandValue(operand: Operand, item: Item | undefined, bindings: Bindings): AttributeValue | undefined {
  if (operand.kind === 'value') return bindings.value(operand.name)
  if (operand.kind === 'path') return valueAt(item, bindings.path(operand))
  const [first] = operand.kind === 'call' ? operand.operands : []
  const value = first === undefined ? undefined : operandValue(first, item, bindings)
  const size = value === undefined ? undefined : sizeOf(value)
  return size === undefined ? undefined : { N: String(size) }
}

/** Characters of text, bytes of a binary value, elements of anything else that has some. */
function sizeOf(value: AttributeValue): number | undefined {
  if ('S' in value) return value.S.length
  if ('B' in value) return binaryBytes(value.B)
  if ('M' in value) return Object.keys(value.M).length
  const [content]: readonly unknown[] = Object.values(value)
  return Array.isArray(content) ? content.length : undefined
}

function callHolds({ name, operands }: CallNode, item: Item | undefined, bindings: Bindings): boolean {
  const [first, second] = operands.map((operand) => operandValue(operand, item, bindings))
  if (name === 'attribute_exists') return first !== undefined
  if (name === 'attribute_not_exists') return first === undefined
  if (first === undefined || second === undefined) return false
  if (name === 'attribute_type') return 'S' in second && typeOf(first) === second.S
  return name === 'begins_with' ? beginsWith(first, second) : contains(first, second)
}

export function beginsWith(value: AttributeValue, prefix: AttributeValue): boolean {
  if ('S' in value && 'S' in prefix) return value.S.startsWith(prefix.S)
  if (!('B' in value && 'B' in prefix)) return false
  const [bytes, start] = [Buffer.from(value.B, 'base64'), Buffer.from(prefix.B, 'base64')]
  return bytes.subarray(0, start.length).equals(start)
}

export function contains(value: AttributeValue, part: AttributeValue): boolean {
  if ('L' in value) return value.L.some((element) => isEqual(element, part))
  if ('S' in part) return ('S' in value && value.S.includes(part.S)) || ('SS' in value && value.SS.includes(part.S))
  if ('N' in part) return 'NS' in value && value.NS.includes(part.N)
  if (!('B' in part)) return false
  if ('BS' in value) return value.BS.includes(part.B)
  return 'B' in value && Buffer.from(value.B, 'base64').includes(Buffer.from(part.B, 'base64'))
}
