import { Readable } from 'node:stream'
import type { FreeholdError } from '@freehold/table'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import type { Source } from './source-row.ts'

export interface CsvReading {
  /** A longer record ends the reading: a quote that is never closed shall not take the whole file for one cell. */
  readonly recordBytes_max: number
  /** Takes away the spaces around cells, those outside quotes too. */
  readonly trims?: boolean
  /** The error for what is no CSV: why, as the parser says it, and the last line that was read well. */
  readonly broken: (why: string, afterLine: number) => FreeholdError
}

/** A record of a file, its header among them, with the line that it begins on, from 1. */
export interface CsvRecord {
  readonly record: readonly string[]
  readonly line: number
}

/**
 * The records of a CSV by RFC 4180, one after another: memory does not grow with the file. A byte order mark is ignored, empty lines are left
 * out, and a record may have any number of cells. Whoever stops reading early lets go of the source. Throws what `broken` makes.
 */
export async function* csvRecords(
  source: Source,
  { recordBytes_max, trims = false, broken }: CsvReading,
): AsyncGenerator<CsvRecord, void, void> {
  const parser = parse({
    bom: true,
    info: true,
    trim: trims,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    max_record_size: recordBytes_max,
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
    if (error instanceof CsvError) throw broken(error.message.replace(/\.$/, ''), parser.info.lines)
    throw error
  } finally {
    input.destroy()
  }
}
