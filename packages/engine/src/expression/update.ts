import { invalid } from '../errors.ts'
import {
  type AttributeValue,
  attributeOf,
  copyOf,
  type Item,
  type MutableItem,
  setAttribute,
  typeNames,
  typeOf,
} from '../value/attribute-value.ts'
import { compareText } from '../value/compare.ts'
import { compareNumbers, sum } from '../value/number.ts'
import type { Bindings } from './bindings.ts'
import { parseUpdate } from './parse.ts'
import { checkDistinct, type Path, valueAt } from './path.ts'
import type { Operand, UpdateAction } from './tree.ts'

/** An update expression with what its names and values stand for. */
export interface Update {
  readonly actions: readonly UpdateAction[]
  readonly bindings: Bindings
  /** The paths that it changes. */
  readonly paths: readonly Path[]
}

const label = 'UpdateExpression'

/** @throws ServiceError for an expression that DynamoDB refuses whatever the item */
export function updateOf(bindings: Bindings, text: string): Update {
  const parsed = parseUpdate(text)
  bindings.use(label, parsed)
  const paths = parsed.tree.map(({ path }) => bindings.path(path))
  checkDistinct(label, paths)
  for (const action of parsed.tree) check(action, bindings)
  return { actions: parsed.tree, bindings, paths }
}

const addable: ReadonlySet<string> = new Set(['N', 'SS', 'NS', 'BS'])
const deletable: ReadonlySet<string> = new Set(['SS', 'NS', 'BS'])

function check(action: UpdateAction, bindings: Bindings): void {
  if (action.section === 'REMOVE') return
  if (action.section === 'SET') {
    checkOperand(action.operand, bindings)
    return
  }
  const type = typeOf(bindings.value(action.operand.name))
  if ((action.section === 'ADD' ? addable : deletable).has(type)) return
  throw invalid(
    `Invalid ${label}: Incorrect operand type for operator or function; operator: ${action.section}, operand type: ${typeNames[type]}, typeSet: ALLOWED_FOR_${action.section}_OPERAND`,
  )
}

function checkOperand(operand: Operand, bindings: Bindings): void {
  const [wanted, name, operands] =
    operand.kind === 'sum'
      ? ['N', operand.sign === 1 ? '+' : '-', [operand.left, operand.right]]
      : operand.kind === 'call' && operand.name === 'list_append'
        ? ['L', operand.name, operand.operands]
        : [undefined, '', operand.kind === 'call' ? operand.operands : []]
  for (const inner of operands) {
    checkOperand(inner, bindings)
    const type = bindings.typeOf(inner)
    if (wanted === undefined || type === undefined || type === wanted) continue
    throw invalid(`Invalid ${label}: Incorrect operand type for operator or function; operator or function: ${name}, operand type: ${type}`)
  }
}

/**
 * The item after the update. Every operand is read from the item as it was before (Developer Guide, "Update expressions").
 * @throws ServiceError if the item has no place for a value, or lacks an operand
 */
export function updated(item: Item, { actions, bindings, paths }: Update): Item {
  const values = actions.map((action, at) => valueFor(action, item, paths[at] ?? [], bindings))
  const next = copyOf(item)
  // Removals from a list come last and from its end, so that the indices of the others still mean what they meant.
  const removals: Path[] = []
  for (const [at, path] of paths.entries()) {
    const value = values[at]
    if (value !== undefined) place(next, path, value)
    else if (actions[at]?.section !== 'ADD') removals.push(path)
  }
  for (const path of removals.sort(byIndexDownwards)) place(next, path, undefined)
  return next
}

/** An order of all paths by which higher indices of one list come first. */
function byIndexDownwards(a: Path, b: Path): number {
  const at = a.findIndex((element, index) => element !== b[index])
  const [left = '', right = ''] = [a[at], b[at]]
  return typeof left === 'number' && typeof right === 'number' ? right - left : String(left) < String(right) ? -1 : 1
}

/** The value to put at the path; undefined to remove what lies there. */
function valueFor(action: UpdateAction, item: Item, path: Path, bindings: Bindings): AttributeValue | undefined {
  if (action.section === 'REMOVE') return undefined
  if (action.section === 'SET') return operandValue(action.operand, item, bindings)
  const present = valueAt(item, path)
  const operand = bindings.value(action.operand.name)
  return action.section === 'ADD' ? added(present, operand) : withoutElements(present, operand)
}

