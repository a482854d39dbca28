import { readJson } from '../read-json.ts'
import { rowCharactersMax, rowError, type Source, type SourceRow } from './source-row.ts'

/** Lines without their ends. Only a line feed ends one: JSON leaves U+2028 and U+2029 unescaped inside text. */
async function* linesOf(source: Source): AsyncGenerator<string | undefined, void, void> {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let isTooLong = false
  for await (const piece of source) {
    const lines = (rest + (typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }))).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) {
      yield isTooLong || line.length > rowCharactersMax ? undefined : line
      isTooLong = false
    }
    if (rest.length > rowCharactersMax) {
      isTooLong = true
      rest = ''
    }
  }
  rest += decoder.decode()
  if (isTooLong || rest !== '') yield isTooLong ? undefined : rest
}

function parse(line: number, text: string | undefined): SourceRow {
  if (text === undefined) return { line, error: rowError(`has more than ${rowCharactersMax} characters`) }
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
  let line = 0
  for await (const text of linesOf(source)) {
    line++
    if (text !== undefined && text.trim() === '') continue
    yield parse(line, text)
  }
}
