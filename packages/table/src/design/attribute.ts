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

/** What an attribute is where an item has none: at its creation, and at each read of an item that was written without it. */
export type Fill<V> = { readonly value: V } | { readonly by: (item: Readonly<Record<string, unknown>>) => V | undefined }

/** @param item the other attributes of the item */
export function filledValue<V>(fill: Fill<V>, item: Readonly<Record<string, unknown>>): V | undefined {
  return 'by' in fill ? fill.by(item) : ownCopy(fill.value)
}

/** Whoever reads an item may change it, and not the design. */
function ownCopy<V>(value: V): V {
  return typeof value === 'object' ? structuredClone(value) : value
}

/** One attribute of an entity: immutable; each method gives another attribute. */
export interface Attribute<V = unknown, P extends Presence = Presence, T extends Takes = Takes> {
  readonly kind: Kind<V>
  /** Normalises, then validates one value. */
  readonly schema: z.ZodType<V>
  readonly presence: P
  readonly takes: T
  /** Makes the default, if the caller gives no value. */
  readonly make?: ((making: Making) => V) | undefined
  readonly fill?: Fill<V> | undefined
  /** The names that it had in former versions of the design, the latest first. */
  readonly formerNames: readonly string[]
  /** What it means that an item of another program lacks it. Such an item is not malformed. Creations by the design need it all the same. */
  readonly absent?: string | undefined
  /** Each update makes the value again: a stamp of the last write. */
  readonly madeOnWrite: boolean
  /** No update changes the value: a stamp of the creation. */
  readonly madeOnce: boolean
  readonly source?: Source | undefined
  /** Only a read that names it returns it, and no log shows it (spec rule 17). */
  readonly isSecret: boolean
  /** Why the entity has this attribute although the source document does not. */
  readonly why?: string | undefined
  /** What it is, in a sentence: for the document of the API. */
  readonly description?: string | undefined
  /** The form that pages and documents tell, of an attribute that takes others, too. */
  readonly told?: Attribute | undefined
  /** It may be absent. An attribute that had a default or a source has none any more, so that an input can take one that an entity makes. */
  optional(): Attribute<V, 'optional', T>
  /**
   * Made at the creation unless the caller gives a value: an id or a stamp by the kind's own default, or the result of `by`. A read never makes it. A
   * value instead of a function is the same as `default`.
   */
  made(by?: V | ((making: Making) => V)): Attribute<V, 'made', T>
  /**
   * What it is where an item has none: at a creation that gives none, and at each read. A function makes it of the item's other attributes, and must
   * give the same for the same item. If it gives none, the attribute `mayBeAbsent`, too.
   */
  default(by: V | ((item: Readonly<Record<string, unknown>>) => V | undefined)): Attribute<V, 'made', T>
  /**
   * A name that it had in a former version of the design. While an item has the former name, that one counts, since only a program of that version
   * changes it alone. Each write gives both names the same value, so that the two versions can run side by side.
   */
  was(name: string): this
  secret(): this
  /** Says in a sentence what it is, where its name and its kind do not. */
  describe(description: string): this
  /**
   * Copied from the item that the attribute `through` refers to, and follows its changes. `attribute` names the source attribute, for all
   * entities or by the entity's name; by default it has the same name.
   */
  from<const Through extends string, const Named extends string | Readonly<Record<string, string>> | undefined = undefined>(
    through: Through,
    attribute?: Named,
  ): Attribute<V, 'copied', T> & { readonly source: { readonly through: Through; readonly attribute: Named } }
  /** Another program may leave it out: says what that means. Creations by the design need it all the same. */
  mayBeAbsent(meaning: string): this & { readonly absent: string }
  /**
   * Marks an attribute that the source document does not have, and says why it is here. `absent` says what it means that an item of another program
   * lacks it, unless the attribute has a default or stands in a key.
   */
  addition(why: string): this
  addition(why: string, absent: string): this & { readonly absent: string }
}

export type Attributes = Readonly<Record<string, Attribute>>
export type Value<A> = A extends Attribute<infer V, Presence> ? V : never

