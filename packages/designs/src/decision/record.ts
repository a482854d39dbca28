import { type Entity, type Item, isFreeholdError, type Malformed } from '@freehold/table'
import { type Stored, type TableKey, tableKey, viewItem } from '@freehold/table/runtime'

/** A record that grants nothing, and why. */
export interface Lost {
  readonly state: 'missing' | 'deleting' | 'malformed'
  readonly entity: string
  readonly key: TableKey
  readonly message: string
}

/** What was found under a key. Only what is whole, in its place and not being deleted can be part of a grant (spec rules 12 and 19). */
export type Looked<T> = { readonly state: 'found'; readonly item: T } | Lost

function malformed(entity: Entity, key: TableKey, message: string): Lost {
  return { state: 'malformed', entity: entity.name, key, message }
}

/** True where the item's attributes are those of its key: an edge that lies elsewhere than it says is not believed. */
function isInPlace(entity: Entity, key: TableKey, view: Readonly<Record<string, unknown>>): boolean {
  const own = tableKey(entity, view)
  return own.PK === key.PK && own.SK === key.SK
}

/** Judges one item as it lies in the table; undefined where there is none. */
export function look<E extends Entity>(entity: E, key: TableKey, item: Stored | undefined): Looked<Item<E>> {
  if (item === undefined) return { state: 'missing', entity: entity.name, key, message: `There is no ${entity.name}.` }
  try {
    const view = viewItem(entity, item)
    if (!isInPlace(entity, key, view)) return malformed(entity, key, `The ${entity.name} says that it is another one.`)
    // The mark is a job's id; anything else in its place is believed, too, since that denies.
    if (item.deleting !== undefined && item.deleting !== null)
      return { state: 'deleting', entity: entity.name, key, message: `The ${entity.name} is being deleted.` }
    // viewItem has checked each attribute against the entity.
    return { state: 'found', item: view as unknown as Item<E> }
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem') && !isFreeholdError(error, 'InvalidKey')) throw error
    return malformed(entity, key, `The ${entity.name} is malformed.`)
  }
}

/** The items of one entity in a range: those that count, and those that do not. */
export interface Sorted<T> {
  readonly found: readonly T[]
  readonly lost: readonly Lost[]
}

/** Judges the items of a range in which only `entity` can lie. */
export function lookAll<E extends Entity>(entity: E, items: readonly Stored[]): Sorted<Item<E>> {
  const found: Item<E>[] = []
  const lost: Lost[] = []
  for (const item of items) {
    const looked = look(entity, { PK: String(item.PK), SK: String(item.SK) }, item)
    if (looked.state === 'found') found.push(looked.item)
    else lost.push(looked)
  }
  return { found, lost }
}

/** The malformed ones among these, as a list reports them (spec rule 16). */
export function malformedAmong(lost: readonly Looked<unknown>[]): readonly Malformed[] {
  return lost.flatMap((each) => (each.state === 'malformed' ? [{ key: each.key, reason: each.message }] : []))
}
