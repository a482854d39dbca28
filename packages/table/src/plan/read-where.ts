import type { Attribute, Attributes } from '../design/attribute.ts'
import { type Comparison, isAttributeNamed, isComparison, isMade, type Operator } from '../design/comparison.ts'
import { type Issue, invalidInput } from '../errors.ts'
import { lastCodePoint } from '../key/format.ts'
import { lookedFor, Mismatch } from '../kind/kind.ts'
import { composed } from '../kind/text.ts'
import { isPlainObject, jsonSchema } from '../kind/value.ts'
import { Expression } from './expression.ts'
import { storedValue } from './stored.ts'
import { compare, type Operand, type Path, renderTerm, type Term } from './term.ts'

/** DynamoDB compares a value with at most so many in one list. */
const valuesMax = 100
/** A deeper condition could exhaust the stack. DynamoDB refuses such expressions, too. */
const depthMax = 50
/** Bounds on the text of a condition. DynamoDB takes 4,096 bytes and 300 operators in an expression, which has conditions of ours, too. */
const bounds = { characters: 3_000, operators: 200 } as const

/** What is read of an item's attributes: their kinds, and which of them may be asked for. */
export interface Asking {
  readonly attributes: Attributes
  /** True for a secret that must not be asked for: answers would tell it piece by piece (spec rule 17). */
  readonly isHidden: (name: string) => boolean
}

interface Reading extends Asking {
  readonly issues: Issue[]
}

