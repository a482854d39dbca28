import type { AttributeNamed, Comparison, Operated } from './comparison.ts'
import type { Entity } from './form.ts'
import type { Attribute, Key, Placeholder, Presence, Value, Values } from './types.ts'

/** A list that is given may be one that cannot be changed. */
type Given<V> = V extends readonly (infer M)[] ? readonly M[] : V
type Member<V> = V extends readonly (infer M)[] ? M : never
type Widened<V> = [V] extends [string] ? string : [V] extends [number] ? number : never
/** The attributes whose values compare with those of type V. */
type Alike<A, V> = { [K in keyof A]: [Value<A[K]>] extends [Widened<V>] ? K : never }[keyof A] & string

type OrderedTest<V, R> = [V] extends [string | number] ? Comparison<V | R, '<' | '<=' | '>' | '>=' | 'between'> : never
type TextTest<V> = [V] extends [string] ? Comparison<string, 'begins_with' | 'contains'> : never
type MemberTest<V> = [V] extends [readonly unknown[]] ? Comparison<Member<V>, 'contains'> : never
type EntryTest<T> = T extends 'entries' ? Comparison<Test<unknown, never, 'values'> | OrderedTest<number | string, never>, 'entry'> : never

/** What is asked of one attribute: a value that it has, null if it is absent, or a comparison. */
export type Test<V, R, T> =
  | Given<V>
  | null
  | Comparison<Given<V> | R, '='>
  | Comparison<Given<V>, 'in'>
  | Comparison<never, 'exists'>
  | OrderedTest<V, R>
  | TextTest<V>
  | MemberTest<V>
  | EntryTest<T>
  | Comparison<Test<V, R, T>, 'not' | 'and' | 'or'>

type TakenBy<A> = A extends Attribute<unknown, Presence, infer T> ? T : never
type TestsOf<A> = {
  readonly [K in keyof A]?: Test<Value<A[K]>, AttributeNamed<Alike<A, Value<A[K]>>>, TakenBy<A[K]>> | undefined
}
export type WhereOf<A> = TestsOf<A> | Comparison<WhereOf<A>, 'not' | 'and' | 'or'>
/** The condition of a write, or the filter of a list: tests by attribute, which must all hold, or these joined by `and`, `or` and `not`. */
export type Where<E> = E extends Entity<string, infer A> ? WhereOf<A> : never

type KeysOf<R> = R extends unknown ? keyof R : never
type ValueIn<R, K> = R extends unknown ? (K extends keyof R ? NonNullable<R[K]> : never) : never
type EntriesIn<V> = [V] extends [readonly unknown[] | string | number | boolean] ? 'values' : 'entries'
type FilterTests<R> = {
  readonly [K in Exclude<KeysOf<R>, 'Type' | 'version' | 'deleting'>]?:
    | Test<ValueIn<R, K>, AttributeNamed, EntriesIn<ValueIn<R, K>>>
    | undefined
}
/** The filter of a list of the items R. */
export type Filter<R> = FilterTests<R> | Comparison<Filter<R>, 'not' | 'and' | 'or'>

/** Why an attribute cannot be part of an atomic change. No value is of this type: the compiler shows its sentence. */
export interface Refused<Why extends string> {
  readonly refused: Why
}

type Operations<V, K, T> = T extends 'amounts'
  ? Operated<number, 'add' | 'subtract'>
  : T extends 'members'
    ? Operated<readonly Member<V>[], 'addTo' | 'removeFrom'>
    : T extends 'elements'
      ? Operated<readonly Member<V>[], 'append'>
      : T extends 'entries'
        ? Operated<Operated<number, 'add' | 'subtract'>, 'entry'>
        : V extends number
          ? Refused<`'${K & string}' may have fractions, whose sums are not exact: declare it by count() or number({ integer: true })`>
          : Refused<`the kind of '${K & string}' takes no add, subtract, addTo, removeFrom or append: give a value, or ifAbsent`>

type Changeable<A> = Values<A, 'given' | 'made' | 'optional'>
type OrAbsent<A, K> = K extends keyof Values<A, 'optional'> ? null : never

type Changed<A, K> = K extends keyof A
  ? Given<Value<A[K]>> | OrAbsent<A, K> | Operated<Given<Value<A[K]>>, 'ifAbsent'> | Operations<Value<A[K]>, K, TakenBy<A[K]>>
  : never

type AtomicOf<A, Held> = {
  readonly [K in keyof Changeable<A>]?:
    | (K extends Held
        ? Changed<A, K> &
            Refused<`a key, guard, lookup item, copy, reference or ttl needs '${K & string}': change it by values alone, in an update of its own`>
        : Changed<A, K>)
    | undefined
}

/** The attributes that the keys of an entity are made of. */
type InKeys<K, X> =
  | (K extends Key ? Placeholder<K[number]> : never)
  | { [G in keyof X]: X[G] extends Key ? Placeholder<X[G][number]> : never }[keyof X]

/** The attributes of its own that an entity needs: references, and when it expires. */
type Own<N extends string, H> = H extends { readonly [O in N]: infer Names } ? Names : never

/** An atomic change: some values are told by those that are stored. */
export type Atomic<E> = E extends Entity<infer N, infer A, infer K, infer X, infer H> ? AtomicOf<A, InKeys<K, X> | Own<N, H>> : never

/** Refuses attributes of the entity N that items of the other entities of a design have, too. */
export type Refusing<Entities, N extends PropertyKey> = {
  readonly [K in HeldBy<
    Entities,
    N
  >]?: Refused<`a key, guard, lookup item, copy, reference or ttl needs '${K & string}': change it by values alone, in an update of its own`>
}

/** The attributes of the entity N that items of others have, too: guards, lookup items, and copies. */
type HeldBy<E, N extends PropertyKey> = {
  [K in keyof E]: E[K] extends { readonly has?: { readonly [O in N]: infer H extends string } } ? H : never
}[keyof E]
