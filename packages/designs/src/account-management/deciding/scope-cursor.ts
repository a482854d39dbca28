import { compareKeys } from '@freehold/table/runtime'
import type { Scope, ScopeType } from './scope.ts'
import type { Assignment } from './situation.ts'

/** A scope that `where` lists, perhaps with all beneath it, as an assignment names it. */
export interface Root extends Scope {
  readonly client_id: string
}

/** In the order of these roots are listed; no id holds a `#`. */
export const rootText = ({ scope_type, scope_id, client_id }: Root) => `${scope_type}#${scope_id}#${client_id}`

const scopeTypes: readonly ScopeType[] = ['client', 'project', 'building']

/** The root of a text that `rootText` made. */
export function rootOfText(text: string): Root | undefined {
  const [type, scope_id, client_id] = text.split('#')
  const scope_type = scopeTypes.find((each) => each === type)
  return scope_type === undefined || scope_id === undefined || client_id === undefined ? undefined : { scope_type, scope_id, client_id }
}

/** Roots of assignments, each once, in their order. */
export function rootsOf(assignments: readonly Assignment[]): readonly Root[] {
  const roots = new Map<string, Root>()
  for (const { scope_type, scope_id, client_id = '' } of assignments) {
    const root = { scope_type, scope_id, client_id }
    roots.set(rootText(root), root)
  }
  return [...roots].sort(([a], [b]) => compareKeys(a, b)).map(([, root]) => root)
}

/** Without roots in a client that is a root itself. The project of a building is known only once it is read. */
export function outermost(roots: readonly Root[]): readonly Root[] {
  const clients = new Set(roots.filter(({ scope_type }) => scope_type === 'client').map(({ scope_id }) => scope_id))
  return roots.filter(({ scope_type, client_id }) => scope_type === 'client' || !clients.has(client_id))
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
