import { Readable } from 'node:stream'
import type { FreeholdError } from '@freehold/table'
import { CsvError, type InfoRecord, parse } from 'csv-parse'
import { textOfPart, withoutMark } from '../reading/read-text.ts'
import type { Source } from './source-row.ts'

export interface CsvReading {
  /** A longer record ends the reading: a quote that is never closed shall not take the whole file for one cell. */
  readonly recordBytes_max: number
  /** Takes away the spaces around cells, those outside quotes too. */
  readonly trims?: boolean
  /** The error for what is no CSV: why, as the parser says it, and the last line that was read well. */
  readonly broken: (why: string, afterLine: number) => FreeholdError
}

/** A record of a file, its header among them, with the line that it begins on, from 1. Its cells are undefined if their bytes are not UTF-8. */
export interface CsvRecord {
  readonly record: readonly string[] | undefined
  readonly line: number
}

const beyondAscii = /[\u0080-\u00ff]/

/** The cells of a record whose characters stand for bytes. */
function cellsOf(record: readonly string[]): readonly string[] | undefined {
  const cells = record.map((cell) => (beyondAscii.test(cell) ? textOfPart(Buffer.from(cell, 'latin1')) : cell))
  return cells.every((cell) => cell !== undefined) ? cells : undefined
}

/**
 * The records of a CSV by RFC 4180, one after another: memory does not grow with the file. A byte order mark is ignored, lines and records without
 * any content are left out, and a record may have any number of cells. Whoever stops reading early lets go of the source. Throws what `broken` makes.
 */
export async function* csvRecords(
  source: Source,
  { recordBytes_max, trims = false, broken }: CsvReading,
): AsyncGenerator<CsvRecord, void, void> {
  const parser = parse({
    // The parser decodes without telling what is not UTF-8. So it gets bytes as characters, of which those of CSV itself are ASCII.
    encoding: 'latin1',
    info: true,
    trim: trims,
    relax_column_count: true,
    relax_quotes: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    max_record_size: recordBytes_max,
  })
  const input = Readable.from(withoutMark(source))
  input.on('error', (error) => parser.destroy(error))
  try {
    // With `info` each record comes with the line on which it ends.
    for await (const { record, info } of input.pipe(parser) as AsyncIterable<{ record: string[]; info: InfoRecord }>) {
      const breaks = record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0)
      yield { record: cellsOf(record), line: info.lines - breaks }
    }
  } catch (error) {
    if (error instanceof CsvError) throw broken(error.message.replace(/\.$/, ''), parser.info.lines)
    throw error
  } finally {
    input.destroy()
  }
}