interface Parts<V, P extends Presence> {
  readonly kind: Kind<V>
  readonly presence: P
  readonly make?: ((making: Making) => V) | undefined
  readonly fill?: Fill<V> | undefined
  readonly formerNames?: readonly string[] | undefined
  readonly absent?: string | undefined
  readonly madeOnWrite?: boolean
  readonly madeOnce?: boolean
  readonly isSecret?: boolean
  readonly source?: Attribute['source']
  readonly why?: string | undefined
  readonly description?: string | undefined
}

function isMaker<V, R, G>(by: V | ((given: G) => R) | undefined): by is (given: G) => R {
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

const none: readonly string[] = Object.freeze([])

/** Builds an attribute of a kind. `made()` without an argument uses `ownMaker`. */
export function attribute<V, P extends Presence, T extends Takes = 'values'>(
  parts: Parts<V, P>,
  ownMaker?: (making: Making) => V,
): Attribute<V, P, T> {
  const {
    kind,
    presence,
    make,
    fill,
    formerNames = none,
    absent,
    madeOnWrite = false,
    madeOnce = false,
    isSecret = false,
    source,
    why,
    description,
  } = parts
  const changed = <Q extends Presence>(change: Partial<Omit<Parts<V, Q>, 'presence'>> & { readonly presence: Q }) =>
    attribute<V, Q, T>({ ...parts, ...change }, ownMaker)
  // With a meaning of its absence, that is there. Without one, no type tells it.
  const marked = (by: Pick<Parts<V, P>, 'why' | 'absent'>) =>
    attribute<V, P, T>({ ...parts, ...by }, ownMaker) as Attribute<V, P, T> & { readonly absent: string }
  const filled = (by: Fill<V>) => changed({ presence: 'made', make: 'value' in by ? () => ownCopy(by.value) : undefined, fill: frozen(by) })
  return Object.freeze({
    kind: Object.freeze(kind),
    schema: (presence === 'optional' ? kind.schemaIfOptional?.() : undefined) ?? kind.schema,
    presence,
    // The caller names T by the kind of the attribute.
    takes: takesOf(kind) as T,
    make,
    fill,
    formerNames,
    absent,
    madeOnWrite,
    madeOnce,
    isSecret,
    source,
    why,
    description,
    optional: () => attribute<V, 'optional', T>({ kind, isSecret, why, description, formerNames, presence: 'optional' }, ownMaker),
    made: (by?: V | ((making: Making) => V)) => {
      checkOnce(parts, 'made')
      if (by !== undefined && !isMaker(by)) return filled({ value: by })
      const maker = isMaker(by) ? by : ownMaker
      if (maker === undefined)
        throw new FreeholdError(
          'InvalidDesign',
          `The kind ${kind.name} has no default of its own: give made() a value, or a function that makes one.`,
        )
      return changed({ presence: 'made', make: maker, fill: undefined })
    },
    default: (by: V | ((item: Readonly<Record<string, unknown>>) => V | undefined)) => {
      checkOnce(parts, 'made')
      return filled(isMaker(by) ? { by } : { value: by })
    },
    was: (name: string) => attribute<V, P, T>({ ...parts, formerNames: frozen([...formerNames, name]) }, ownMaker),
    secret: () => attribute<V, P, T>({ ...parts, isSecret: true }, ownMaker),
    describe: (words: string) => attribute<V, P, T>({ ...parts, description: words }, ownMaker),
    from: <Through extends string, Named extends string | Readonly<Record<string, string>> | undefined>(
      through: Through,
      named?: Named,
    ) => {
      checkOnce(parts, 'copied')
      const from = frozen({ through, attribute: named })
      const copied = changed({ presence: 'copied', source: from })
      // It was built with this source.
      return copied as typeof copied & { readonly source: { readonly through: Through; readonly attribute: Named } }
    },
    mayBeAbsent: (meaning: string) => marked({ absent: meaning }),
    addition: (reason: string, lacking?: string) => marked({ why: reason, absent: lacking ?? absent }),
  })
}
