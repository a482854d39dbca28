import { type AnyDesign, creating, type Entity, type New, type Runtime } from '@freehold/table'
import { keyText, readItems, type Stored, tableKey } from '@freehold/table/runtime'
import { going } from './item-row.ts'
import { type Part, part } from './part.ts'

type Values = Readonly<Record<string, unknown>>

/** An item by its entity and the attributes of its key. */
export type Place = readonly [entity: Entity, id: Values]

/** What lies at places that were looked at together. */
export interface Looked {
  /** The item; undefined where there is none, and where nobody looked. */
  at(entity: Entity, id: Values): Stored | undefined
  /** True for an item that is there to stay. Throws `BeingDeleted` for one that goes. */
  has(entity: Entity, id: Values): boolean
}

/** Looks at places, consistently, side by side. */
export async function lookAt(runtime: Runtime, places: readonly Place[]): Promise<Looked> {
  const found = await readItems(
    runtime,
    places.map(([entity, id]) => tableKey(entity, id)),
    { consistent: true },
  )
  const at = (entity: Entity, id: Values) => found.get(keyText(tableKey(entity, id)))
  const has = (entity: Entity, id: Values) => {
    const item = at(entity, id)
    if (item?.deleting === undefined) return item !== undefined
    throw going(entity, tableKey(entity, id))
  }
  return { at, has }
}

/** The same places, whose keys can be made. Throws `InvalidKey` for one that cannot. */
export function lookable(places: readonly Place[]): readonly Place[] {
  for (const [entity, id] of places) tableKey(entity, id)
  return places
}

/** Makes parts, the same one each time the same item is asked for, so that the rows of a chunk share them. */
export interface Drafts {
  /** `more`: values that keys need and that the item copies from elsewhere. */
  create<E extends Entity>(entity: E, item: New<E> & Values, more?: Values): Part
}

export function chunkDrafts(design: AnyDesign): Drafts {
  const known = new Map<string, Part>()
  return {
    create: (entity, item, more = {}) => {
      const name = `${entity.name} ${JSON.stringify(Object.values(tableKey(entity, item)))}`
      const draft = known.get(name) ?? part(design, name, creating(entity, item), { ...item, ...more })
      known.set(name, draft)
      return draft
    },
  }
}
