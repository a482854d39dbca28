import { type Entity, type Item, isFreeholdError, type Malformed } from '@freehold/table'
import { keyText, type Stored, type TableKey, tableKey, viewItem } from '@freehold/table/runtime'

/** A record that grants nothing, and why. */
export interface Unusable {
  readonly state: 'missing' | 'deleting' | 'malformed'
  readonly entity: string
  readonly key: TableKey
  readonly message: string
  /** What else the caller can do, in a sentence. */
  readonly hint?: string
}

/** The item under a key, or why it does not count. Only a record that is whole, under its own key and not being deleted can be part of a grant (spec rules 12 and 19). */
export type LoadResult<T> = { readonly state: 'found'; readonly item: T } | Unusable

/** True for a record that allows nothing: missing, malformed or being deleted. */
export function isUnusable(value: unknown): value is Unusable {
  return typeof value === 'object' && value !== null && 'state' in value && value.state !== 'found'
}

/** A record that is wanted: where it lies, and the entity that it must be of. */
export interface Wanted<E extends Entity = Entity> {
  readonly entity: E
  readonly key: TableKey
  /** The attributes that the key was made of. Undefined for a key that was found. */
  readonly id?: Readonly<Record<string, string | undefined>>
}

/**
 * A record that a question wants, by its entity and key.
 * @param id the attributes of the key, normalised
 */
export function wanted<E extends Entity>(entity: E, id: Readonly<Record<string, string | undefined>>): Wanted<E> {
  return { entity, key: tableKey(entity, id), id }
}

/** True if both have the same attributes, as far as the keys of the entity are made of them. */
function isSameId({ form: { key } }: Entity, one: Readonly<Record<string, unknown>>, other: Readonly<Record<string, unknown>>): boolean {
  for (const name of key.partition.placeholders) if (one[name] !== other[name]) return false
  for (const name of key.sort.placeholders) if (one[name] !== other[name]) return false
  return true
}

/** True if the attributes of an item are those of its key: an edge that lies elsewhere than it says is not believed. */
function isUnderOwnKey({ entity, key, id }: Wanted, view: Readonly<Record<string, unknown>>): boolean {
  // The same attributes make the same key, which is not made once more.
  if (id !== undefined && isSameId(entity, id, view)) return true
  const own = tableKey(entity, view)
  return own.PK === key.PK && own.SK === key.SK
}

/** Parses one item as it lies in the table; undefined for one that is not there. */
export function parseRecord<E extends Entity>(at: Wanted<E>, stored: Stored | undefined): LoadResult<Item<E>> {
  const { entity, key } = at
  const unusable = (state: Unusable['state'], message: string): Unusable => ({ state, entity: entity.name, key, message })
  if (stored === undefined) return unusable('missing', `There is no ${entity.name}.`)
  try {
    const view = viewItem(entity, stored)
    if (!isUnderOwnKey(at, view)) return unusable('malformed', `The ${entity.name} says that it is another one.`)
    // The mark is the id of a job. Anything else in its place is believed, too, since that denies.
    if (stored.deleting !== undefined && stored.deleting !== null) return unusable('deleting', `The ${entity.name} is being deleted.`)
    // viewItem has checked each attribute against the entity.
    return { state: 'found', item: view as unknown as Item<E> }
  } catch (error) {
    if (!isFreeholdError(error, 'MalformedItem') && !isFreeholdError(error, 'InvalidKey')) throw error
    return unusable('malformed', `The ${entity.name} is malformed.`)
  }
}

/** True for an item that another program has written by the source document alone, and nobody has completed: beside it additions may be missing. */
export function isForeign({ version }: { readonly version: number }): boolean {
  return version === 0
}

/** The records of one entity in a range: those that count, and those that do not. */
export interface Records<T> {
  readonly found: readonly T[]
  readonly unusable: readonly Unusable[]
}

/** Parses the items of a range in which only `entity` can lie. */
export function parseRecords<E extends Entity>(entity: E, items: readonly Stored[]): Records<Item<E>> {
  const found: Item<E>[] = []
  const unusable: Unusable[] = []
  for (const item of items) {
    const parsed = parseRecord({ entity, key: { PK: String(item.PK), SK: String(item.SK) } }, item)
    if (parsed.state === 'found') found.push(parsed.item)
    else unusable.push(parsed)
  }
  return { found, unusable }
}

/** The malformed ones among these, each once, as a list reports them (spec rule 16). */
export function malformedAmong(results: readonly LoadResult<unknown>[]): readonly Malformed[] {
  const malformed = new Map<string, Unusable>()
  for (const each of results) if (each.state === 'malformed') malformed.set(keyText(each.key), each)
  // One that a range listed is read again when it is confirmed.
  return [...malformed.values()].map(({ key, message }) => ({ key, reason: message }))
}
