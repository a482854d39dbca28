import type { Attribute } from '../design/attribute.ts'
import type { Entity } from '../design/form.ts'

type Named = readonly [name: string, attribute: Attribute]

const known = new WeakMap<Entity, readonly Named[]>()

/** The attributes of an entity with their names, listed once: every write goes through them. */
export function attributesOf(entity: Entity): readonly Named[] {
  const listed = known.get(entity)
  if (listed !== undefined) return listed
  const entries = Object.entries(entity.attributes)
  known.set(entity, entries)
  return entries
}
