import { type Offer, offers } from '@freehold/designs'
import { type AnyDesign, type CompiledPattern, type Entity, FreeholdError } from '@freehold/table'
import { safeText } from '../output/safe-text.ts'
import { nearest } from './nearest.ts'

const shown_max = 60

function unknown(what: string, name: string, known: Iterable<string>): FreeholdError {
  const names = [...known]
  const near = nearest(name, names)
  const shown = safeText(name.length > shown_max ? `${name.slice(0, shown_max)}…` : name)
  const hint = near === undefined ? `There is ${names.join(', ')}.` : `Did you mean ${near}?`
  return new FreeholdError('UnknownName', `There is no ${what} '${shown}'. ${hint}`, { name: shown, ...(near && { suggestion: near }) })
}

function found<V>(names: ReadonlyMap<string, V>, name: string | undefined, what: string): V {
  const value = names.get(name ?? '')
  if (value === undefined) throw unknown(what, name ?? '', names.keys())
  return value
}

/** The design of this name and what comes with it. Throws `UnknownName`, with what was probably meant. */
export function offerNamed(name: string | undefined): Offer {
  return found(offers, name, 'design')
}

/** Throws `UnknownName`. */
export function entityNamed({ name: design, form }: AnyDesign, name: string | undefined): Entity {
  return found(form.entities, name, `entity of ${design} named`)
}

/** Throws `UnknownName`. */
export function patternNamed({ name: design, form }: AnyDesign, name: string | undefined): CompiledPattern {
  return found(form.patterns, name, `access pattern of ${design} named`)
}