function operandValue(operand: Operand, item: Item, bindings: Bindings): AttributeValue {
  if (operand.kind === 'value') return bindings.value(operand.name)
  if (operand.kind === 'path') {
    const value = valueAt(item, bindings.path(operand))
    if (value === undefined) throw invalid('The provided expression refers to an attribute that does not exist in the item')
    return value
  }
  if (operand.kind === 'sum') {
    const [left, right] = [operandValue(operand.left, item, bindings), operandValue(operand.right, item, bindings)]
    if (!('N' in left && 'N' in right)) throw wrongType()
    return { N: sum(left.N, right.N, operand.sign) }
  }
  const [first, second] = operand.operands
  if (first === undefined || second === undefined) throw new Error('A function lacks an operand.')
  if (operand.name === 'if_not_exists') {
    const present = first.kind === 'path' ? valueAt(item, bindings.path(first)) : undefined
    return present ?? operandValue(second, item, bindings)
  }
  const [left, right] = [operandValue(first, item, bindings), operandValue(second, item, bindings)]
  if (!('L' in left && 'L' in right)) throw wrongType()
  return { L: [...left.L, ...right.L] }
}

function wrongType(): Error {
  return invalid('An operand in the update expression has an incorrect data type')
}

export function added(present: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (present === undefined) return operand
  if ('N' in present && 'N' in operand) return { N: sum(present.N, operand.N) }
  if ('SS' in present && 'SS' in operand) return { SS: [...new Set([...present.SS, ...operand.SS])].sort(compareText) }
  if ('NS' in present && 'NS' in operand) return { NS: [...new Set([...present.NS, ...operand.NS])].sort(compareNumbers) }
  if ('BS' in present && 'BS' in operand) return { BS: [...new Set([...present.BS, ...operand.BS])].sort() }
  throw wrongType()
}

/** A set without some elements; undefined if none is left, since no set is empty. */
function withoutElements(present: AttributeValue | undefined, operand: AttributeValue): AttributeValue | undefined {
  if (present === undefined) return undefined
  if ('SS' in present && 'SS' in operand) return rest(present.SS, operand.SS, (SS) => ({ SS }))
  if ('NS' in present && 'NS' in operand) return rest(present.NS, operand.NS, (NS) => ({ NS }))
  if ('BS' in present && 'BS' in operand) return rest(present.BS, operand.BS, (BS) => ({ BS }))
  throw wrongType()
}

function rest(from: readonly string[], taken: readonly string[], wrap: (left: string[]) => AttributeValue): AttributeValue | undefined {
  const left = from.filter((element) => !taken.includes(element))
  return left.length === 0 ? undefined : wrap(left)
}

/** Puts a value at a path of the item, or removes what is there. Documents on the way are copied, since others may hold them. */
function place(item: MutableItem, [name, ...rest]: Path, value: AttributeValue | undefined): void {
  if (typeof name !== 'string') throw new Error('A path begins with a name.')
  if (rest.length === 0) {
    if (value === undefined) delete item[name]
    else setAttribute(item, name, value)
    return
  }
  const document = attributeOf(item, name)
  if (document === undefined) throw noPlace()
  setAttribute(item, name, placed(document, rest, value))
}

function placed(document: AttributeValue, [element, ...rest]: Path, value: AttributeValue | undefined): AttributeValue {
  if (typeof element === 'string') {
    if (!('M' in document)) throw noPlace()
    const map = copyOf(document.M)
    place(map, [element, ...rest], value)
    return { M: map }
  }
  if (element === undefined || !('L' in document)) throw noPlace()
  const list = [...document.L]
  const inner = list[element]
  if (rest.length > 0) {
    if (inner === undefined) throw noPlace()
    list[element] = placed(inner, rest, value)
  } else if (value === undefined) list.splice(element, 1)
  // "If you add an element beyond the end of the list, it is appended" (Developer Guide, "Update expressions").
  else list[Math.min(element, list.length)] = value
  return { L: list }
}

function noPlace(): Error {
  return invalid('The document path provided in the update expression is invalid for update')
}
