import { type Awaitable, parallelMap, whenThere } from '@freehold/table/runtime'
import { isUnusable, type LoadResult, type Unusable } from './record.ts'
import type { Sources } from './sources.ts'

/** A normalised name: an id, another name that is looked up, or text that nothing can be called. */
export interface Name {
  readonly by: 'id' | 'lookup' | 'nothing'
  readonly text: string
}

/** How a name becomes what it stands for: an id, or the ids of a path. */
export interface Lookup<I> {
  /** Known without a read: an id itself, or what the name stood for the last time. The latter is a guess, which `find` confirms or refutes. */
  readonly guess: I | undefined
  /** Reads what the name stands for; undefined for text that nothing can be called. */
  find(): Awaitable<I | Unusable | undefined>
  /** `===` unless given. */
  isSame?(one: I, other: I): boolean
}

/**
 * The look-up of an id by a name.
 * @param kind tells the names of one kind from those of another
 * @param load loads the record of a name that is no id
 * @param isRemembered false for an item whose name is not to be remembered; the others' are
 */
export function nameLookup<T>(
  { names }: Sources,
  kind: string,
  { by, text }: Name,
  load: (text: string) => Awaitable<LoadResult<T>>,
  idOf: (item: T) => string,
  isRemembered: (item: T) => boolean = () => true,
): Lookup<string> {
  const remembered = `${kind} ${text}`
  const guess = by === 'lookup' ? names.get(remembered) : undefined
  return {
    guess: by === 'id' ? text : guess,
    find: () => {
      if (by !== 'lookup') return by === 'id' ? text : undefined
      return whenThere(load(text), (loaded) => {
        if (loaded.state !== 'found') return loaded
        const id = idOf(loaded.item)
        if (id !== guess && isRemembered(loaded.item)) names.set(remembered, id)
        return id
      })
    },
  }
}

export type Lookups = Readonly<Record<string, Lookup<unknown>>>
export type IdsOf<L> = { readonly [N in keyof L]: L[N] extends Lookup<infer I> ? I : never }

/** The result of reading by names. */
export interface Resolved<L, T> {
  /** Without those of names that stand for nothing. */
  readonly ids: Partial<IdsOf<L>>
  /** The records of names that stand for nothing. */
  readonly unusable: readonly Unusable[]
  /** Undefined if an id is. */
  readonly read: T | undefined
  /** True if the names took a round trip of their own. */
  readonly isLate: boolean
}

/**
 * Reads by the ids of names. For a name that has to be looked up, its last id is guessed, and what hangs on that is read side by side with the
 * look-up. If the look-up finds another id, it is read again, one round trip later.
 */
export async function resolveNames<L extends Lookups, T>(lookups: L, read: (ids: IdsOf<L>) => Promise<T>): Promise<Resolved<L, T>> {
  const names: readonly (keyof L & string)[] = Object.keys(lookups)
  // Each id is of its own look-up.
  const idsOf = (idAt: (index: number) => unknown): Partial<IdsOf<L>> => {
    const ids: { [N in keyof L]?: unknown } = {}
    for (const [index, name] of names.entries()) ids[name] = idAt(index)
    return ids as Partial<IdsOf<L>>
  }
  const isWhole = (ids: Partial<IdsOf<L>>): ids is IdsOf<L> => names.every((name) => ids[name] !== undefined)
  const guesses = idsOf((index) => lookups[names[index] ?? '']?.guess)
  const readEarly = (): Awaitable<unknown> => (isWhole(guesses) ? read(guesses) : undefined)
  const [begun, ...found] = await parallelMap([undefined, ...names], (name) => (name === undefined ? readEarly() : lookups[name]?.find()))
  // The first is what `read` gives.
  const early = begun as T | undefined
  const unusable = found.filter(isUnusable)
  const ids = idsOf((index) => (isUnusable(found[index]) ? undefined : found[index]))
  if (!isWhole(ids)) return { ids, unusable, read: undefined, isLate: false }
  const isRight = early !== undefined && names.every((name) => (lookups[name]?.isSame ?? Object.is)(ids[name], guesses[name]))
  return { ids, unusable, read: isRight ? early : await read(ids), isLate: !isRight }
}
