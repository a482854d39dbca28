import { byIndex, checkAdopted } from '@freehold/table/runtime'
import { loadRecord } from '../../decision/load.ts'
import { type IdsOf, type Lookup, type Lookups, type Resolved, resolveNames } from '../../decision/lookup.ts'
import { isUnusable, type LoadResult, type Unusable, wanted } from '../../decision/record.ts'
import type { Sources } from '../../decision/sources.ts'
import { asText, type Fields } from '../link.ts'
import type { Reads } from '../reads.ts'
import type { ScopedAsked } from './need.ts'
import type { Level, Path, ScopeChain } from './scope-chain.ts'
import type { Root } from './scope-cursor.ts'
import type { ScopeNodes } from './scope-nodes.ts'

/** The outermost scope of the subject that is asked about, or that it is of none: it tells where a scope lies that has no place. */
export type SubjectScope = () => Promise<string | 'none' | undefined>

/** The ids that a question names, from the first without which it says nothing of the last. */
function bareIn({ levels }: ScopeChain, asked: ScopedAsked) {
  const ids = levels.map(({ type }) => asText(asked[type]))
  const end = ids.findLastIndex((id) => id !== undefined)
  let top = end
  while (top > 0 && ids[top - 1] !== undefined) top--
  const known = ids.slice(Math.max(top, 0), end + 1).flatMap((id) => id ?? [])
  return { ids, top, known }
}

const rememberedName = ({ type }: Level, id: string) => `${type} ${id}`

/** A path of ids, of which there is one at least. */
const asPath = (ids: readonly string[]): Path | undefined => {
  const [outermost, ...beneath] = ids
  return outermost === undefined ? undefined : [outermost, ...beneath]
}

/** The path of a scope as it was the last time. That is a guess, which the read of its place confirms or refutes. */
export function pathRemembered(chain: ScopeChain, { names }: Sources, asked: ScopedAsked): Path | undefined {
  const { top, known } = bareIn(chain, asked)
  const level = chain.levels[top]
  if (top <= 0 || level === undefined) return asPath(known)
  const above = names.get(rememberedName(level, known[0] ?? ''))
  return above === undefined ? undefined : asPath([...above.split(' '), ...known])
}

function remember({ levels }: ScopeChain, { names }: Sources, path: Path): void {
  for (let index = 1; index < path.length; index++) {
    const level = levels[index]
    if (level !== undefined) names.set(rememberedName(level, path[index] ?? ''), path.slice(0, index).join(' '))
  }
}

/** The path of a scope by its place; undefined for one that is not there, or was not read. It is remembered. */
export function placedPath(chain: ScopeChain, sources: Sources, level: Level, place: LoadResult<Fields> | undefined): Path | undefined {
  if (place?.state !== 'found') return undefined
  const { item } = place
  const above = chain.levels.slice(0, chain.levels.indexOf(level)).map(({ name }) => asText(item[name]))
  const ids = [...above, asText(item[level.id])].flatMap((id) => id ?? [])
  const path = ids.length > above.length ? asPath(ids) : undefined
  if (path !== undefined) remember(chain, sources, path)
  return path
}

/**
 * The path of a scope that has no place, since another program wrote it: within the outermost scope it is found, by an index. What is there is read and
 * verified by its path, as ever. No index leads from a bare id to the outermost scope, so it is looked for at that of the subject. Throws `NotAdopted`
 * for a subject of none.
 */
async function unplacedPath(chain: ScopeChain, sources: Sources, asked: ScopedAsked, subject: SubjectScope): Promise<Path | undefined> {
  const { runtime } = sources
  const { ids, top, known } = bareIn(chain, asked)
  const [first, level] = [chain.levels[0], chain.levels[top]]
  const ofSubject = ids[0] === undefined && runtime.tenant === undefined ? await subject() : undefined
  if (ofSubject === 'none') await checkAdopted(runtime, `The ${first?.type} of a bare id is told by its place`)
  const outermost = ids[0] ?? runtime.tenant ?? ofSubject
  if (outermost === undefined || outermost === 'none' || first === undefined || level === undefined) return undefined
  if (top === 1) return [outermost, ...known]
  const [found] = (await byIndex(runtime, level.place, { [first.name]: outermost, [level.id]: known[0] } as never)) ?? []
  const item: Fields | undefined = found
  return item && asPath([outermost, ...chain.levels.slice(1, top).map(({ name }) => String(item[name])), ...known])
}

