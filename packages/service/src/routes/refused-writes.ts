import type { ByFlows } from '@freehold/frame/flow'
import type { Entity } from '@freehold/table'

/**
 * True for a write that the design always refuses: flows alone write the entity (spec rule 24), its owner's writes do (spec rule 10), or no
 * item of it ever changes. Such a write is no operation of the API.
 * @param verb what the route does: `get`, `create`, `update`, `move` or `remove`
 */
export function isRefused({ name, form }: Entity, verb: string, byFlows: ByFlows = {}): boolean {
  if (verb === 'get') return false
  const { part, appendOnly, sequence } = form
  if (Object.hasOwn(byFlows, name) || part.kind === 'guard' || part.kind === 'mirror') return true
  if (verb === 'create') return false
  return appendOnly || sequence !== undefined || (verb === 'move' && part.kind === 'edge')
}
