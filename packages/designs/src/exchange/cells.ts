import type { AnyDesign, Attribute } from '@freehold/table'
import type { CsvRow } from './read-csv.ts'
import { rowError, type SourceRow } from './source-row.ts'

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function json(cell: string): unknown {
  try {
    return JSON.parse(cell)
  } catch {
    return cell
  }
}

/** The value that a cell of text stands for. What does not fit its attribute stays text, which the attribute refuses in its own words. */
function cellValue(attribute: Attribute | undefined, cell: string): unknown {
  switch (attribute?.kind.stored) {
    case 'number':
      return numberForm.test(cell.trim()) ? Number(cell) : cell
    case 'boolean':
      return flags.get(cell.trim().toLowerCase()) ?? cell
    case 'list':
    case 'map':
      return json(cell)
    default:
      return cell
  }
}

/** Items of a design from the rows of a CSV file with a column `Type`: numbers, `true` and `false`, lists and maps as JSON, the rest text. */
export async function* itemsOfCells({ form }: AnyDesign, rows: AsyncIterable<CsvRow>): AsyncGenerator<SourceRow, void, void> {
  for await (const row of rows) {
    if (row.error !== undefined) yield row
    else {
      const attributes = form.entities.get(row.values.Type ?? '')?.attributes
      const cells = Object.entries(row.values).map(([name, cell]) => [name, cellValue(attributes?.[name], cell)])
      yield { line: row.line, values: Object.fromEntries(cells) }
    }
  }
}

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
