import { readJson } from '../reading/read-json.ts'
import { textOfPart, withoutMark } from '../reading/read-text.ts'
import { notUtf8, rowBytesMax, rowError, type Source, type SourceRow } from './source-row.ts'

/** A line without its end, or what is wrong with it: a sentence without its subject. */
export type ReadLine =
  | { readonly line: number; readonly text: string; readonly problem?: undefined }
  | { readonly line: number; readonly text?: undefined; readonly problem: string }

const lineFeed = 0x0a

/** The bytes of lines, or undefined for a line that is too long to hold. */
async function* bytesOfLines(source: Source): AsyncGenerator<Uint8Array | undefined, void, void> {
  let rest: Uint8Array[] = []
  let length = 0
  const add = (bytes: Uint8Array) => {
    length += bytes.length
    if (length > rowBytesMax) rest = []
    else rest.push(bytes)
  }
  const taken = () => {
    const line = length > rowBytesMax ? undefined : Buffer.concat(rest)
    rest = []
    length = 0
    return line
  }
  for await (const piece of withoutMark(source)) {
    let at = 0
    for (let end = piece.indexOf(lineFeed); end !== -1; end = piece.indexOf(lineFeed, at)) {
      add(piece.subarray(at, end))
      at = end + 1
      yield taken()
    }
    add(piece.subarray(at))
  }
  if (length > 0) yield taken()
}

/** The lines of a text, empty ones left out. Only a line feed ends one: JSON leaves U+2028 and U+2029 unescaped inside text. A byte order mark is ignored. */
export async function* readLines(source: Source): AsyncGenerator<ReadLine, void, void> {
  let line = 0
  for await (const bytes of bytesOfLines(source)) {
    line++
    const text = bytes && textOfPart(bytes)
    if (bytes === undefined) yield { line, problem: `has more than ${rowBytesMax} bytes` }
    else if (text === undefined) yield { line, problem: notUtf8 }
    else if (text.trim() !== '') yield { line, text }
  }
}

function parse(line: number, text: string): SourceRow {
  const read = readJson(text)
  if (read.problem !== undefined) return { line, error: rowError(read.problem) }
  const values = read.value
  if (typeof values !== 'object' || values === null || Array.isArray(values))
    return { line, error: rowError('is not a JSON object of attributes') }
  // Checked just above. The importer of the row checks names and values against the entity.
  return { line, values: values as Readonly<Record<string, unknown>> }
}

/** JSON Lines: one object a line, empty lines left out, a byte order mark ignored. A line that is none is reported as such, and reading goes on. */
export async function* readJsonLines(source: Source): AsyncGenerator<SourceRow, void, void> {
  for await (const read of readLines(source))
    yield read.problem === undefined ? parse(read.line, read.text) : { line: read.line, error: rowError(read.problem) }
}
