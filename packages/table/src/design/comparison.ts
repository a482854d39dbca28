import { frozen } from './frozen.ts'

/** How a query narrows its sort key. `begins_with_part` takes a prefix within a segment, such as the beginning of a name. */
export type SortOperator = '=' | 'begins_with' | 'begins_with_part' | 'between' | '<=' | '>='
export type Operator = SortOperator | '<' | '>' | 'contains' | 'in' | 'exists' | 'entry' | 'not' | 'and' | 'or'

/** A comparison: of a sort key with key templates in a pattern, of an attribute with values in a `where`. */
export interface Comparison<T = unknown, O extends Operator = Operator> {
  readonly operator: O
  readonly operands: readonly T[]
  /** The name of the map's entry that is compared. */
  readonly entry?: string
}

/** Another attribute of the same item, as an operand. */
export interface AttributeNamed<N extends string = string> {
  readonly attribute: N
}

/** The operators that this file has made. A value from JSON is never one of them. */
const made = new WeakSet<object>()

function node<T extends object>(value: T): T {
  made.add(value)
  return frozen(value)
}

export const isMade = (value: unknown): value is object => typeof value === 'object' && value !== null && made.has(value)
export const isComparison = (value: unknown): value is Comparison => isMade(value) && 'operator' in value
export const isAttributeNamed = (value: unknown): value is AttributeNamed => isMade(value) && 'attribute' in value

const comparison = <T, O extends Operator>(operator: O, ...operands: readonly T[]): Comparison<T, O> => node({ operator, operands })

/** Has this value. In a pattern: the whole sort key. */
export const equals = <const T>(value: T): Comparison<T, '='> => comparison('=', value)
/**
 * In a pattern a prefix of whole segments: `beginsWith('project#{id}')` with `p1` does not find the items of `p10` (spec rule 3). In a `where`
 * the beginning of a text, which has no segments.
 */
export const beginsWith = <const T extends string>(prefix: T): Comparison<T, 'begins_with'> => comparison('begins_with', prefix)
/** A prefix that may end inside a segment. */
export const beginsWithPart = <const T extends string>(template: T): Comparison<T, 'begins_with_part'> =>
  comparison('begins_with_part', template)
/** Both ends belong to the range. A day as an end includes the whole day (spec rule 6). */
export const between = <const F, const T>(from: F, to: T): Comparison<F | T, 'between'> => comparison<F | T, 'between'>('between', from, to)
/** The end belongs to the range. A day as the end includes the whole day (spec rule 6). */
export const atMost = <const T>(bound: T): Comparison<T, '<='> => comparison('<=', bound)
/** The start belongs to the range. */
export const atLeast = <const T>(bound: T): Comparison<T, '>='> => comparison('>=', bound)
/** Without the bound itself. A day as the bound means all of it. */
export const above = <const T>(bound: T): Comparison<T, '>'> => comparison('>', bound)
/** Without the bound itself. */
export const below = <const T>(bound: T): Comparison<T, '<'> => comparison('<', bound)
/** A text has this part, a set or a list this member. */
export const contains = <const T>(member: T): Comparison<T, 'contains'> => comparison('contains', member)
/** Has one of these values, 100 at most. */
export const isOneOf = <const T>(...values: readonly T[]): Comparison<T, 'in'> => comparison('in', ...values)
/** The attribute is there. */
export const exists = (): Comparison<never, 'exists'> => comparison<never, 'exists'>('exists')
/** Not so. An attribute that is absent compares with nothing, so `not(equals('a'))` holds for it. */
export const not = <const T>(test: T): Comparison<T, 'not'> => comparison('not', test)
/** All of these hold. */
export const and = <const T>(...tests: readonly T[]): Comparison<T, 'and'> => comparison('and', ...tests)
/** One of these holds, at least. */
export const or = <const T>(...tests: readonly T[]): Comparison<T, 'or'> => comparison('or', ...tests)
/** The value of another attribute of the item: `{ seatsUsed: below(attribute('seats')) }`. */
export const attribute = <const N extends string>(name: N): AttributeNamed<N> => node({ attribute: name })

/** How a change names the new value by the stored one. */
export type Operation = 'add' | 'subtract' | 'addTo' | 'removeFrom' | 'append' | 'ifAbsent' | 'entry'

/** A part of an atomic change: DynamoDB applies it to the value that it finds. */
export interface Operated<T = unknown, O extends Operation = Operation, Rule extends string = string> {
  readonly operation: O
  readonly operand: T
  /** Types only: what the compiler says where the operation does not fit. */
  readonly rule?: Rule
  /** The name of the map's entry that is changed. */
  readonly entry?: string
}

export const isOperated = (value: unknown): value is Operated => isMade(value) && 'operation' in value

const operated = <T, O extends Operation>(operation: O, operand: T): Operated<T, O> => node({ operation, operand })

/** Adds a whole number. An absent attribute counts as 0. */
export const add = (amount: number): Operated<number, 'add'> => operated('add', amount)
/** Subtracts a whole number. An absent attribute counts as 0. */
export const subtract = (amount: number): Operated<number, 'subtract'> => operated('subtract', amount)
/** Adds members to a set. */
export const addTo = <const T extends string | number>(...members: readonly T[]): Operated<readonly T[], 'addTo'> =>
  operated('addTo', members)
/** Takes members from a set. A set without members is absent. */
export const removeFrom = <const T extends string | number>(...members: readonly T[]): Operated<readonly T[], 'removeFrom'> =>
  operated('removeFrom', members)
/** Adds elements at the end of a list. */
export const append = <const T>(elements: readonly T[]): Operated<readonly T[], 'append'> => operated('append', elements)
/** Sets an attribute that is absent. One that is there stays as it is. */
export const ifAbsent = <const T>(value: T): Operated<T, 'ifAbsent'> => operated('ifAbsent', value)

interface DeclareEntry {
  (name: string, change: Operated<number, 'add' | 'subtract'>): Operated<Operated<number, 'add' | 'subtract'>, 'entry'>
  <const T>(name: string, test: T): Comparison<T, 'entry'>
}

/** One entry of a map: a number in it that is changed, and must be there, or its value that is tested. */
export const entry: DeclareEntry = ((name: string, of: unknown) =>
  // Each signature gives the kind of node that its argument is.
  isOperated(of)
    ? node({ operation: 'entry', operand: of, entry: name })
    : node({ operator: 'entry', operands: [of], entry: name })) as never
