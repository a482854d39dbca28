import { type AnyDesign, creating, type Entity, FreeholdError, type New, type Runtime } from '@freehold/table'
import { keyText, readItems, type Stored, tableKey } from '@freehold/table/runtime'
import { type GoodRow, type Planned, rowFault } from './import-rows.ts'
import { going } from './item-row.ts'
import { type Part, part } from './part.ts'

type Values = Readonly<Record<string, unknown>>

/** An item by its entity and the attributes of its key. */
export type Place = readonly [entity: Entity, id: Values]

/** The items at places that were looked at together. */
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

/** The drafts of a chunk of rows. */
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

/** How rows of one form are planned: `C` is what was found for a chunk of them. */
export interface ChunkPlan<V, C> {
  /** The places by which a row is looked up. A row for which a key cannot be made fails alone. */
  placesOf(values: V): readonly Place[]
  read(rows: readonly V[]): Promise<C>
  /** The parts that a row still needs. Throws the error of a row that cannot be imported. */
  partsOf(values: V, chunk: C, drafts: Drafts): Part[]
}

/** Looks up the items of a chunk of rows together, and gives each row, at its index, the parts that it still needs. */
export async function planChunk<V, C>(
  design: AnyDesign,
  rows: readonly GoodRow<V>[],
  { placesOf, read, partsOf }: ChunkPlan<V, C>,
): Promise<Planned<V>[]> {
  const faults = rows.map(({ values }) => rowFault(() => lookable(placesOf(values))))
  const chunk = await read(rows.filter((_, index) => !(faults[index] instanceof FreeholdError)).map(({ values }) => values))
  const drafts = chunkDrafts(design)
  return rows.map((row, index) => {
    const fault = faults[index]
    if (fault instanceof FreeholdError) return fault
    const parts = rowFault(() => partsOf(row.values, chunk, drafts))
    return parts instanceof FreeholdError ? parts : { row, parts }
  })
}
