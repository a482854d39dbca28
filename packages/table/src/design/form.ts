import type { z } from 'zod'
import type { Template } from '../key/template.ts'
import type { Attributes, Key, Keys, Maybe, Show, Values } from './types.ts'

export interface KeyTemplates {
  readonly partition: Template
  readonly sort: Template
}

/** A guard refuses a second owner. A mirror, which is a lookup item, leads to its owner. An edge is one relationship in several items. */
export type Part =
  | { readonly kind: 'entity' }
  | { readonly kind: 'guard' | 'mirror'; readonly owner: Entity }
  | { readonly kind: 'edge'; readonly edge: Edge }

/** Makes the attributes of an item's next form. It gets plain values by name, without keys, and gives those that the item has then. */
export type Upcast = (attributes: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>

/** The compiled entity without its literal types, as the runtime and the proofs read it. */
export interface Form {
  readonly part: Part
  readonly key: KeyTemplates
  readonly indexes: Readonly<Record<string, KeyTemplates>>
  readonly references: readonly Reference[]
  /** Attributes that no update may change. */
  readonly fixed: readonly string[]
  readonly appendOnly: boolean
  /** The attribute that counts the numbers of a sequence. */
  readonly sequence?: string | undefined
  /** The attribute that holds the instant at which the item expires. `ttl` is written from it (spec rule 15). */
  readonly expires?: string | undefined
  /** The number of the form that its items have now. Absent if it was never declared: then nothing is stamped. */
  readonly schema?: number | undefined
  /** By schema number: what leads on to the next one. */
  readonly upcast?: Readonly<Record<number, Upcast>>
  /** Why the entity exists although the source document does not have it. */
  readonly addition?: string | undefined
}

/** One type of item. Its name is the item's `Type`. */
export interface Entity<N extends string = string, A = Attributes, K extends Key = Key, X = Keys, H = unknown> {
  readonly name: N
  readonly attributes: A
  readonly key: K
  readonly indexes: X
  readonly form: Form
  /** Types only, by entity: the attributes of its items that items of this one need. */
  readonly has?: H
  /** Validates and normalises the attributes of a new item, but for copied ones. Refuses unknown attributes. */
  readonly schema: z.ZodType<Created<A>>
}

export type Created<A> = Show<Values<A, 'given'> & Maybe<Values<A, 'optional' | 'made'>>>

/** What happens to an item when the target of its reference is removed. */
export type OnRemove = 'cascade' | 'refuse' | 'keep'

/** A resolved reference. `by` maps each placeholder of the target's key to an attribute of the referring entity. */
export interface Reference {
  readonly attribute: string
  readonly to: Entity
  readonly by: Readonly<Record<string, string>>
  /** By attribute of the referring entity: the value that stands for an absent placeholder. */
  readonly absent: Readonly<Record<string, string>>
  /** By attribute of the referring entity: the value that selects this reference among several. */
  readonly when: Readonly<Record<string, string>>
  readonly onRemove: OnRemove
  /** The attribute is a list, and each of its members names a target. */
  readonly isEach?: true
  /** Attributes that the target must have, with these values. */
  readonly where?: Readonly<Record<string, string>>
}

/** The source of a copied attribute of an edge item: an end, and an attribute of that end. */
export interface Copy {
  readonly attribute: string
  readonly through: string
  readonly from: string
  /** By source entity: the attribute's name there, if it has another name. */
  readonly fromOf?: Readonly<Record<string, string>> | undefined
}

/** A relationship, as the runtime and the proofs read it. It is filled in while its sides are built, then frozen. */
export interface Edge {
  readonly ends: readonly Reference[]
  /** The entities of its items, in the order of writing. */
  readonly sides: readonly Entity[]
  /** By side name. */
  readonly copies: Readonly<Record<string, readonly Copy[]>>
  /** An edge that this one needs. This one is removed with it. */
  readonly within?: Entity | undefined
}
