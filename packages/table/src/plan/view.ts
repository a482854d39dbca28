import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { FreeholdError } from '../errors.ts'
import { membersOf } from '../kind/value.ts'
import { epochSeconds } from './condition.ts'
import type { Values } from './input.ts'
import { type Stored, versionOf } from './stored.ts'
import { faultOf, isDropped, respelled } from './understood.ts'

/** Reads one attribute of a stored item. */
interface Reader {
  readonly name: string
  readonly holds: (value: unknown) => boolean
  readonly mayBeAbsent: boolean
  readonly isSecret: boolean
  readonly isSet: boolean
}

const readers = new WeakMap<Entity, readonly Reader[]>()

/**
 * What a guard or lookup item repeats of its owner, besides the two keys: a program of a version that repeats less, or more, may have written it, and its
 * owner has the value.
 */
function isRepeated(entity: Entity, name: string): boolean {
  const { part } = entity.form
  if (part.kind !== 'guard' && part.kind !== 'mirror') return false
  return ![...keyPlaceholders(entity), ...keyPlaceholders(part.owner)].includes(name)
}

function readersOf(entity: Entity): readonly Reader[] {
  const known = readers.get(entity)
  if (known !== undefined) return known
  const made = Object.entries(entity.attributes).map(([name, { kind, presence, isSecret, absent }]) => ({
    name,
    holds: kind.holds,
    mayBeAbsent: presence === 'optional' || presence === 'copied' || absent !== undefined || isRepeated(entity, name),
    isSecret,
    isSet: kind.stored === 'set',
  }))
  readers.set(entity, made)
  return made
}

/** A kind whose name begins with a u begins as `you` does. */
const withArticle = (kind: string): string => `${/^[aeio]/.test(kind) ? 'an' : 'a'} ${kind}`

/** True for an expired item, which DynamoDB may not have deleted yet (spec rule 15). */
export function isExpired(entity: Entity, item: Stored, now: Date): boolean {
  const { expires } = entity.form
  if (expires === undefined) return false
  const at = item[expires]
  if (typeof at === 'string') return at <= now.toISOString()
  return typeof item.ttl === 'number' && item.ttl <= epochSeconds(now)
}

/** Refuses an item that cannot be understood, or that contradicts itself. Throws `MalformedItem`. */
export function checkSound(entity: Entity, item: Stored): void {
  const fault = faultOf(item)
  if (fault !== undefined) throw malformed(entity.name, item, fault)
}

function malformed(entity: string, item: Stored, why: string): FreeholdError {
  return new FreeholdError('MalformedItem', `The item '${item.PK}' / '${item.SK}' is no ${entity}: ${why}.`, {
    entity,
    key: { PK: item.PK, SK: item.SK },
  })
}

/**
 * An item as callers see it: the entity's attributes, `Type`, `version`, possibly `deleting`. It has no keys, and only those secrets that
 * were asked for by name. Throws `MalformedItem` if the item does not match its entity (spec rule 16). The check is cheap, not a full
 * validation.
 */
export function viewItem(entity: Entity, item: Stored, secrets: readonly string[] = []): Values {
  if (item.Type !== entity.name) throw malformed(entity.name, item, `its Type is '${item.Type}'`)
  checkSound(entity, item)
  const view: Values = { Type: entity.name, version: versionOf(item) }
  for (const { name, holds, mayBeAbsent, isSecret, isSet } of readersOf(entity)) {
    const value = item[name]
    if (value === undefined || value === null) {
      if (!mayBeAbsent && !isSet) throw malformed(entity.name, item, `${name} is missing`)
      if (!mayBeAbsent && !isSecret) view[name] = []
    } else if (!holds(value)) {
      const other = respelled(entity, item)
      if (other !== item) return viewItem(entity, other, secrets)
      throw malformed(entity.name, item, `${name} is not ${withArticle(entity.attributes[name]?.kind.name ?? 'value')}`)
    } else if (!isSecret || secrets.includes(name)) view[name] = isSet ? membersOf(value) : value
  }
  if (typeof item.deleting === 'string') view.deleting = item.deleting
  return view
}

/** The entity of an item, by its `Type` or its keys and never by its position (spec rule 16). Undefined for one of an entity that was dropped. */
export function entityOf(form: DesignForm, item: Stored): Entity | undefined {
  const entity = typeof item.Type === 'string' ? form.entities.get(item.Type) : undefined
  if (entity !== undefined || isDropped(form, item)) return entity
  const why = item.Type === undefined ? 'it has no Type, and its keys are those of no entity' : `its Type is '${String(item.Type)}'`
  throw malformed('known entity', item, why)
}
