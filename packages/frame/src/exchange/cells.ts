import { type AnyDesign, type Attribute, type Attributes, isFreeholdError } from '@freehold/table'
import { numberProblem, readJson } from '../reading/read-json.ts'
import type { CsvRow } from './read-csv.ts'
import { rowError, type SourceRow } from './source-row.ts'

const numberForm = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const flags: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function json(name: string, cell: string): unknown {
  const read = readJson(cell)
  if (read.problem === undefined) return read.value
  if (read.cause !== undefined) return cell
  throw rowError(read.problem, name)
}

function number(name: string, cell: string): unknown {
  if (!numberForm.test(cell.trim())) return cell
  const problem = numberProblem(cell.trim())
  if (problem !== undefined) throw rowError(problem, name)
  return Number(cell)
}

/**
 * The value that a cell of text stands for. What does not fit its attribute stays text, which the attribute refuses in its own words. Throws
 * `InvalidInput` for a value that would become another one.
 */
function cellValue(attribute: Attribute | undefined, name: string, cell: string): unknown {
  switch (attribute?.kind.stored) {
    case 'number':
      return number(name, cell)
    case 'boolean':
      return flags.get(cell.trim().toLowerCase()) ?? cell
    case 'list':
    case 'set':
    case 'map':
      return json(name, cell)
    default:
      return cell
  }
}

function itemOfCells(attributes: Attributes | undefined, line: number, values: Readonly<Record<string, string>>): SourceRow {
  try {
    const cells = Object.entries(values).map(([name, cell]) => [name, cellValue(attributes?.[name], name, cell)])
    return { line, values: Object.fromEntries(cells) }
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return { line, error }
  }
}

/** Items of a design from the rows of a CSV file with a column `Type`: numbers, `true` and `false`, lists and maps as JSON, the rest text. */
export async function* itemsOfCells({ form }: AnyDesign, rows: AsyncIterable<CsvRow>): AsyncGenerator<SourceRow, void, void> {
  for await (const row of rows) {
    if (row.error !== undefined) yield row
    else yield itemOfCells(form.entities.get(row.values.Type ?? '')?.attributes, row.line, row.values)
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
