import { kindForm } from '../kind/kind.ts'
import type { NumberOptions } from '../kind/value.ts'
import { setKind } from '../kind/value.ts'
import type { Attribute } from './attribute.ts'
import { attribute } from './attribute.ts'
import { number, text } from './attributes.ts'
import { frozen } from './frozen.ts'
import { checkOptions, inertMember } from './options.ts'

type SetOf<V> = Attribute<readonly V[], 'given', 'members'>

/**
 * A set of texts of one kind, each once, in the order of their bytes. DynamoDB has no empty sets: one without members is absent, and is read as an
 * empty list unless the attribute is optional.
 */
export const textSet = (of: Attribute<string> = text()): SetOf<string> => {
  return attribute({
    kind: { ...setKind(of.kind, 'text'), limits: frozen({ of: kindForm(of.kind) }), inert: inertMember('a set', of, ['given']) },
    presence: 'given',
  })
}
/** A set of numbers. See `textSet`. */
export const numberSet = (options: NumberOptions = {}): SetOf<number> => {
  checkOptions('numberSet()', options, ['min', 'max', 'integer'])
  const numbers = number(options)
  return attribute({ kind: { ...setKind(numbers.kind, 'numbers'), limits: frozen({ of: kindForm(numbers.kind) }) }, presence: 'given' })
}
