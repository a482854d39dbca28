import type { AskedAbout } from '../../decision/fault.ts'
import { type LoadResult, parseRecord, wanted } from '../../decision/record.ts'
import type { Fields } from '../link.ts'
import type { Reads } from '../reads.ts'
import type { Path, ScopeChain } from './scope-chain.ts'

/** The items of a scope and of those above it, the outermost first. Every decision reads them, at any consistency (spec rule 18). */
export interface ScopeNodes {
  readonly path: Path
  readonly nodes: readonly [outermost: LoadResult<Fields>, ...beneath: LoadResult<Fields>[]]
}

/** With what is needed there, too. */
export interface ScopeFacts extends ScopeNodes {
  readonly needed: readonly LoadResult<Fields>[]
}

/** A scope as it was read; undefined until it is. A scope of another outermost one than the path says is not there. */
export function nodesAt({ levels, keyAt }: ScopeChain, { fact }: Reads, path: Path): ScopeNodes | undefined {
  const nodes: LoadResult<Fields>[] = []
  for (let index = 0; index < path.length; index++) {
    const level = levels[index]
    if (level === undefined) break
    const key = keyAt(path, index)
    const node: LoadResult<Fields> | undefined = fact(level.entity, key)
    if (node === undefined) continue
    const isElsewhere = index > 1 && node.state === 'found' && !isWithin(levels[0]?.name ?? '', node.item, path)
    nodes.push(isElsewhere ? parseRecord(wanted(level.entity, key), undefined) : node)
  }
  // None is missing, and a path has one, at least.
  return nodes.length < path.length ? undefined : { path, nodes: nodes as unknown as ScopeNodes['nodes'] }
}

/** True for an item beneath the outermost scope of a path, unless it says that it is of another one. */
export function isWithin(name: string, item: Fields, [outermost]: Path): boolean {
  const said = item[name]
  return said === undefined || said === outermost
}

/** True if the scope at the end of the path is not there. */
export const isGone = (scope: ScopeNodes | undefined): boolean => scope !== undefined && scope.nodes.at(-1)?.state === 'missing'

/** True if all of them are there, and none is being deleted. */
export const areFound = ({ nodes }: ScopeNodes): boolean => nodes.every(({ state }) => state === 'found')

/** The scopes that a question asks about, by their path. */
export const askedNodes = ({ levels }: ScopeChain, { path, nodes }: ScopeNodes): readonly AskedAbout[] =>
  nodes.map((result, index) => ({ what: levels[index]?.entity.name ?? '', name: path[index], id: path[index], result }))
