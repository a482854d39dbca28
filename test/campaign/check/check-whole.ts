import { isDeepStrictEqual } from 'node:util'
import type { AnyDesign, Entity } from '@freehold/table'
import {
  copyingsOf,
  derivedItemsOf,
  type Item,
  isDerived,
  keyPlaceholdersOf,
  listReferencesOf,
  membersOf,
  placeFor,
  placeOfItem,
  referencesOf,
  sidesOf,
  stored,
  targetPlace,
  withinOf,
} from '../../../packages/designs/test/model/parts.ts'
import type { Finding } from './finding.ts'

type Items = ReadonlyMap<string, Item>

const rule = 'whole'
const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing'

/** The attribute that every table holds beside those of its design: the stamp of a write. It means nothing here. */
function unstamped({ writeId: _, ...item }: Item): Item {
  return item
}

function differences(place: string, item: Item, wanted: Item, except: readonly string[] = []): Finding[] {
  const names = new Set([...Object.keys(item), ...Object.keys(wanted)])
  return [...names].flatMap((name) =>
    except.includes(name) || isDeepStrictEqual(item[name], wanted[name])
      ? []
      : [{ rule, place, message: `${place} has ${name} ${shown(item[name])}, not ${shown(wanted[name])}` }],
  )
}

/** The items that must be there with an item, by their keys: its guards and lookup items, the other sides of its edge. */
function companionsOf(design: AnyDesign, entity: Entity, item: Item): readonly Item[] {
  const derivedItems = derivedItemsOf(design, entity).map((derived) => stored(derived, item, 0))
  return derivedItems.flatMap((derived) => (derived === undefined ? [] : [derived]))
}

function checkSides(entity: Entity, item: Item, items: Items): Finding[] {
  const place = placeOfItem(item)
  return sidesOf(entity).flatMap((side) => {
    const there = placeFor(side, item)
    if (side === entity || there === undefined) return []
    const other = items.get(there)
    if (other?.Type !== side.name) return [{ rule, place, message: `${place} is without its other side, ${side.name} ${there}` }]
    const shared = Object.keys(side.attributes).filter(
      (name) => entity.attributes[name] !== undefined && side.attributes[name]?.presence !== 'copied',
    )
    const pick = (from: Item) => Object.fromEntries(shared.map((name) => [name, from[name]]))
    return differences(there, pick(other), pick(item))
  })
}

/** Its targets are there, are not being deleted, and have the values that were copied from them. */
function checkReferences(entity: Entity, item: Item, items: Items): Finding[] {
  const place = placeOfItem(item)
  return copyingsOf(entity).flatMap(({ reference, copies }) => {
    const target = targetPlace(reference, item)
    if (target === undefined) return []
    const source = items.get(target)
    if (source?.Type !== reference.to.name)
      return reference.onRemove === 'keep'
        ? []
        : [{ rule, place, message: `${place} refers by ${reference.attribute} to ${reference.to.name} ${target}, which is not there` }]
    return copies.flatMap(({ attribute, from }) =>
      isDeepStrictEqual(item[attribute], source[from])
        ? []
        : [
            {
              rule,
              place,
              message: `${place} copied ${attribute} ${shown(item[attribute])} from ${target}, where it is ${shown(source[from])}`,
            },
          ],
    )
  })
}

/** Each member of a list that refers leads to an item that is there. */
function checkMembers(entity: Entity, item: Item, items: Items): Finding[] {
  const place = placeOfItem(item)
  return listReferencesOf(entity).flatMap((reference) =>
    membersOf(item, reference).flatMap((member): Finding[] => {
      const target = targetPlace(reference, { ...item, [reference.attribute]: member })
      if (target === undefined || items.has(target)) return []
      return [{ rule, place, message: `${place} names in ${reference.attribute} ${reference.to.name} ${target}, which is not there` }]
    }),
  )
}

function checkWithin(entity: Entity, item: Item, items: Items): Finding[] {
  const within = withinOf(entity)
  if (within === undefined || !keyPlaceholdersOf(within).every((placeholder) => item[placeholder] !== undefined)) return []
  const [place, around] = [placeOfItem(item), placeFor(within, item)]
  if (around === undefined || items.has(around)) return []
  return [{ rule, place, message: `${place} lies within ${within.name} ${around}, which is not there` }]
}

/**
 * Everything that is not as it should be in a table where nothing is under way, whatever its design: an item with wrong index keys, half of an edge,
 * a guard or mirror without its owner, an item without a guard, an edge to nowhere, a copy that has not followed, a mark or a job that was left
 * behind. Keys are filled in by a second reading of the design's templates, and not by the code under test.
 */
export function checkWhole(design: AnyDesign, items: Items): Finding[] {
  const expected = new Set<string>()
  const found: Finding[] = []
  for (const [place, item] of items) {
    const entity = design.entities[String(item.Type)]
    if (entity === undefined) {
      found.push({
        rule,
        place,
        message: `${place} is a ${shown(item.Type)}, which the design does not know, or a job that was left behind`,
      })
      continue
    }
    if (item.deleting !== undefined) found.push({ rule, place, message: `${place} is marked as being deleted, and nobody deletes it` })
    if (isDerived(entity)) continue
    expected.add(place)
    const wanted = stored(entity, item, Number(item.version))
    found.push(...differences(place, unstamped(item), wanted ?? {}, ['deleting']))
    for (const companion of companionsOf(design, entity, item)) {
      const beside = placeOfItem(companion)
      expected.add(beside)
      const there = items.get(beside)
      if (there === undefined) found.push({ rule, place, message: `${place} is without its ${companion.Type} ${beside}` })
      else found.push(...differences(beside, unstamped(there), companion, ['version', 'deleting']))
    }
    if (referencesOf(entity).length > 0) found.push(...checkReferences(entity, item, items))
    found.push(...checkMembers(entity, item, items), ...checkSides(entity, item, items), ...checkWithin(entity, item, items))
  }
  for (const [place, item] of items) {
    const entity = design.entities[String(item.Type)]
    if (entity === undefined || !isDerived(entity) || expected.has(place)) continue
    found.push({ rule, place, message: `${place} is a ${entity.name} of nobody` })
  }
  return found
}
