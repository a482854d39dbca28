import type { AnyDesign, Entity } from '@freehold/table'
import { fill, placeholdersOf, type Values } from './templates.ts'

// The entities of a design in plain words, by its declared data.

export type Item = Values
export type Reference = Entity['form']['references'][number]

export interface Copy {
  readonly attribute: string
  readonly through: string
  readonly from: string
}

export const isEdge = ({ form }: Entity): boolean => form.part.kind === 'edge'
/** A guard or mirror: written with its owner only. */
export const isDerived = ({ form }: Entity): boolean => form.part.kind === 'guard' || form.part.kind === 'mirror'

export function ownerOf(entity: Entity): Entity {
  const { part } = entity.form
  return part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
}

export function derivedItemsOf(design: AnyDesign, entity: Entity): readonly Entity[] {
  return Object.values(design.entities).filter((other) => other !== entity && ownerOf(other) === entity)
}

/** The items of which an edge is one; of anything else, itself. */
export function sidesOf(entity: Entity): readonly Entity[] {
  const { part } = entity.form
  return part.kind === 'edge' ? part.edge.sides : [entity]
}

export function withinOf({ form: { part } }: Entity): Entity | undefined {
  return part.kind === 'edge' ? part.edge.within : undefined
}

export function referencesOf({ form: { part, references } }: Entity): readonly Reference[] {
  return part.kind === 'edge' ? part.edge.ends : references.filter(({ isEach }) => isEach !== true)
}

/** References of a list: each member names a target. */
export function listReferencesOf({ form: { part, references } }: Entity): readonly Reference[] {
  return part.kind === 'edge' ? [] : references.filter(({ isEach }) => isEach === true)
}

/** The members of a list. */
export const membersOf = (values: Values, { attribute }: Reference): readonly unknown[] => {
  const members = values[attribute]
  return Array.isArray(members) ? members : []
}

function copiesThrough(entity: Entity, { attribute: through, to }: Reference): readonly Copy[] {
  const { part } = entity.form
  if (part.kind === 'edge') return (part.edge.copies[entity.name] ?? []).filter((copy) => copy.through === through)
  return Object.entries(entity.attributes).flatMap(([attribute, { source }]) => {
    if (source?.through !== through) return []
    const from = typeof source.attribute === 'string' ? source.attribute : (source.attribute?.[to.name] ?? attribute)
    return [{ attribute, through, from }]
  })
}

export interface Copying {
  readonly reference: Reference
  readonly copies: readonly Copy[]
}

const copyings = new WeakMap<Entity, readonly Copying[]>()

/** The references of an entity, and what its items copy through each. */
export function copyingsOf(entity: Entity): readonly Copying[] {
  const found = copyings.get(entity)
  if (found !== undefined) return found
  const made = referencesOf(entity).map((reference) => ({ reference, copies: copiesThrough(entity, reference) }))
  copyings.set(entity, made)
  return made
}

/** The attributes that hold the ends of an edge. */
export const endsOf = (entity: Entity): readonly string[] =>
  isEdge(entity) ? referencesOf(entity).flatMap(({ by }) => Object.values(by)) : []

export const keyPlaceholdersOf = ({ key }: Entity): readonly string[] => [...new Set(key.flatMap(placeholdersOf))]

const placeOf = (PK: string, SK: string) => `${PK} / ${SK}`
export const placeOfItem = ({ PK, SK }: Item): string => placeOf(String(PK), String(SK))

/** The place of an entity's item, or undefined where an attribute that its key needs is absent. */
export function placeFor({ key }: Entity, values: Values): string | undefined {
  const [PK, SK] = [fill(key[0], values), fill(key[1], values)]
  return PK === undefined || SK === undefined ? undefined : placeOf(PK, SK)
}

/** False where the values say that another case of a reference is meant. */
const isSelected = ({ when }: Reference, values: Values): boolean => Object.entries(when).every(([name, value]) => values[name] === value)

/** The key to which a reference leads; undefined if it leads nowhere. */
export function targetPlace(reference: Reference, values: Values): string | undefined {
  const { to, by, absent } = reference
  if (!isSelected(reference, values)) return undefined
  const filled = Object.entries(by).filter(([, own]) => absent[own] === undefined || values[own] !== absent[own])
  return placeFor(to, Object.fromEntries(filled.map(([placeholder, own]) => [placeholder, values[own]])))
}

/** True where a reference has a value, and yet lacks a part of the key that it leads to: nothing can be there. */
export function isBroken(reference: Reference, values: Values): boolean {
  const value = values[reference.attribute]
  return isSelected(reference, values) && value !== undefined && value !== null && targetPlace(reference, values) === undefined
}

/** The item as it must lie in the table; undefined for a guard or mirror of something absent. */
export function stored(entity: Entity, values: Values, version: number): Item | undefined {
  const [PK, SK] = [fill(entity.key[0], values), fill(entity.key[1], values)]
  if (PK === undefined || SK === undefined) return undefined
  const item: Record<string, unknown> = { PK, SK, Type: entity.name, version }
  for (const name of Object.keys(entity.attributes)) if (values[name] !== undefined && values[name] !== null) item[name] = values[name]
  for (const [index, [partition, sort]] of Object.entries(entity.indexes)) {
    const [first, second] = [fill(partition, values), fill(sort, values)]
    if (first !== undefined && second !== undefined) Object.assign(item, { [`${index}PK`]: first, [`${index}SK`]: second })
  }
  const { expires } = entity.form
  if (expires !== undefined && typeof item[expires] === 'string') item.ttl = Math.ceil(Date.parse(item[expires]) / 1000)
  return item
}

export function isExpired({ form: { expires } }: Entity, item: Item, now: Date): boolean {
  return expires !== undefined && typeof item[expires] === 'string' && Date.parse(item[expires]) <= now.getTime()
}

/** An item as callers see it: without keys, and without secrets. */
export function seen(entity: Entity, item: Item): Item {
  const names = Object.keys(entity.attributes).filter((name) => entity.attributes[name]?.isSecret === false)
  return Object.fromEntries(['Type', 'version', ...names].flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])))
}
