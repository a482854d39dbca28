import { isDeepStrictEqual } from 'node:util'
import { compareKeys } from '../key/range.ts'
import { isPlainObject } from '../kind/value.ts'
import type { Expression } from './expression.ts'
import type { Stored } from './stored.ts'

/** The name of an attribute, or that of a map and of its entry. */
export type Path = readonly [attribute: string, entry?: string]
export type Operand = { readonly value: unknown } | { readonly path: Path }

/** A condition on the attributes of an item, with normalised values. */
export type Term =
  | { readonly is: 'and' | 'or'; readonly terms: readonly Term[] }
  | { readonly is: 'not'; readonly term: Term }
  | { readonly is: 'exists'; readonly path: Path }
  | { readonly is: '=' | '<' | '<=' | '>' | '>='; readonly path: Path; readonly with: Operand }
  | { readonly is: 'between'; readonly path: Path; readonly from: Operand; readonly to: Operand }
  | { readonly is: 'in'; readonly path: Path; readonly values: readonly unknown[] }
  | { readonly is: 'begins_with' | 'contains'; readonly path: Path; readonly value: unknown }

/** A text that tells two values apart, with sets as their members. */
export const termText = (value: unknown): string => JSON.stringify(value, (_, each) => (each instanceof Set ? [...each] : each))

const isJoined = (term: Term) => (term.is === 'and' || term.is === 'or') && term.terms.length > 1

/** The text of a term. DynamoDB refuses parentheses that say nothing, so only joined terms have them. */
export function renderTerm(term: Term, expression: Expression, isPart = true): string {
  const name = (path: Path) => path.map((part) => expression.name(part ?? '')).join('.')
  const operand = (of: Operand) => ('path' in of ? name(of.path) : expression.value(of.value))
  switch (term.is) {
    case 'and':
    case 'or': {
      const text = term.terms.map((each) => renderTerm(each, expression, isPart || isJoined(term))).join(` ${term.is.toUpperCase()} `)
      return isPart && isJoined(term) ? `(${text})` : text
    }
    case 'not':
      return `NOT (${renderTerm(term.term, expression, false)})`
    case 'exists':
      return `attribute_exists(${name(term.path)})`
    case 'between':
      return `${name(term.path)} BETWEEN ${operand(term.from)} AND ${operand(term.to)}`
    case 'in':
      return `${name(term.path)} IN (${term.values.map((value) => expression.value(value)).join(', ')})`
    case 'begins_with':
    case 'contains':
      return `${term.is}(${name(term.path)}, ${expression.value(term.value)})`
    default:
      return `${name(term.path)} ${term.is} ${operand(term.with)}`
  }
}

/** How two values compare: -1, 0 or 1, as DynamoDB has it. Undefined for values of different types. */
export function compare(one: unknown, other: unknown): -1 | 0 | 1 | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one < other ? -1 : one > other ? 1 : 0
  if (typeof one !== 'string' || typeof other !== 'string') return undefined
  const order = compareKeys(one, other)
  return order < 0 ? -1 : order > 0 ? 1 : 0
}

function valueAt(item: Stored, [name, entry]: Path): unknown {
  const value = item[name]
  if (entry === undefined) return value
  return isPlainObject(value) && Object.hasOwn(value, entry) ? (value as Stored)[entry] : undefined
}

function includes(value: unknown, member: unknown): boolean {
  if (typeof value === 'string') return typeof member === 'string' && value.includes(member)
  if (value instanceof Set) return value.has(member)
  return Array.isArray(value) && value.some((each) => isDeepStrictEqual(each, member))
}

/** Whether an item satisfies the term, as DynamoDB decides it. */
export function holdsFor(term: Term, item: Stored): boolean {
  const of = (operand: Operand) => ('path' in operand ? valueAt(item, operand.path) : operand.value)
  switch (term.is) {
    case 'and':
      return term.terms.every((each) => holdsFor(each, item))
    case 'or':
      return term.terms.some((each) => holdsFor(each, item))
    case 'not':
      return !holdsFor(term.term, item)
    default: {
      const value = valueAt(item, term.path)
      // An absent attribute compares with nothing.
      return value !== undefined && isSo(term, value, of)
    }
  }
}

type Leaf = Exclude<Term, { readonly is: 'and' | 'or' | 'not' }>

function isSo(term: Leaf, value: unknown, of: (operand: Operand) => unknown): boolean {
  switch (term.is) {
    case 'exists':
      return true
    case 'in':
      return term.values.some((each) => isDeepStrictEqual(each, value))
    case 'begins_with':
      return typeof value === 'string' && typeof term.value === 'string' && value.startsWith(term.value)
    case 'contains':
      return includes(value, term.value)
    case 'between': {
      const [low, high] = [compare(value, of(term.from)), compare(value, of(term.to))]
      return low !== undefined && low >= 0 && high !== undefined && high <= 0
    }
    case '=':
      return isDeepStrictEqual(value, of(term.with))
    default: {
      const order = compare(value, of(term.with))
      if (order === undefined) return false
      return term.is === '<' ? order < 0 : term.is === '<=' ? order <= 0 : term.is === '>' ? order > 0 : order >= 0
    }
  }
}
