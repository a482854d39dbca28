import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import { parseKey } from '../key/format.ts'
import type { Action } from './action.ts'
import type { TableKey } from './keys.ts'

/** The attributes that stand in a key: by these whoever writes an item knows it. None of a key that the entity's templates did not make. */
export function idIn({ form: { key } }: Entity, { PK, SK }: TableKey): Readonly<Record<string, string>> {
  return { ...parseKey(key.partition, PK), ...parseKey(key.sort, SK) }
}

/** An item in a sentence: `Zone with id "7"`. How its key is written is nothing that a caller has to know. */
export function itemWords(entity: string, id: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(id).map(([attribute, value]) => `${attribute} ${JSON.stringify(value)}`)
  return words.length === 0 ? entity : `${entity} with ${words.join(' and ')}`
}

/** The item of an action, as errors tell of it. A guard or mirror is its owner in words, as who writes that need not know of it. */
export interface Subject {
  readonly words: string
  readonly details: { readonly entity: string; readonly id: Readonly<Record<string, string>> }
}

export function subjectAt(entity: Entity, key: TableKey): Subject {
  const id = idIn(entity, key)
  const { part } = entity.form
  const { name } = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  return { words: itemWords(name, id), details: { entity: entity.name, id } }
}

/** The record of a job is no entity of the design, and has a name only. */
export function subjectOf({ entities }: DesignForm, { origin, key }: Action): Subject {
  const entity = entities.get(origin.entity)
  return entity === undefined ? { words: origin.entity, details: { entity: origin.entity, id: {} } } : subjectAt(entity, key)
}

export function notThere(entity: Entity, key: TableKey): FreeholdError {
  const { words, details } = subjectAt(entity, key)
  return new FreeholdError('NotFound', `There is no ${words}.`, details)
}
