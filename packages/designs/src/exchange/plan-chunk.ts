import { type AnyDesign, FreeholdError } from '@freehold/table'
import { chunkDrafts, type Drafts, lookable, type Place } from './chunk-drafts.ts'
import { type GoodRow, type Planned, rowFault } from './import-rows.ts'
import type { Part } from './part.ts'

/** How rows of one form are planned: `C` is what was found for a chunk of them. */
export interface ChunkPlan<V, C> {
  /** What a row is looked up by. A row for which a key cannot be made fails alone. */
  placesOf(values: V): readonly Place[]
  read(rows: readonly V[]): Promise<C>
  /** What a row still needs. Throws the error of a row that cannot be imported. */
  partsOf(values: V, chunk: C, drafts: Drafts): Part[]
}

/** Looks up what is there for a chunk of rows together, and says for each, at its place, what it still needs. */
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