/** A word of an expression that DynamoDB counts as an operator or function. */
const operatorWord = /^(?:\(*(?:NOT|[a-z_]+\(.*)|AND|OR|BETWEEN|IN|[=<>]+)$/

const ordered: ReadonlySet<unknown> = new Set(['string', 'number'])

/** An attribute, or an entry of a map, which may hold any JSON. */
interface Subject {
  readonly path: Path
  readonly attribute: Attribute
}

/** What does not fit about a value, part by part. */
class Misfit {
  readonly issues: readonly Issue[]

  constructor(issues: readonly Issue[]) {
    this.issues = issues
  }
}

function fail(message: string): never {
  throw new Misfit([{ path: [], message }])
}

function fitting<V>(kind: Parameters<typeof lookedFor<V>>[0], value: unknown): V {
  const result = lookedFor(kind, value)
  if (result.success) return result.data
  throw new Misfit(result.error.issues.map(({ path, message }) => ({ path: path.filter((part) => typeof part !== 'symbol'), message })))
}

function valueFor({ attribute, path }: Subject, value: unknown): unknown {
  if (path.length === 2) return fitting({ schema: jsonSchema }, value)
  return storedValue(attribute, fitting(attribute.kind, value))
}

/** A part of a text, composed as the text is: what cannot stand in a key is stored exactly as given. */
const partOf = ({ domain }: Attribute['kind'], text: string) => (domain === undefined ? text : composed(text))

/** A value that is compared by its order. `isAfter`: the bound is the last one, so that a day means all of it (spec rule 6). */
function boundOf(subject: Subject, bound: unknown, isAfter: boolean): string | number {
  const { kind } = subject.attribute
  const isPart = subject.path.length === 1 && kind.bound !== undefined
  const value = isPart ? kind.bound?.(bound) : valueFor(subject, bound)
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return fail('has no order: compare a text or a number')
  return isPart && isAfter ? value + lastCodePoint : value
}

function operandOf(subject: Subject, given: unknown, isAfter: boolean, { attributes, isHidden }: Reading): Operand {
  if (!isAttributeNamed(given)) return { value: boundOf(subject, given, isAfter) }
  const other = attributes[given.attribute]
  if (given.attribute === subject.path[0]) return fail('is compared with itself')
  if (other === undefined || isHidden(given.attribute)) return fail(`is compared with '${given.attribute}', which is no attribute`)
  if (other.kind.stored !== subject.attribute.kind.stored || subject.path.length === 2)
    return fail(`is compared with '${given.attribute}', which is of another type`)
  return { path: [given.attribute] }
}

function checkOrdered({ attribute: { kind }, path }: Subject): void {
  if (path.length === 1 && !ordered.has(kind.stored)) fail(`is a ${kind.name}, which has no order`)
}

function memberOf({ attribute: { kind } }: Subject, member: unknown): unknown {
  if (kind.stored === 'string')
    return typeof member === 'string' && member !== '' ? partOf(kind, member) : fail('contains text that is not empty')
  if (kind.of === undefined) return fail(`is a ${kind.name}, which contains nothing`)
  return fitting(kind.of, member)
}

const absent = (path: Path): Term => ({ is: 'not', term: { is: 'exists', path } })

function equal(path: Path, value: unknown): Term {
  return value === undefined ? absent(path) : { is: '=', path, with: { value } }
}

function comparisonTerm(subject: Subject, { operator, operands, entry }: Comparison, reading: Reading, depth: number): Term {
  const { path, attribute } = subject
  const [first, second] = operands
  const each = () => operands.map((test) => testTerm(subject, test, reading, depth + 1))
  switch (operator) {
    case '=':
      return isAttributeNamed(first)
        ? { is: '=', path, with: operandOf(subject, first, false, reading) }
        : equal(path, valueFor(subject, first))
    case '<':
    case '>=':
    case '<=':
    case '>':
      checkOrdered(subject)
      return { is: operator, path, with: operandOf(subject, first, operator === '<=' || operator === '>', reading) }
    case 'between': {
      checkOrdered(subject)
      const [from, to] = [operandOf(subject, first, false, reading), operandOf(subject, second, true, reading)]
      if ('value' in from && 'value' in to && compare(from.value, to.value) === 1) fail('is asked for a range that is reversed')
      return { is: 'between', path, from, to }
    }
    case 'in':
      if (operands.length === 0 || operands.length > valuesMax)
        fail(`is asked for one of ${operands.length} values, from 1 to ${valuesMax}`)
      return { is: 'in', path, values: operands.map((value) => valueFor(subject, value) ?? fail('is asked for an empty set: use null')) }
    case 'begins_with':
    case 'begins_with_part':
      if (typeof first !== 'string' || first === '' || (path.length === 1 && attribute.kind.stored !== 'string'))
        return fail('begins with text that is not empty')
      return { is: 'begins_with', path, value: partOf(attribute.kind, first) }
    case 'contains':
      return { is: 'contains', path, value: memberOf(subject, first) }
    case 'exists':
      return { is: 'exists', path }
    case 'entry':
      if (attribute.kind.stored !== 'map' || path.length === 2 || entry === undefined || entry === '') return fail('has no entries')
      return testTerm({ path: [path[0], entry], attribute }, first, reading, depth + 1)
    case 'not':
      return { is: 'not', term: testTerm(subject, first, reading, depth + 1) }
    case 'and':
    case 'or':
      return operands.length === 0 ? fail(`has no part of its '${operator}'`) : { is: operator, terms: each() }
  }
}

function testTerm(subject: Subject, test: unknown, reading: Reading, depth: number): Term {
  if (depth > depthMax) return fail(`nests more than ${depthMax} deep`)
  if (test === null) return absent(subject.path)
  if (isComparison(test)) return comparisonTerm(subject, test, reading, depth)
  if (isMade(test)) return fail('is compared with no value: give a value or a comparison')
  return equal(subject.path, valueFor(subject, test))
}

const joining: ReadonlySet<Operator> = new Set(['and', 'or', 'not'])

function termOf(where: unknown, reading: Reading, depth: number): Term | undefined {
  const wrong = (message: string) => {
    reading.issues.push({ path: ['where'], message })
    return undefined
  }
  if (depth > depthMax) return wrong(`nests more than ${depthMax} deep`)
  if (isComparison(where)) {
    const { operator, operands } = where
    if (!joining.has(operator)) return wrong('compares no attribute: write { attribute: comparison }')
    const terms = operands.map((part) => termOf(part, reading, depth + 1)).filter((term) => term !== undefined)
    const [first] = terms
    if (first === undefined || terms.length < operands.length) return wrong(`has an empty part of its '${operator}'`)
    return operator === 'not' ? { is: 'not', term: first } : { is: operator === 'and' ? 'and' : 'or', terms }
  }
  if (!isPlainObject(where) || isMade(where)) return wrong('is not an object of attributes')
  const terms = Object.entries(where).flatMap(([name, test]): Term[] => {
    if (test === undefined) return []
    const attribute = reading.attributes[name]
    try {
      if (attribute === undefined) fail('is not an attribute to ask for')
      else if (reading.isHidden(name)) fail('is secret: it is asked for only by reads that name it')
      else return [testTerm({ path: [name], attribute }, test, reading, depth)]
    } catch (error) {
      // The bounds of instants are read by their kind, which throws one sentence.
      const issues = error instanceof Misfit ? error.issues : error instanceof Mismatch ? [{ path: [], message: error.message }] : undefined
      if (issues === undefined) throw error
      reading.issues.push(...issues.map(({ path, message }) => ({ path: [name, ...path], message })))
    }
    return []
  })
  const [first] = terms
  return first === undefined ? undefined : terms.length === 1 ? first : { is: 'and', terms }
}

function isTooLong(term: Term): boolean {
  // Names and values have placeholders, so each character is a byte.
  const text = renderTerm(term, new Expression())
  return text.length > bounds.characters || text.split(' ').filter((word) => operatorWord.test(word)).length > bounds.operators
}

/** Validates a `where` and normalises its values, as reads do. Undefined if it asks for nothing. Throws `InvalidInput`. */
export function readWhere(subject: string, where: unknown, asking: Asking): Term | undefined {
  if (where === undefined) return undefined
  const reading: Reading = { issues: [], ...asking }
  const term = termOf(where, reading, 0)
  if (term !== undefined && isTooLong(term))
    reading.issues.push({ path: ['where'], message: 'asks for more than one expression of DynamoDB can hold' })
  if (reading.issues.length > 0) throw invalidInput(subject, reading.issues, { entity: subject })
  return term
}
