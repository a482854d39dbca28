import type { Attribute, Attributes, Change, count, Entity, FreeholdError, Id, Item, New, Value } from '@freehold/table'
import type { Alongside } from './change-item.ts'
import type { FlowDeclaration } from './flow.ts'
import type { FlowError } from './flow-errors.ts'
import type { FlowContext } from './flow-host.ts'
import type { Changing, Given, NameIn, Naming } from './input-attributes.ts'
import type { InputOf } from './read-input.ts'

export type Awaitable<T> = T | Promise<T>
type Version = { readonly version: ReturnType<ReturnType<typeof count>['optional']> }

/** The attributes of the table key. */
export type KeyAttribute<E> = keyof Id<E> & string

export interface ItemOptions<C extends FlowContext, E extends Entity, K extends KeyAttribute<E>, W> {
  /** The attributes of the key by which the input names an item; all unless given. The others are the scope's. */
  readonly named?: readonly K[]
  /** The scope at which a caller must be permitted to change or remove an item. Throws `NotFound`. */
  scope(context: C, id: Pick<Id<E>, NoInfer<K>>): Promise<W & Omit<Id<E>, NoInfer<K>>>
}

/** One call of a flow, as its hooks see it. */
export interface ItemCall<C, I extends Attributes, W> {
  readonly context: C
  readonly input: InputOf<I>
  readonly scope: W
}

/** The parts that are particular to one flow. `Checked` and `Seen`: the item as it was read, and as it will be. */
interface Particular<F, X, Call, Checked extends unknown[], Seen extends unknown[]> extends Pick<FlowDeclaration, 'summary' | 'needs'> {
  readonly name: F
  /** Input besides the attributes of the item. */
  readonly input?: X
  /** Codes of errors besides those that follow from the design. */
  readonly errors?: readonly FlowError[]
  /** Throws if the item may not be written so. */
  check?(call: Call, ...seen: Checked): Awaitable<void>
  /** Steps that are written with the item, and more for its record. If a check among them fails, another writer was faster: all is tried again. */
  alongside?(call: Call, ...seen: Seen): Awaitable<Alongside>
  /** The error to throw instead of one that says too little. */
  refusal?(error: FreeholdError, call: Call): Awaitable<FreeholdError>
}

/** Values that a new item must have and that are not in the input. */
type Missing<E, G> =
  E extends Entity<string, infer A>
    ? { readonly [N in Exclude<keyof A, G> as A[N] extends Attribute<unknown, 'given'> ? N : never]: Value<A[N]> }
    : never

export type CreateInput<E, G, X> = X & Given<E, G>
type CreateCall<C, E, G, V, X> = ItemCall<C, CreateInput<E, G, X>, V>

export interface CreateFlow<C, E extends Entity, F, G extends NameIn<E>, V, X> extends Particular<F, X, CreateCall<C, E, G, V, X>, [], []> {
  /** Attributes in the input. */
  readonly given: readonly G[]
  /** The scope at which a caller must be permitted. It has the values that a new item must have and that are not in the input. */
  scope(context: C, input: InputOf<CreateInput<E, G, X>>): Promise<V & Missing<E, G>>
  /** More values of the new item. */
  values?(call: CreateCall<C, E, G, V, X>): Partial<New<E>>
}

export type UpdateInput<E, K, M, X> = Naming<E, K> & Version & Changing<E, M> & X
type UpdateCall<C, E, K, M, W, X> = ItemCall<C, UpdateInput<E, K, M, X>, W>

export interface UpdateFlow<C, E extends Entity, F, K, M extends NameIn<E>, W, X>
  extends Particular<F, X, UpdateCall<C, E, K, M, W, X>, [before: Item<E>], [before: Item<E>, after: Item<E>]> {
  /** Attributes in the input, each of which may be left out. */
  readonly may?: readonly M[]
  /** More that changes. */
  change?(call: UpdateCall<C, E, K, M, W, X>, before: Item<E>): Awaitable<Change<E>>
}

export type RemoveInput<E, K, X> = Naming<E, K> & Version & X
type RemoveCall<C, E, K, W, X> = ItemCall<C, RemoveInput<E, K, X>, W>

export interface RemoveFlow<C, E extends Entity, F, K, W, X>
  extends Particular<F, X, RemoveCall<C, E, K, W, X>, [before: Item<E>], [before: Item<E>]> {
  /** True: items that refer to it go along, also those that keep it otherwise. */
  cascades?(call: RemoveCall<C, E, K, W, X>): boolean
}
