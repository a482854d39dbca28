import type { Lock, LockedEntity } from './lock.ts'

/**
 * What a difference between two versions of a design means for a table that has items of the first, and for programs of both that run side by side.
 * `compatible`: nothing is to be done. `backfill`: items are written by `migrate`. `breaking`: an item, or a call, of one version fails in the other.
 */
export type Effect = 'compatible' | 'backfill' | 'breaking'

/** Which items, and how they are found. */
export interface Affected {
  readonly entity: string
  readonly key: readonly [partition: string, sort: string]
  /** What they have or lack. All items of the entity unless given. */
  readonly where?: string
  readonly query: string
}

export interface Difference {
  readonly effect: Effect
  /** The part of the design: `entities.User.attributes.name`. */
  readonly at: string
  /** What has changed, and what follows, in sentences. */
  readonly message: string
  /** The items that a backfill writes. */
  readonly items?: Affected
  /** The two deployments by which the change breaks nothing. */
  readonly deployments?: readonly [first: string, second: string]
}

/** Two versions of a design. The names of the first are those of the second, where an attribute was renamed. */
export interface Versions {
  readonly before: Lock
  readonly after: Lock
}

export const compatible = (at: string, message: string): Difference => ({ effect: 'compatible', at, message })

export const breaking = (at: string, message: string, first: string, second: string): Difference => ({
  effect: 'breaking',
  at,
  message,
  deployments: [first, second],
})

export const backfill = (at: string, message: string, items: Affected): Difference => ({ effect: 'backfill', at, message, items })

/** The items of an entity, found by an access pattern that needs no parameter, else by a Scan. */
export function itemsOf({ patterns }: Lock, name: string, { key }: Pick<LockedEntity, 'key'>, where?: string): Affected {
  const listing = Object.entries(patterns).find(
    ([, { operation, parameters, returns }]) => operation === 'query' && parameters === undefined && returns.includes(name),
  )
  const [partition, sort] = key
  const query = listing === undefined ? `Scan: PK = ${partition}, SK = ${sort}` : `Query: the access pattern ${listing[0]}`
  return { entity: name, key: [partition, sort], ...(where === undefined ? {} : { where }), query }
}

/** True if the two forms say the same. */
export const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(canonical(one)) === JSON.stringify(canonical(other))

/** The same value with the names of objects in order: a lock that a person has edited may have another. */
function canonical(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(canonical)
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)).map(([name, part]) => [name, canonical(part)]))
}

/** The names of both records, with their values. */
export function pairs<V>(
  before: Readonly<Record<string, V>> = {},
  after: Readonly<Record<string, V>> = {},
): readonly (readonly [name: string, before: V | undefined, after: V | undefined])[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort().map((name) => [name, before[name], after[name]])
}
