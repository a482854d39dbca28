import type { Lock, LockedEntity } from './lock.ts'

/**
 * What a difference between two versions of a design means for a table that has items of the first, and for programs of both that run side by side.
 * `compatible`: nothing is to be done. `backfill`: items are written by `migrate`. `breaking`: an item, or a call, of one version fails in the other.
 */
export type Effect = 'compatible' | 'backfill' | 'breaking'

/** Every kind of change that is told, with what it means. */
export const differenceCodes = {
  OtherTags: 'compatible',
  OtherIndexPromise: 'compatible',
  NewPattern: 'compatible',
  OtherRequest: 'compatible',
  NewFeature: 'compatible',
  OtherFeature: 'compatible',
  NewDropped: 'compatible',
  OtherSharing: 'compatible',
  CountedVersion: 'compatible',
  NewEntity: 'compatible',
  GoneReference: 'compatible',
  OtherRemoval: 'compatible',
  OtherEndRemoval: 'compatible',
  OtherSides: 'compatible',
  GoneWithin: 'compatible',
  OtherFixed: 'compatible',
  OtherAppendOnly: 'compatible',
  OtherSequence: 'compatible',
  NewAttribute: 'compatible',
  GoneAttribute: 'compatible',
  OtherFilling: 'compatible',
  WiderKind: 'compatible',
  OtherSecrecy: 'compatible',
  OtherStamp: 'compatible',
  OtherMaking: 'compatible',
  NewCarriedAttribute: 'compatible',
  GoneCarried: 'compatible',
  GoneDropped: 'backfill',
  NewDerivedItem: 'backfill',
  NewSide: 'backfill',
  DroppedEntity: 'backfill',
  NewIndex: 'backfill',
  GoneIndex: 'backfill',
  NewReference: 'backfill',
  OtherReference: 'backfill',
  NewWithin: 'backfill',
  OtherExpiry: 'backfill',
  NewSchema: 'backfill',
  NewCopy: 'backfill',
  UpcastAttribute: 'backfill',
  CopiedNow: 'backfill',
  OtherSource: 'backfill',
  OtherDefault: 'backfill',
  NarrowerKind: 'backfill',
  RenamedAttribute: 'backfill',
  NewCarried: 'backfill',
  NewTenants: 'breaking',
  GoneTenants: 'breaking',
  OtherTenant: 'breaking',
  GonePattern: 'breaking',
  OtherPattern: 'breaking',
  GoneFeature: 'breaking',
  JoinedFeature: 'breaking',
  OtherDesignName: 'breaking',
  OtherTableName: 'breaking',
  OtherStoredName: 'breaking',
  OtherKeyName: 'breaking',
  OtherIndexName: 'breaking',
  UncountedVersion: 'breaking',
  GoneEntity: 'breaking',
  OtherPart: 'breaking',
  OtherKey: 'breaking',
  OtherIndexKey: 'breaking',
  OtherEnds: 'breaking',
  LowerSchema: 'breaking',
  NewRequiredAttribute: 'breaking',
  RequiredNow: 'breaking',
  UntoldRename: 'breaking',
  GoneRequiredAttribute: 'breaking',
  OtherKind: 'breaking',
  OtherKindInKey: 'breaking',
  GoneFormerName: 'breaking',
  NewFormerName: 'breaking',
} as const satisfies Readonly<Record<string, Effect>>

export type DifferenceCode = keyof typeof differenceCodes
export type CodeOf<E extends Effect> = { [C in DifferenceCode]: (typeof differenceCodes)[C] extends E ? C : never }[DifferenceCode]

/** Which items, and how they are found. */
export interface Affected {
  readonly entity: string
  readonly key: readonly [partition: string, sort: string]
  /** What they have or lack. All items of the entity unless given. */
  readonly where?: string
  readonly query: string
}

export interface Difference {
  /** The kind of change. */
  readonly code: DifferenceCode
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

export const compatible = (code: CodeOf<'compatible'>, at: string, message: string): Difference => ({
  code,
  effect: 'compatible',
  at,
  message,
})
export const breaking = (code: CodeOf<'breaking'>, at: string, message: string, first: string, second: string): Difference => ({
  code,
  effect: 'breaking',
  at,
  message,
  deployments: [first, second],
})
export const backfill = (code: CodeOf<'backfill'>, at: string, message: string, items: Affected): Difference => ({
  code,
  effect: 'backfill',
  at,
  message,
  items,
})

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
