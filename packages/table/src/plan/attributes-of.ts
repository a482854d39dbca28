import type { Attribute } from '../design/attribute.ts'
import type { Entity } from '../design/form.ts'

type Named = readonly [name: string, attribute: Attribute]

const known = new WeakMap<Entity, readonly Named[]>()

/** The attributes of an entity with their names. The list is kept, since every write iterates over it. */
export function attributesOf(entity: Entity): readonly Named[] {
  const listed = known.get(entity)
  if (listed !== undefined) return listed
  const entries = Object.entries(entity.attributes)
  known.set(entity, entries)
  return entries
}
