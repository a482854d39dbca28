import { Readable } from 'node:stream'
import { FreeholdError } from '@freehold/table'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { rowCharactersMax, rowError, type Source, type SourceRow } from './source-row.ts'

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
  if (missing.length > 0) throw wrongFile(`needs the columns ${must.join(', ')}; it has no ${missing.join(', ')}`)
  const unknown = may === undefined ? undefined : names.find((name) => !must.includes(name) && !may.includes(name))
  if (unknown !== undefined) throw wrongFile(`has a column '${unknown}'; known are ${[...must, ...(may ?? [])].join(', ')}`)
}

function rowOf(names: readonly string[], cells: readonly string[], line: number): CsvRow {
  if (cells.length !== names.length) {
    const cellCount = cells.length === 1 ? '1 cell' : `${cells.length} cells`
    return { line, error: rowError(`has ${cellCount}, and the header ${names.length}`) }
  }
  return { line, values: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']).filter(([, cell]) => cell !== '')) }
}

/** The records of a file with the line each begins on; a quote that never ends makes the rest of a file one record, so reading ends there. */
async function* records(source: Source): AsyncGenerator<{ record: readonly string[]; line: number }, void, void> {
  const parser = parse({
    bom: true,
    info: true,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: rowCharactersMax,
  })
  const input = Readable.from(source)
  input.on('error', (error) => parser.destroy(error))
  try {
    // With `info` each record comes with the line on which it ends.
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      yield { record, line: info.lines - breaks }
    }
  } catch (error) {
    if (error instanceof CsvError) throw wrongFile(`is broken: ${error.message.replace(/\.$/, '')}`)
    throw error
  } finally {
    // Whoever stops reading early lets go of the file, too.
    input.destroy()
  }
}

/**
 * CSV by RFC 4180, with a header; a byte order mark is ignored, and empty lines are left out. A row with too few or too many cells is
 * reported as such, and reading goes on. Throws `InvalidInput` where the header is not what `columns` ask for.
 */
export async function* readCsv(source: Source, columns: Columns = {}): AsyncGenerator<CsvRow, void, void> {
  let names: readonly string[] | undefined
  for await (const { record, line } of records(source)) {
    if (names === undefined) {
      names = record.map((name) => name.trim())
      checkHeader(names, columns)
    } else yield rowOf(names, record, line)
  }
  if (names === undefined) throw wrongFile('has no header')
}
