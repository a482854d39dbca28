import { isDeepStrictEqual } from 'node:util'
import type { AnyDesign, Entity, ErrorCode } from '@freehold/table'
import {
  copyingsOf,
  derivedItemsOf,
  type Item,
  isDerived,
  isEdge,
  isExpired,
  keyPlaceholdersOf,
  placeFor,
  placeOfItem,
  sidesOf,
  stored,
  targetPlace,
} from './parts.ts'
import type { Values } from './templates.ts'

/** A table as it should be: every item that lies in it, by its key, at an instant. */
export interface World {
  readonly design: AnyDesign
  readonly now: Date
  readonly items: ReadonlyMap<string, Item>
}

/** A world that a step changes. */
export interface Draft extends World {
  readonly items: Map<string, Item>
}

/** The expected result of a step. `codes`: one of these errors; `gives`: this result; both: either. */
export interface Foreseen {
  readonly codes: readonly ErrorCode[]
  readonly items: World['items']
  readonly gives?: unknown
}

export const draftOf = (world: World): Draft => ({ ...world, items: new Map(world.items) })

export function entityOf({ design }: World, { Type }: Item): Entity {
  const entity = design.entities[String(Type)]
  if (entity === undefined) throw new Error(`No entity is named ${String(Type)}.`)
  return entity
}

/** The item at a place whose life is not over. */
export function live(world: World, place: string | undefined): Item | undefined {
  const item = place === undefined ? undefined : world.items.get(place)
  return item === undefined || isExpired(entityOf(world, item), item, world.now) ? undefined : item
}

/** The values that an item of this entity with these values copies through its references. */
export function copiedValues(world: World, entity: Entity, values: Values): Values {
  return Object.fromEntries(
    copyingsOf(entity).flatMap(({ reference, copies }) => {
      const source = copies.length === 0 ? undefined : live(world, targetPlace(reference, values))
      return source === undefined ? [] : copies.map(({ attribute, from }) => [attribute, source[from]])
    }),
  )
}

/** The place of a guard or mirror of these values where that is its owner's own, and not another's by now. */
export function derivedPlace(world: World, derived: Entity, owner: Entity, values: Values): string | undefined {
  const place = placeFor(derived, values)
  const there = place === undefined ? undefined : world.items.get(place)
  return there !== undefined && keyPlaceholdersOf(owner).every((placeholder) => there[placeholder] === values[placeholder])
    ? place
    : undefined
}

/** Puts an item at a new place, or over its own. */
function put(draft: Draft, from: string | undefined, item: Item): ErrorCode[] {
  const place = placeOfItem(item)
  const isTaken = place !== from && live(draft, place) !== undefined
  if (from !== undefined && place !== from) draft.items.delete(from)
  draft.items.set(place, item)
  return isTaken ? ['AlreadyExists'] : []
}

/** Changes an item with its guards and mirrors, or with the other sides of its edge. */
export function rewrite(draft: Draft, entity: Entity, before: Item, after: Values, version: number): ErrorCode[] {
  const item = stored(entity, after, version)
  if (item === undefined) return ['InvalidKey']
  const codes = put(draft, placeOfItem(before), item)
  for (const derived of derivedItemsOf(draft.design, entity)) {
    const [old, fresh] = [stored(derived, before, 0), stored(derived, after, 0)]
    if (isDeepStrictEqual(old, fresh)) continue
    const from = derivedPlace(draft, derived, entity, before)
    if (fresh !== undefined) codes.push(...put(draft, from, { ...fresh, version }))
    else if (from !== undefined) draft.items.delete(from)
  }
  for (const side of sidesOf(entity)) {
    const place = side === entity ? undefined : placeFor(side, before)
    const sibling = place === undefined ? undefined : draft.items.get(place)
    if (sibling === undefined) continue
    const shared = Object.keys(side.attributes).filter(
      (name) => entity.attributes[name] !== undefined && side.attributes[name]?.presence !== 'copied',
    )
    const next = { ...sibling, ...Object.fromEntries(shared.map((name) => [name, after[name]])) }
    const fresh = stored(side, next, Number(sibling.version) + 1)
    if (fresh !== undefined) codes.push(...put(draft, place, fresh))
  }
  return codes
}

/** Lets one item's copies follow. True where they had to. */
function follow(draft: Draft, item: Item): boolean {
  const entity = entityOf(draft, item)
  if (isDerived(entity) || isExpired(entity, item, draft.now)) return false
  for (const { reference, copies } of copyingsOf(entity)) {
    const source = copies.length === 0 ? undefined : live(draft, targetPlace(reference, item))
    if (source === undefined || copies.every(({ attribute, from }) => isDeepStrictEqual(item[attribute], source[from]))) continue
    const after = { ...item, ...Object.fromEntries(copies.map(({ attribute, from }) => [attribute, source[from]])) }
    const version = Number(item.version) + 1
    if (isEdge(entity)) draft.items.set(placeOfItem(item), stored(entity, after, version) ?? item)
    else rewrite(draft, entity, item, after, version)
    return true
  }
  return false
}

/** Lets all copies follow what they were copied from, and the copies of those in turn (spec rule 11). */
export function settle(draft: Draft): void {
  while ([...draft.items.values()].some((item) => follow(draft, item)));
}
