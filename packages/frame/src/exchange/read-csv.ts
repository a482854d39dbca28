import { FreeholdError } from '@freehold/table'
import { type CsvReading, csvRecords } from './csv-records.ts'
import { headerHint } from './header-hint.ts'
import { notUtf8, rowBytesMax, rowError, type Source, type SourceRow } from './source-row.ts'

/** A row of a CSV file: all text, and no name for an empty cell. */
export type CsvRow = SourceRow<Readonly<Record<string, string>>>

/** Columns that a file must and may have; without `may`, any. */
export interface Columns {
  readonly must?: readonly string[]
  readonly may?: readonly string[]
}

function wrongFile(message: string): FreeholdError {
  return new FreeholdError('InvalidInput', `This CSV file ${message}.`, { issues: [{ path: [], message }] })
}

function checkHeader(names: readonly string[], { must = [], may }: Columns): void {
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw wrongFile(`has the column '${twice}' twice`)
  const missing = must.filter((name) => !names.includes(name))
  if (missing.length > 0) {
    const hint = headerHint(names, must) ?? `it has no ${missing.join(', ')}`
    throw wrongFile(`needs the columns ${must.join(', ')}; ${hint}`)
  }
  const unknown = may === undefined ? undefined : names.find((name) => !must.includes(name) && !may.includes(name))
  if (unknown === undefined) return
  const known = [...must, ...(may ?? [])]
  throw wrongFile(`has a column '${unknown}'; ${headerHint(names, known) ?? `known are ${known.join(', ')}`}`)
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): CsvRow {
  if (cells.length !== names.length) {
    const cellCount = cells.length === 1 ? '1 cell' : `${cells.length} cells`
    return { line, error: rowError(`has ${cellCount}, and the header ${names.length}`) }
  }
  return { line, values: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']).filter(([, cell]) => cell !== '')) }
}

const reading: CsvReading = { recordBytes_max: rowBytesMax, broken: (why) => wrongFile(`is broken: ${why}`) }

/**
 * CSV by RFC 4180, with a header; a byte order mark is ignored, and empty rows are left out. A row with too few or too many cells, or with bytes that
 * are not UTF-8, is reported as such, and reading goes on. Throws `InvalidInput` where the header is not what `columns` ask for.
 */
export async function* readCsv(source: Source, columns: Columns = {}): AsyncGenerator<CsvRow, void, void> {
  let names: readonly string[] | undefined
  for await (const { record, line } of csvRecords(source, reading)) {
    if (names === undefined) {
      if (record === undefined) throw wrongFile(`is not UTF-8 (line ${line}): save it as UTF-8`)
      names = record.map((name) => name.trim())
      checkHeader(names, columns)
    } else yield record === undefined ? { line, error: rowError(notUtf8) } : rowOf(names, record, line)
  }
  if (names === undefined) throw wrongFile('has no header')
}
