import type { Entity } from '@freehold/table'
import { current, neverAllowed, normalId } from './foresee-change.ts'
import { isForeign } from './foresee-create.ts'
import {
  derivedItemsOf,
  type Item,
  isDerived,
  isExpired,
  placeFor,
  placeOfItem,
  type Reference,
  referencesOf,
  sidesOf,
  stored,
  targetPlace,
  withinOf,
} from './parts.ts'
import type { Step } from './step.ts'
import { derivedPlace, draftOf, entityOf, type Foreseen, type World } from './world.ts'

/** Everything that is written for one thing: the item, its guards and mirrors, all sides of an edge. */
function whole(world: World, entity: Entity, item: Item): readonly string[] {
  const sides = sidesOf(entity).map((side) => placeFor(side, item))
  const derivedItems = derivedItemsOf(world.design, entity).map((derived) => derivedPlace(world, derived, entity, item))
  return [placeOfItem(item), ...sides, ...derivedItems].filter((place) => place !== undefined)
}

/** Both sides of an edge together have what either needs to lie within another. */
function parallel(world: World, entity: Entity, item: Item): Item {
  return Object.assign({}, ...sidesOf(entity).map((side) => world.items.get(placeFor(side, item) ?? '')), item)
}

/**
 * True for what lies within something among `places`, or refers to it so that it goes with it (`cascade`), or keeps it (`refuse`). An item of another tenant
 * does neither: what it refers to has moved to a tenant of its own.
 */
function hangsOn(world: World, item: Item, places: ReadonlySet<string>, how: 'cascade' | 'refuse'): boolean {
  const entity = entityOf(world, item)
  if (isDerived(entity)) return false
  const within = withinOf(entity)
  if (how === 'cascade' && within !== undefined && places.has(placeFor(within, parallel(world, entity, item)) ?? '')) return true
  const leads = (reference: Reference) => places.has(targetPlace(reference, item) ?? '') && !isForeign(world, entity, item, reference)
  return referencesOf(entity).some((reference) => reference.onRemove === how && leads(reference))
}

/** Marked and unmarked again: two writes of the item and of its mirrors, or of all sides of an edge. */
function spared(world: World, entity: Entity, item: Item): World['items'] {
  const { items } = draftOf(world)
  const version = Number(item.version) + 2
  items.set(placeOfItem(item), { ...item, version })
  for (const side of sidesOf(entity)) {
    const place = side === entity ? undefined : placeFor(side, item)
    const sibling = place === undefined ? undefined : items.get(place)
    if (sibling !== undefined) items.set(placeOfItem(sibling), { ...sibling, version: Number(sibling.version) + 2 })
  }
  for (const derived of derivedItemsOf(world.design, entity)) {
    const mirror = derived.form.part.kind === 'mirror' ? stored(derived, item, version) : undefined
    if (mirror !== undefined) items.set(placeOfItem(mirror), mirror)
  }
  return items
}

export function foreseeRemove(world: World, entity: Entity, step: Step): Foreseen {
  const never = neverAllowed(entity, step.verb)
  if (never !== undefined) return { codes: [never], items: world.items }
  placeFor(entity, normalId(entity, step.input))
  const item = current(world, entity, step)
  if (typeof item === 'string') return { codes: [item], items: world.items }
  const all = [...world.items.values()]
  const removed = new Set(whole(world, entity, item))
  const isForced = step.inUse === 'cascade'
  const isKept = all.some((each) => !isExpired(entityOf(world, each), each, world.now) && hangsOn(world, each, removed, 'refuse'))
  if (isKept && !isForced) return { codes: ['InUse'], items: spared(world, entity, item) }
  for (let count = 0; count < removed.size; ) {
    count = removed.size
    for (const each of all)
      if (hangsOn(world, each, removed, 'cascade') || (isForced && hangsOn(world, each, removed, 'refuse')))
        for (const place of whole(world, entityOf(world, each), each)) removed.add(place)
  }
  const { items } = draftOf(world)
  for (const place of removed) items.delete(place)
  return { codes: [], items }
}
