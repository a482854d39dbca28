import type { Attribute } from '@freehold/table'
import { rowError } from './source-row.ts'

/** A cell as the attribute reads it. Throws `InvalidInput` that names the column. */
export function fitting<V>(attribute: Attribute<V>, column: string, cell: unknown): V {
  const result = attribute.schema.safeParse(cell)
  if (!result.success) throw rowError(result.error.issues[0]?.message ?? 'does not fit', column)
  return result.data
}

/** Text that names something: not empty. */
export function naming(attribute: Attribute<string>, column: string, cell: unknown): string {
  const name = fitting(attribute, column, cell)
  if (name === '') throw rowError('is empty', column)
  return name
}
