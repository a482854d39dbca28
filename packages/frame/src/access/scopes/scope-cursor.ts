import { compareKeys } from '@freehold/table/runtime'
import { type Scope, scopeText } from './scope-chain.ts'

/** A scope that a list begins at, perhaps with all beneath it, as an assignment names it. */
export interface Root extends Scope {
  /** The outermost scope that it lies in. */
  readonly within: string
}

/** In the order of these roots are listed; no id holds a `#`. */
export const rootText = (root: Root) => `${scopeText(root)}#${root.within}`

/** The root of a text that `rootText` made. */
export function rootOfText(text: string): Root | undefined {
  const [scope_type, scope_id, within] = text.split('#')
  return scope_type === undefined || scope_id === undefined || within === undefined ? undefined : { scope_type, scope_id, within }
}

/** Roots, each once, in their order. */
export function rootsInOrder(all: readonly Root[]): readonly Root[] {
  const roots = new Map(all.map((root) => [rootText(root), root]))
  return [...roots].sort(([a], [b]) => compareKeys(a, b)).map(([, root]) => root)
}

/** Without roots in an outermost scope that is a root itself. Only the read of another root tells where it lies. */
export function outermost(roots: readonly Root[]): readonly Root[] {
  const all = new Set(roots.filter(({ scope_id, within }) => scope_id === within).map(({ scope_id }) => scope_id))
  return roots.filter(({ scope_id, within }) => scope_id === within || !all.has(within))
}

/** The end of the last page: a root, and the last scope beneath it, which is empty for the root itself. */
export interface Position {
  readonly root: string
  readonly inner: string
}

/** Sorts after every scope beneath a root: all of it has been listed. */
export const wholeRoot = '~'

export const positionText = ({ root, inner }: Position) => `${root}|${inner}`

export function positionOf(after: string | undefined): Position | undefined {
  if (after === undefined) return undefined
  const bar = after.indexOf('|')
  return { root: after.slice(0, bar), inner: after.slice(bar + 1) }
}

/** Roots of which something is still to be listed. */
export function rootsAfter(roots: readonly Root[], at: Position | undefined): readonly Root[] {
  if (at === undefined) return roots
  return roots.filter((root) => {
    const order = compareKeys(rootText(root), at.root)
    return order > 0 || (order === 0 && at.inner !== wholeRoot)
  })
}
