import type { z } from 'zod'
import { FreeholdError } from '../errors.ts'
import type { Kind } from '../kind/kind.ts'
import { frozen } from './frozen.ts'

/** given: by the caller; optional: may be absent (sparse); made: stamp, id or default unless given; copied: follows its source, never given */
export type Presence = 'given' | 'optional' | 'made' | 'copied'

/** What a made value may be made of: injected, so that tests decide it. */
export interface Making {
  readonly now: Date
  ulid(): string
  uuid(): string
}

/** Where a copied value comes from: the reference of the same entity it goes through, and the attribute there, perhaps by the entity there. */
export interface Source {
  readonly through: string
  readonly attribute?: string | Readonly<Record<string, string>> | undefined
}

/** The attribute of the entity named `of` that `attribute` is copied from: of its own name unless the source says otherwise. */
export function sourceName({ attribute: named }: Source, attribute: string, of: string): string {
  return (typeof named === 'string' ? named : named?.[of]) ?? attribute
}

/** One attribute of an entity: immutable; each method gives another attribute. */
export interface Attribute<V = unknown, P extends Presence = Presence> {
  readonly kind: Kind<V>
  /** Normalises, then validates one value. */
  readonly schema: z.ZodType<V>
  readonly presence: P
  /** Makes the value where the caller gives none. */
  readonly make?: ((making: Making) => V) | undefined
  /** A stamp of every write is made again by each update. */
  readonly madeOnWrite: boolean
  /** A stamp of the creation never changes. */
  readonly madeOnce: boolean
  readonly source?: Source | undefined
  /** Never returned by a read that does not ask for it by name, never logged (spec rule 17). */
  readonly isSecret: boolean
  /** Why the entity has it although the source document does not name it. */
  readonly why?: string | undefined
  optional(): Attribute<V, 'optional'>
  /** Made by the kind's own maker, a fixed value or a function, unless the caller gives a value. */
  made(by?: V | ((making: Making) => V)): Attribute<V, 'made'>
  secret(): Attribute<V, P>
  /**
   * Copied from what the attribute `through` refers to, from the attribute of the same name unless another is named, for all entities
   * there or by their names; it follows changes.
   */
  from(through: string, attribute?: string | Readonly<Record<string, string>>): Attribute<V, 'copied'>
  /** Marks an attribute that the source document does not have. */
  addition(why: string): Attribute<V, P>
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

/** Builds an attribute of a kind; `ownMaker` is what `made()` uses without an argument. */
export function attribute<V, P extends Presence>(parts: Parts<V, P>, ownMaker?: (making: Making) => V): Attribute<V, P> {
  const { kind, presence, make, madeOnWrite = false, madeOnce = false, isSecret = false, source, why } = parts
  return Object.freeze({
    kind,
    schema: kind.schema,
    presence,
    make,
    madeOnWrite,
    madeOnce,
    isSecret,
    source,
    why,
    optional: () => attribute({ ...parts, presence: 'optional', make: undefined }, ownMaker),
    made: (by?: V | ((making: Making) => V)) => {
      const maker = by === undefined ? ownMaker : isMaker(by) ? by : () => by
      if (maker === undefined)
        throw new FreeholdError(
          'InvalidDesign',
          `A ${kind.name} makes no values of its own: made() needs a value, or a function that makes one.`,
        )
      return attribute({ ...parts, presence: 'made', make: maker }, ownMaker)
    },
    secret: () => attribute({ ...parts, isSecret: true }, ownMaker),
    from: (through: string, name?: string | Readonly<Record<string, string>>) =>
      attribute({ ...parts, presence: 'copied', make: undefined, source: frozen({ through, attribute: name }) }, ownMaker),
    addition: (reason: string) => attribute({ ...parts, why: reason }, ownMaker),
  })
}
