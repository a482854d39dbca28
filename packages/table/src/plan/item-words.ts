import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import { parseKey } from '../key/format.ts'
import type { Action } from './action.ts'
import type { TableKey } from './keys.ts'
import type { Stored } from './stored.ts'
import { viewItem } from './view.ts'

/** The attributes of a key, by which a caller knows the item. Empty if the entity's templates cannot have made the key. */
export function idIn({ form: { key } }: Entity, { PK, SK }: TableKey): Readonly<Record<string, string>> {
  return { ...parseKey(key.partition, PK), ...parseKey(key.sort, SK) }
}

/** An item in a sentence: `Zone with id "7"`. Callers do not see the key itself. */
export function itemWords(entity: string, id: Readonly<Record<string, unknown>>): string {
  const words = Object.entries(id).map(([attribute, value]) => `${attribute} ${JSON.stringify(value)}`)
  return words.length === 0 ? entity : `${entity} with ${words.join(' and ')}`
}

/** The item of an action, for error messages. A guard or lookup item is described as its owner, since callers may not know it. */
export interface Subject {
  readonly words: string
  readonly details: { readonly entity: string; readonly id: Readonly<Record<string, string>> }
}

/** The item of a path, as the subject of a sentence. */
export function subjectAt(entity: Entity, key: TableKey): Subject {
  const id = idIn(entity, key)
  const { part } = entity.form
  const { name } = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  return { words: itemWords(name, id), details: { entity: entity.name, id } }
}

/** The subject of an action. The record of a job has no entity in the design, only a name. */
export function subjectOf({ entities }: DesignForm, { origin, key }: Action): Subject {
  const entity = entities.get(origin.entity)
  return entity === undefined ? { words: origin.entity, details: { entity: origin.entity, id: {} } } : subjectAt(entity, key)
}

export function notThere(entity: Entity, key: TableKey): FreeholdError {
  const { words, details } = subjectAt(entity, key)
  return new FreeholdError('NotFound', `There is no ${words}.`, details)
}

/** The error for an item that does not satisfy a condition. `details.item` is that item, without its secrets. */
export function notAsked(entity: Entity, key: TableKey, item: Stored, why = 'does not have the expected attributes'): FreeholdError {
  const { words, details } = subjectAt(entity, key)
  return new FreeholdError('CheckFailed', `The ${words} ${why}.`, { ...details, item: viewItem(entity, item) })
}
