import type { Offer } from '@freehold/designs'
import type { AnyDesign, CompiledPattern, Entity } from '@freehold/table'
import { type Obeying, offered } from './offered.ts'
import { unknownName } from './unknown-name.ts'

function found<V>(names: ReadonlyMap<string, V>, name: string | undefined, what: string): V {
  const value = names.get(name ?? '')
  if (value === undefined) throw unknownName(what, name ?? '', names.keys())
  return value
}

/** The design of this name and what comes with it. Throws `UnknownName`, with what was probably meant. */
export function offerNamed(shell: Obeying, name: string | undefined): Offer {
  return found(offered(shell), name, 'design')
}

/** Throws `UnknownName`. */
export function entityNamed({ name: design, form }: AnyDesign, name: string | undefined): Entity {
  return found(form.entities, name, `entity of ${design} named`)
}

/** Throws `UnknownName`. */
export function patternNamed({ name: design, form }: AnyDesign, name: string | undefined): CompiledPattern {
  return found(form.patterns, name, `access pattern of ${design} named`)
}