/** The path of a scope up to the outermost one. A scope of another one than the question says is unknown. */
async function pathAsked(chain: ScopeChain, sources: Sources, asked: ScopedAsked, subject: SubjectScope): Promise<Path | Unusable> {
  const { ids, top, known } = bareIn(chain, asked)
  const level = chain.levels[top]
  const whole = top === 0 ? asPath(known) : undefined
  if (whole !== undefined || level === undefined) return whole ?? ['']
  const at = wanted(level.place, { [level.id]: known[0] })
  const loaded: LoadResult<Fields> = await loadRecord(sources, at)
  if (loaded.state === 'missing') return (await unplacedPath(chain, sources, asked, subject)) ?? loaded
  if (loaded.state !== 'found') return loaded
  const above = chain.levels.slice(0, top).map(({ name, type }, index) => ({ type, id: asText(loaded.item[name]), asked: ids[index] }))
  const other = above.find((each) => each.id === undefined || (each.asked !== undefined && each.asked !== each.id))
  const path = asPath([...above.map(({ id }) => id ?? ''), ...known])
  if (other !== undefined || path === undefined)
    return { state: 'missing', entity: at.entity.name, key: at.key, message: `It is not in this ${other?.type}.` }
  remember(chain, sources, path)
  return path
}

const isSamePath = (one: Path, other: Path): boolean => one.length === other.length && one.every((id, index) => id === other[index])

/** The look-up of a scope. */
export function pathLookup(
  chain: ScopeChain,
  sources: Sources,
  asked: ScopedAsked,
  subject: SubjectScope = async () => undefined,
): Lookup<Path> {
  return { guess: pathRemembered(chain, sources, asked), find: () => pathAsked(chain, sources, asked, subject), isSame: isSamePath }
}

/**
 * Reads by the ids of a scope and other names. A scope that was looked up by itself may move between the look-up and the read: then it is read
 * where it is now.
 * @param isGone true if the scope was not found
 */
export async function resolveAt<L extends Lookups & { readonly path: Lookup<Path> }, T>(
  chain: ScopeChain,
  lookups: L,
  asked: ScopedAsked,
  read: (ids: IdsOf<L>) => Promise<T>,
  isGone: (read: T) => boolean,
): Promise<Resolved<L, T>> {
  const first = await resolveNames(lookups, read)
  // The outermost scope never moves, nor does what lies just beneath it.
  if (bareIn(chain, asked).top < 2 || first.read === undefined || !isGone(first.read)) return first
  const path = await lookups.path.find()
  // Something was read, so all names were found. That of the path gave a path.
  const known = first.ids as IdsOf<L> & { readonly path: Path }
  if (path === undefined || isUnusable(path) || isSamePath(path, known.path)) return first
  const ids = { ...known, path }
  return { ...first, ids, read: await read(ids) }
}

/**
 * The facts about a scope that is told by its kind, its id and its outermost scope; undefined for one that is not there, and until it is read. A scope that has
 * moved since the last time is looked for by its place.
 */
export function factsOf<F extends ScopeNodes>(
  chain: ScopeChain,
  sources: Sources,
  reads: Reads,
  { scope_type, scope_id, within }: Root,
  factsAt: (path: Path) => F | undefined,
): F | undefined {
  const index = chain.levels.findIndex(({ type }) => type === scope_type)
  const level = chain.levels[index]
  if (level === undefined) return undefined
  if (index < 2) return factsAt(index === 0 ? [scope_id] : [within, scope_id])
  const at = (path: Path | undefined) => path && factsAt(path)
  const placed = () => placedPath(chain, sources, level, reads.fact(level.place, { [level.id]: scope_id }))
  const path = pathRemembered(chain, sources, { [scope_type]: scope_id })
  if (path === undefined) return at(placed())
  const known = at(path)
  return known === undefined || known.nodes.slice(1).every(({ state }) => state === 'found') ? known : (at(placed()) ?? known)
}
