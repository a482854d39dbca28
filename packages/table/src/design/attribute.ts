import type { z } from 'zod'
import { FreeholdError } from '../errors.ts'
import type { Kind } from '../kind/kind.ts'
import { frozen } from './frozen.ts'

/**
 * `given`: the caller must give it. `optional`: it may be absent. `made`: it has a default (an id, a stamp or a value) unless the caller
 * gives one. `copied`: it follows its source, and no caller gives it.
 */
export type Presence = 'given' | 'optional' | 'made' | 'copied'

/** The clock and the ids that defaults are made from. Injected, so that a test can set them. */
export interface Making {
  readonly now: Date
  ulid(): string
  uuid(): string
}

/** The source of a copied attribute: a reference of the same entity, and an attribute of the entity that it leads to. */
export interface Source {
  readonly through: string
  readonly attribute?: string | Readonly<Record<string, string>> | undefined
}

/** The attribute of the entity `of` from which `attribute` is copied. It has the same name unless the source gives another. */
export function sourceName({ attribute: named }: Source, attribute: string, of: string): string {
  return (typeof named === 'string' ? named : named?.[of]) ?? attribute
}

/**
 * What an atomic change can do to an attribute of the kind, besides a value: `amounts` add and subtract, `members` join and leave a set,
 * `elements` are appended to a list, numbers in `entries` of a map are changed. `values` take none of these.
 */
export type Takes = 'amounts' | 'members' | 'elements' | 'entries' | 'values'

/** One attribute of an entity: immutable; each method gives another attribute. */
export interface Attribute<V = unknown, P extends Presence = Presence, T extends Takes = Takes> {
  readonly kind: Kind<V>
  /** Normalises, then validates one value. */
  readonly schema: z.ZodType<V>
  readonly presence: P
  readonly takes: T
  /** Makes the default, if the caller gives no value. */
  readonly make?: ((making: Making) => V) | undefined
  /** Each update makes the value again: a stamp of the last write. */
  readonly madeOnWrite: boolean
  /** No update changes the value: a stamp of the creation. */
  readonly madeOnce: boolean
  readonly source?: Source | undefined
  /** Only a read that names it returns it, and no log shows it (spec rule 17). */
  readonly isSecret: boolean
  /** Why the entity has this attribute although the source document does not. */
  readonly why?: string | undefined
  /** It may be absent. An attribute that had a default or a source has none any more, so that an input can take one that an entity makes. */
  optional(): Attribute<V, 'optional', T>
  /** Has a default unless the caller gives a value: `by` or its result, else the kind's own default. */
  made(by?: V | ((making: Making) => V)): Attribute<V, 'made', T>
  secret(): this
  /**
   * Copied from the item that the attribute `through` refers to, and follows its changes. `attribute` names the source attribute, for all
   * entities or by the entity's name; by default it has the same name.
   */
  from<const Through extends string, const Named extends string | Readonly<Record<string, string>> | undefined = undefined>(
    through: Through,
    attribute?: Named,
  ): Attribute<V, 'copied', T> & { readonly source: { readonly through: Through; readonly attribute: Named } }
  /** Marks an attribute that the source document does not have, and says why it is here. */
  addition(why: string): this
}

export type Attributes = Readonly<Record<string, Attribute>>
export type Value<A> = A extends Attribute<infer V, Presence> ? V : never

interface Parts<V, P extends Presence> {
  readonly kind: Kind<V>
  readonly presence: P
  readonly make?: ((making: Making) => V) | undefined
  readonly madeOnWrite?: boolean
  readonly madeOnce?: boolean
  readonly isSecret?: boolean
  readonly source?: Attribute['source']
  readonly why?: string | undefined
}

function isMaker<V>(by: V | ((making: Making) => V)): by is (making: Making) => V {
  return typeof by === 'function'
}

function takesOf({ stored, isWhole, isOpen }: Kind): Takes {
  if (stored === 'number' && isWhole === true) return 'amounts'
  if (stored === 'map' && isOpen === true) return 'entries'
  return stored === 'set' ? 'members' : stored === 'list' ? 'elements' : 'values'
}

/** A second presence would take the first away without a word. */
function checkOnce({ kind, presence, madeOnce, madeOnWrite }: Parts<unknown, Presence>, now: string): void {
  const before = madeOnce === true || madeOnWrite === true ? 'a stamp' : presence === 'given' ? undefined : `${presence} already`
  if (before !== undefined)
    throw new FreeholdError('InvalidDesign', `An attribute of the kind ${kind.name} is ${before}, so it cannot be ${now} too.`)
}

/** Builds an attribute of a kind. `made()` without an argument uses `ownMaker`. */
export function attribute<V, P extends Presence, T extends Takes = 'values'>(
  parts: Parts<V, P>,
  ownMaker?: (making: Making) => V,
): Attribute<V, P, T> {
  const { kind, presence, make, madeOnWrite = false, madeOnce = false, isSecret = false, source, why } = parts
  return Object.freeze({
    kind: Object.freeze(kind),
    schema: (presence === 'optional' ? kind.schemaIfOptional?.() : undefined) ?? kind.schema,
    presence,
    // The caller names T by the kind of the attribute.
    takes: takesOf(kind) as T,
    make,
    madeOnWrite,
    madeOnce,
    isSecret,
    source,
    why,
    optional: () => attribute<V, 'optional', T>({ kind, isSecret, why, presence: 'optional' }, ownMaker),
    made: (by?: V | ((making: Making) => V)) => {
      checkOnce(parts, 'made')
      const maker = by === undefined ? ownMaker : isMaker(by) ? by : () => by
      if (maker === undefined)
        throw new FreeholdError(
          'InvalidDesign',
          `The kind ${kind.name} has no default of its own: give made() a value, or a function that makes one.`,
        )
      return attribute<V, 'made', T>({ ...parts, presence: 'made', make: maker }, ownMaker)
    },
    secret: () => attribute<V, P, T>({ ...parts, isSecret: true }, ownMaker),
    from: <Through extends string, Named extends string | Readonly<Record<string, string>> | undefined>(
      through: Through,
      named?: Named,
    ) => {
      checkOnce(parts, 'copied')
      const from = frozen({ through, attribute: named })
      const copied = attribute<V, 'copied', T>({ ...parts, presence: 'copied', source: from }, ownMaker)
      // It was built with this source.
      return copied as typeof copied & { readonly source: { readonly through: Through; readonly attribute: Named } }
    },
    addition: (reason: string) => attribute<V, P, T>({ ...parts, why: reason }, ownMaker),
  })
}
