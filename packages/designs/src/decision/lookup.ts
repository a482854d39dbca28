import { type Awaitable, parallel, parallelMap, whenThere } from '@freehold/table/runtime'
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
  return {
    guess: by === 'id' ? text : by === 'lookup' ? names.get(remembered) : undefined,
    find: () => {
      if (by !== 'lookup') return by === 'id' ? text : undefined
      return whenThere(load(text), (loaded) => {
        if (loaded.state !== 'found') return loaded
        const id = idOf(loaded.item)
        if (isRemembered(loaded.item)) names.set(remembered, id)
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
  const all = Object.entries(lookups)
  // The entries are those of L, each with the id of its own look-up.
  const idsOf = (values: readonly unknown[]) => Object.fromEntries(all.map(([name], index) => [name, values[index]])) as Partial<IdsOf<L>>
  const isWhole = (ids: Partial<IdsOf<L>>): ids is IdsOf<L> => all.every(([name]) => ids[name] !== undefined)
  const guesses = idsOf(all.map(([, { guess }]) => guess))
  const [early, found] = await parallel(
    () => (isWhole(guesses) ? read(guesses) : undefined),
    () => parallelMap(all, ([, lookup]) => lookup.find()),
  )
  const unusable = found.filter(isUnusable)
  const ids = idsOf(found.map((each) => (isUnusable(each) ? undefined : each)))
  if (!isWhole(ids)) return { ids, unusable, read: undefined, isLate: false }
  const isRight = early !== undefined && all.every(([name, { isSame = Object.is }]) => isSame(ids[name], guesses[name]))
  return { ids, unusable, read: isRight ? early : await read(ids), isLate: !isRight }
}
