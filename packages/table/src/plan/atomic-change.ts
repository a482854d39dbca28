import type { Attribute } from '../design/attribute.ts'
import { isOperated, type Operated } from '../design/comparison.ts'
import { Mismatch } from '../kind/kind.ts'
import type { AtomicPart } from './action.ts'
import type { AttributeType, Condition } from './condition.ts'
import { storedValue } from './stored.ts'
import type { Path, Term } from './term.ts'

/** What an atomic change does to one attribute, and the condition under which its kind allows that. */
export interface AtomicChange {
  readonly part: AtomicPart
  readonly allowed?: Condition | undefined
}

const integerMax = Number.MAX_SAFE_INTEGER
const within = (value: number) => Math.min(integerMax, Math.max(-integerMax, value))

function amountOf({ operation, operand }: Operated): number {
  if (!Number.isSafeInteger(operand)) throw new Mismatch('is changed by an amount that is not a whole number within 2^53')
  return Number(operand) * (operation === 'subtract' ? -1 : 1) + 0
}

/** A sum stays within the bounds of its kind, and is exact: the stored number must leave room for the amount. */
function sum(path: Path, amount: number, { min = -integerMax, max = integerMax }: Attribute['kind'], isRequired: boolean): AtomicChange {
  const room: Term = { is: 'between', path, from: { value: within(min - amount) }, to: { value: within(max - amount) } }
  const mayBeAbsent = !isRequired && amount >= min && amount <= max
  const term: Term = mayBeAbsent ? { is: 'or', terms: [{ is: 'not', term: { is: 'exists', path } }, room] } : room
  return { part: { operation: 'sum', path, amount, isRequired }, allowed: { is: 'allowed', attribute: path[0], term } }
}

function fitting({ schema }: Pick<Attribute['kind'], 'schema'>, value: unknown): unknown {
  const result = schema.safeParse(value)
  if (!result.success) throw new Mismatch(result.error.issues.map(({ message }) => message).join('; '))
  return result.data
}

function members(name: string, attribute: Attribute, { operation, operand }: Operated): AtomicChange {
  const set = storedValue(attribute, fitting(attribute.kind, operand))
  if (!(set instanceof Set)) throw new Mismatch('is changed by no members')
  const type: AttributeType = [...set].every((member) => typeof member === 'string') ? 'SS' : 'NS'
  return {
    part: { operation: operation === 'addTo' ? 'join' : 'leave', attribute: name, members: set },
    allowed: { is: 'fitting', attribute: name, type },
  }
}

function elements(name: string, { kind }: Attribute, operand: unknown): AtomicChange {
  const added = fitting(kind, operand)
  if (!Array.isArray(added) || added.length === 0) throw new Mismatch('is appended nothing')
  const membersMax = kind.membersMax === undefined ? undefined : kind.membersMax - added.length
  return {
    part: { operation: 'append', attribute: name, elements: added },
    allowed: { is: 'fitting', attribute: name, type: 'L', membersMax },
  }
}

const words: Readonly<Record<Attribute['takes'], string>> = {
  amounts: 'add, subtract',
  members: 'addTo, removeFrom',
  elements: 'append',
  entries: 'entry',
  values: 'a value',
}

/** Reads what a change does to one attribute. Throws `Mismatch` if the kind of the attribute does not allow it. */
export function atomicChange(name: string, attribute: Attribute, given: Operated): AtomicChange {
  const { operation, operand, entry } = given
  const { kind, takes, presence } = attribute
  if (operation === 'ifAbsent') {
    if (presence !== 'optional') throw new Mismatch('is never absent')
    const value = storedValue(attribute, fitting(attribute, operand))
    if (value === undefined || value === null) throw new Mismatch('is set to nothing if absent')
    return { part: { operation, attribute: name, value } }
  }
  if ((operation === 'add' || operation === 'subtract') && takes === 'amounts')
    return sum([name], amountOf(given), kind, presence !== 'optional')
  if ((operation === 'addTo' || operation === 'removeFrom') && takes === 'members') return members(name, attribute, given)
  if (operation === 'append' && takes === 'elements') return elements(name, attribute, operand)
  if (operation === 'entry' && takes === 'entries') {
    if (!isOperated(operand) || entry === undefined || entry === '' || operand.operation === 'entry')
      throw new Mismatch('has no such entry')
    return sum([name, entry], amountOf(operand), {} as Attribute['kind'], true)
  }
  const fraction = kind.stored === 'number' && takes === 'values' ? ' It may have fractions, whose sums are not exact.' : ''
  throw new Mismatch(`does not take '${operation}', as a ${kind.name} takes ${words[takes]} or ifAbsent.${fraction}`)
}
