import type { AnyDesign, Entity } from '@freehold/table'
import { derivedItemsOf, placeFor, referencesOf, targetPlace, withinOf } from '../../../packages/designs/test/model/parts.ts'
import type { Values } from '../../../packages/designs/test/model/templates.ts'
import type { Entry } from '../record.ts'

/** Places of items whose removal takes another with it: what that refers to, what it lies within, and what these refer to in their turn. */
export type Above = (place: string) => readonly string[]

interface Created {
  readonly entity: Entity
  readonly values: Values
}

/** From what calls that created items say of them, since the items themselves may be gone. */
export function aboveOf(design: AnyDesign, entries: readonly Entry[]): Above {
  const created = new Map<string, Created[]>()
  /** The owner's place, by that of its mirror: a reference may lead to either. */
  const owners = new Map<string, string>()
  for (const { touches } of entries) {
    for (const { entity: name, place, values } of touches) {
      const entity = design.entities[name]
      if (entity === undefined || values === undefined) continue
      created.set(place, [...(created.get(place) ?? []), { entity, values }])
      for (const derived of derivedItemsOf(design, entity)) {
        const mirror = placeFor(derived, values)
        if (mirror !== undefined) owners.set(mirror, place)
      }
    }
  }

  function directly({ entity, values }: Created): string[] {
    const targets = referencesOf(entity).flatMap((reference) => targetPlace(reference, values) ?? [])
    const places = targets.map((target) => owners.get(target) ?? target)
    const within = withinOf(entity)
    if (within === undefined) return places
    // Its copies may name the items that it lies within.
    const copied = places.flatMap((place) => created.get(place) ?? [])
    const around = [{ entity, values }, ...copied].flatMap((each) => placeFor(within, { ...each.values, ...values }) ?? [])
    return [...places, ...around]
  }

  return (place) => {
    const found = new Set<string>()
    const visit = (at: string): void => {
      for (const each of created.get(at) ?? []) {
        for (const above of directly(each)) {
          if (found.has(above)) continue
          found.add(above)
          visit(above)
        }
      }
    }
    visit(place)
    return [...found]
  }
}
