import { sourceName } from '../design/attribute.ts'
import type { Entity, Reference } from '../design/form.ts'

/** The attributes from which a copy in a key may come: one for each target of its reference. */
export function sourcesOf(entity: Entity, placeholder: string): { reference: Reference; target: Entity; attribute: string }[] {
  const { part } = entity.form
  const { source } = entity.attributes[placeholder] ?? {}
  if (source === undefined) return []
  const owner = part.kind === 'guard' || part.kind === 'mirror' ? part.owner : entity
  const ends = owner.form.part.kind === 'edge' ? owner.form.part.edge.ends : owner.form.references
  const references = ends.filter(({ attribute }) => attribute === source.through)
  return references.map((reference) => ({ reference, target: reference.to, attribute: sourceName(source, placeholder, reference.to.name) }))
}

/**
 * Whether an item may lack an attribute: it is optional, or a copy of one that may be absent. `given`: attributes that the item has. A copy of a copy that
 * leads back to its own entity counts as absent.
 */
export function mayBeAbsent(entity: Entity, name: string, given: readonly string[], above: readonly Entity[] = []): boolean {
  const { presence, source } = entity.attributes[name] ?? {}
  if (given.includes(name)) return false
  if (source === undefined) return presence === 'optional'
  if (above.includes(entity) || mayBeAbsent(entity, source.through, given, [...above, entity])) return true
  return sourcesOf(entity, name).some(({ target, attribute }) => mayBeAbsent(target, attribute, [], [...above, entity]))
}
