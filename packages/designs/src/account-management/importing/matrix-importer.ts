import { type ChunkPlan, type GoodRow, type Importer, type Looked, lookAt, type Place, planChunk } from '@freehold/frame/exchange'
import { RoleName } from '../design.ts'
import { dangerousEntries } from '../flows/roles/dangerous.ts'
import type { PermissionPattern } from '../permission/permission.ts'
import type { MatrixImport } from './plan-audit.ts'

/** The id behind a name: of what is there, or made for one chunk of rows. */
export interface FoundId {
  readonly id: string
  readonly isThere: boolean
}
export type FoundIds = ReadonlyMap<string, FoundId>

/** The id behind each name, as a guard has it; made where there is none. */
export function foundIds(
  { context }: MatrixImport,
  names: Iterable<string>,
  guardOf: (name: string) => Readonly<Record<string, unknown>> | undefined,
): FoundIds {
  const { uuid } = context.table.runtime.making()
  return new Map(
    [...new Set(names)].map((name): [string, FoundId] => {
      const id = guardOf(name)?.id
      return [name, typeof id === 'string' ? { id, isThere: true } : { id: uuid(), isThere: false }]
    }),
  )
}

/** Those of the ids whose items were there when their guards were read. */
export const idsThere = (ids: FoundIds): readonly string[] => [...ids.values()].flatMap(({ id, isThere }) => (isThere ? [id] : []))

/** A chunk of rows, as far as it is known before their items are read. */
export interface MatrixChunk {
  readonly matrix: MatrixImport
  /** The entries that the catalogue marks as dangerous. */
  readonly dangerous: readonly PermissionPattern[]
  readonly guards: Looked
  /** By their names. */
  readonly roles: FoundIds
}

/** How rows of one file of a matrix are planned for its client. */
export interface MatrixRows<V extends { readonly name: string }, C> extends Pick<ChunkPlan<V, C>, 'partsOf'> {
  guardsOf(client_id: string, row: V): readonly Place[]
  read(chunk: MatrixChunk, rows: readonly V[]): Promise<C>
}

/** Writes each row in one transaction. The dangerous permissions are read with each chunk; a row that is tried again uses the same. */
export function matrixImporter<V extends { readonly name: string }, C>(
  matrix: MatrixImport,
  { guardsOf, read, partsOf }: MatrixRows<V, C>,
): Importer<V> {
  const { client_id, context } = matrix
  const placesOf = (row: V) => guardsOf(client_id, row)
  let dangerous: readonly PermissionPattern[] = []
  const readChunk = async (rows: readonly V[]): Promise<C> => {
    const guards = await lookAt(context.table.runtime, rows.flatMap(placesOf))
    const names = rows.map(({ name }) => name)
    return read({ matrix, dangerous, guards, roles: foundIds(matrix, names, (name) => guards.at(RoleName, { client_id, name })) }, rows)
  }
  const plan = (rows: readonly GoodRow<V>[]) => planChunk(context.table.design, rows, { placesOf, read: readChunk, partsOf })
  return {
    awaitsEnds: false,
    plan: async (rows) => {
      dangerous = await dangerousEntries(context)
      return plan(rows)
    },
    again: async (row) => (await plan([row]))[0] ?? 'skipped',
  }
}
