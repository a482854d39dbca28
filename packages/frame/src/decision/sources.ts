import type { Entity, Runtime } from '@freehold/table'
import { formatKey, type ItemReader, type KeyRange, literalPrefix, prefixRange, tableKey } from '@freehold/table/runtime'
import type { Definitions } from './definitions.ts'
import { type RecentlyUsed, recentlyUsed } from './recently-used.ts'

/**
 * Remembers which id a name stood for the last time, so that a question reads the items of that id side by side with the name itself. It is a guess,
 * which the read of the name confirms or refutes: nothing is decided by it.
 */
export type NameMemory = Pick<RecentlyUsed<string>, 'get' | 'set'>

/** Forgets names that were not used for long. */
export const nameMemory = (): NameMemory => recentlyUsed(10_000)

/** A question reads from these. */
export interface Sources {
  readonly runtime: Runtime
  /** Reads items consistently, whatever their tenant. Those that a question wants at its beginning are read by one request. */
  readonly readItems: ItemReader
  readonly definitions: Definitions
  readonly names: NameMemory
}

/** A range of one partition. */
export interface Place {
  readonly partition: string
  readonly range: KeyRange
}

const ranges = new WeakMap<Entity, KeyRange>()

function rangeOf(entity: Entity): KeyRange {
  const known = ranges.get(entity)
  if (known !== undefined) return known
  const [alternative] = entity.form.key.sort.alternatives
  const range = prefixRange(alternative === undefined ? '' : literalPrefix(alternative))
  ranges.set(entity, range)
  return range
}

/** The range of all items of an entity with this partition key. */
export function placeOf(entity: Entity, values: Readonly<Record<string, string>> = {}): Place {
  // Questions are normalised and stored ids are checked, so there is a value for each placeholder.
  return { partition: formatKey(entity.form.key.partition, values, entity.name) ?? '', range: rangeOf(entity) }
}

/** The range of all items of an entity whose keys differ in their last placeholder only. */
export function placeBefore(entity: Entity, values: Readonly<Record<string, string | undefined>>, last: string): Place {
  const all: Record<string, string | undefined> = {}
  for (const name in values) all[name] = values[name]
  all[last] = '-'
  const { PK, SK } = tableKey(entity, all)
  return { partition: PK, range: prefixRange(SK.slice(0, -1)) }
}
