import type { Place } from '../../exchange/chunk-drafts.ts'
import type { GoodRow, Importer } from '../../exchange/import-rows.ts'
import { type ChunkPlan, planChunk } from '../../exchange/plan-chunk.ts'
import type { PermissionPattern } from '../flows/roles/permission-pattern.ts'
import { dangerousNow, type MatrixImport } from './plan-audit.ts'

/** How rows of one file of a matrix are planned for its client. */
export interface MatrixRows<V, C> extends Pick<ChunkPlan<V, C>, 'partsOf'> {
  placesOf(client_id: string, row: V): readonly Place[]
  /** @param dangerous what the catalogue marks as dangerous */
  read(matrix: MatrixImport, dangerous: readonly PermissionPattern[], rows: readonly V[]): Promise<C>
}

/** Rows that are written each in one transaction. What is dangerous is read with each chunk, and taken as it was then for a row that is tried again. */
export function matrixImporter<V, C>(matrix: MatrixImport, { placesOf, read, partsOf }: MatrixRows<V, C>): Importer<V> {
  let dangerous: readonly PermissionPattern[] = []
  const plan = (rows: readonly GoodRow<V>[]) =>
    planChunk(matrix.context.table.design, rows, {
      placesOf: (row) => placesOf(matrix.client_id, row),
      read: (good) => read(matrix, dangerous, good),
      partsOf,
    })
  return {
    awaitsEnds: false,
    plan: async (rows) => {
      dangerous = await dangerousNow(matrix)
      return plan(rows)
    },
    again: async (row) => (await plan([row]))[0] ?? 'skipped',
  }
}
