import type { z } from 'zod'
import type { Template } from '../key/template.ts'
import type { Attributes, Key, Keys, Maybe, Show, Values } from './types.ts'

export interface KeyTemplates {
  readonly partition: Template
  readonly sort: Template
}

/** A guard refuses a second owner, a mirror leads back to it; an edge is one relationship in two items. */
export type Part =
  | { readonly kind: 'entity' }
  | { readonly kind: 'guard' | 'mirror'; readonly owner: Entity }
  | { readonly kind: 'edge'; readonly edge: Edge }

/** What the runtime and the proofs read of an entity: compiled, without its literal types. */
export interface Form {
  readonly part: Part
  readonly key: KeyTemplates
  readonly indexes: Readonly<Record<string, KeyTemplates>>
  readonly references: readonly Reference[]
  /** Attributes that no update may change. */
  readonly fixed: readonly string[]
  readonly appendOnly: boolean
  /** The attribute whose instant ends the item's life; `ttl` is written beside it (spec rule 15). */
  readonly expires?: string | undefined
  /** Why the item exists although the source document does not name it. */
  readonly addition?: string | undefined
}

/** One kind of item: its name is the item's `Type`. */
export interface Entity<N extends string = string, A = Attributes, K extends Key = Key, X = Keys> {
  readonly name: N
  readonly attributes: A
  readonly key: K
  readonly indexes: X
  readonly form: Form
  /** Validates and normalises the attributes of a new item; unknown ones are refused. Copied attributes are not among them. */
  readonly schema: z.ZodType<Created<A>>
}

export type Created<A> = Show<Values<A, 'given'> & Maybe<Values<A, 'optional' | 'made'>>>

/** What happens to an item when what it refers to is removed. */
export type OnRemove = 'cascade' | 'refuse' | 'keep'

/** A resolved reference: which of our attributes fills which placeholder of the target's key. */
export interface Reference {
  readonly attribute: string
  readonly to: Entity
  readonly by: Readonly<Record<string, string>>
  /** By attribute of ours: the value that stands for an absent placeholder. */
  readonly absent: Readonly<Record<string, string>>
  /** By attribute of ours: the value that it has where this reference is meant. */
  readonly when: Readonly<Record<string, string>>
  readonly onRemove: OnRemove
}

/** Where a copied attribute of one side comes from: the end it goes through, and the attribute there. */
export interface Copy {
  readonly attribute: string
  readonly through: string
  readonly from: string
  /** By the name of the entity it is copied from, where the attribute there has another name. */
  readonly fromOf?: Readonly<Record<string, string>> | undefined
}

/** One relationship, as the runtime and the proofs read it. Filled in while its sides are built, then frozen. */
export interface Edge {
  readonly ends: readonly Reference[]
  /** The entities of its items, in the order they are written. */
  readonly sides: readonly Entity[]
  /** By side name. */
  readonly copies: Readonly<Record<string, readonly Copy[]>>
  /** Another edge without which this one cannot be; it goes when that goes. */
  readonly within?: Entity | undefined
}
