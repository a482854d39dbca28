import { parallel, parallelMap } from '@freehold/table/runtime'
import type { LoadResult } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { locationOfCode } from './definitions.ts'
import { userOfEmail } from './facts.ts'
import type { Name } from './question.ts'

type NameKind = 'user' | 'location'
type Names<K extends NameKind> = Readonly<Record<K, Name>>

/** The ids of the names, as far as there are such names. */
export type Ids<K extends NameKind> = { readonly [N in K]: string | undefined }

/** What reading by names gave. `isLate`: the names took a round trip of their own. */
export interface Resolved<K extends NameKind, T> {
  readonly ids: Ids<K>
  /** The looked-up names that are not there, by kind. */
  readonly unusable: readonly LoadResult<unknown>[]
  /** Undefined where an id is. */
  readonly read: T | undefined
  readonly isLate: boolean
}

const remembered = (kind: NameKind, { text }: Name) => `${kind} ${text}`

function guessOf(sources: Sources, kind: NameKind, name: Name): string | undefined {
  if (name.by === 'id') return name.text
  return name.by === 'lookup' ? sources.names.get(remembered(kind, name)) : undefined
}

/** True where a name was never looked up before, so that what hangs on it waits for it. */
export function isNew(sources: Sources, names: Readonly<Partial<Record<NameKind, Name>>>): boolean {
  return (['user', 'location'] as const).some((kind) => names[kind]?.by === 'lookup' && guessOf(sources, kind, names[kind]) === undefined)
}

interface Found {
  readonly id: string | undefined
  readonly unusable?: LoadResult<unknown>
}

async function lookUp(sources: Sources, kind: NameKind, name: Name): Promise<Found> {
  if (name.by !== 'lookup') return { id: name.by === 'id' ? name.text : undefined }
  if (kind === 'user') {
    const looked = await userOfEmail(sources, name.text)
    return looked.state === 'found' ? { id: looked.item.userId } : { id: undefined, unusable: looked }
  }
  const looked = await locationOfCode(sources, name.text)
  return looked.state === 'found' ? { id: looked.item.locationId } : { id: undefined, unusable: looked }
}

/**
 * Reads what hangs on ids that are asked for by name. An id needs no reading. For another name the id that it had the last time is guessed and
 * read side by side with the name; where the name says otherwise, it is read again by the right id, one round trip later.
 */
export async function resolved<K extends NameKind, T>(
  sources: Sources,
  names: Names<K>,
  read: (ids: Readonly<Record<K, string>>) => Promise<T>,
): Promise<Resolved<K, T>> {
  // The keys of Names<K> are K.
  const kinds = Object.keys(names) as K[]
  const guesses = kinds.map((kind) => guessOf(sources, kind, names[kind]))
  const byKind = (ids: readonly (string | undefined)[]) => Object.fromEntries(kinds.map((kind, index) => [kind, ids[index]])) as Ids<K>
  // Called only where every kind has its id.
  const readBy = (ids: readonly (string | undefined)[]) => read(byKind(ids) as Readonly<Record<K, string>>)
  const [early, found] = await parallel(
    () => (guesses.includes(undefined) ? Promise.resolve(undefined) : readBy(guesses)),
    () => parallelMap(kinds, (kind) => lookUp(sources, kind, names[kind])),
  )
  const ids = found.map(({ id }) => id)
  for (const [index, kind] of kinds.entries()) {
    const id = ids[index]
    if (names[kind].by === 'lookup' && id !== undefined) sources.names.set(remembered(kind, names[kind]), id)
  }
  const outcome = { ids: byKind(ids), unusable: found.flatMap(({ unusable }) => unusable ?? []) }
  if (ids.includes(undefined)) return { ...outcome, read: undefined, isLate: false }
  const isRight = early !== undefined && ids.every((id, index) => id === guesses[index])
  return { ...outcome, read: isRight ? early : await readBy(ids), isLate: !isRight }
}
