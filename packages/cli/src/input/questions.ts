import { importedPermission } from '@freehold/designs/account-management'
import { type CsvRecord, csvRecords, headerHint } from '@freehold/frame/exchange'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readStream } from './input-file.ts'
import { invalid } from './invalid.ts'

/** A row of a batch with its line in the file: its question, or the problem with it. */
export interface QuestionRow {
  readonly line: number
  readonly question: Readonly<Record<string, unknown>>
  readonly problem?: string
}

/** The scopes of the questions of a file. Each fills the field of the same name, if the file has no such column. */
export interface QuestionScopes {
  readonly location?: string | undefined
  readonly client?: string | undefined
}

export interface QuestionFile {
  readonly file: string
  /** The fields of a question of the design's decider, and the optional ones among them. */
  readonly fields: readonly string[]
  readonly optionalFields: readonly string[]
  readonly scopes: QuestionScopes
  readonly emailDomain: string
}

/** A question has only a few names, so a longer record has an unclosed quote. */
const recordBytes_max = 64 * 1024

const refused = (file: string, why: string) => invalid(`${safeText(file)}: ${why}.`)

/** The columns of a matrix. */
const matrixFields = ['user', 'permission']

type Cells = Readonly<Record<string, string>>
type Question = QuestionRow['question']
type ToQuestion = (row: Cells) => Question

/** The question of a row of a matrix, by the kind of scope to which the design imports matrices. */
const matrixQuestions: Readonly<Record<keyof QuestionScopes, (user: string, permission: string, scope: string) => Question>> = {
  location: (user, page, location) => ({ user, location, page }),
  client: (user, permission, client) => ({ user, client, permission: importedPermission(permission) }),
}

/** How the rows of a matrix become questions. Undefined for another file, or a design that imports no matrices. */
function matrixShape(header: ReadonlySet<string>, { file, fields, scopes, emailDomain }: QuestionFile): ToQuestion | undefined {
  if (header.size !== 2 || !header.has('user') || !header.has('permission')) return undefined
  const [scope] = (['location', 'client'] as const).filter((name) =>
    Object.keys(matrixQuestions[name]('', '', '')).every((field) => fields.includes(field)),
  )
  if (scope === undefined) return undefined
  const at = scopes[scope]
  if (at === undefined) throw refused(file, `a matrix of user,permission needs --${scope}: the scope of the questions`)
  return ({ user = '', permission = '' }) => matrixQuestions[scope](`${user}@${emailDomain}`, permission, at)
}

function refuseForeign(given: readonly string[], { file, fields }: QuestionFile, advice = ''): void {
  const foreign = given.filter((name) => !fields.includes(name)).map((name) => `'${safeText(name)}'`)
  if (foreign.length === 0) return
  const hint = headerHint(given, [...fields, ...matrixFields])
  const has = `which has ${fields.join(', ')}${hint === undefined ? '' : `; ${safeText(hint)}`}`
  throw refused(file, `${advice}${foreign.join(' and ')} is not a field of a question, ${has}`)
}

/** The field of a column: a column `resource.type` is a part of the field `resource`. */
const fieldOf = (column: string): string => column.split('.')[0] ?? column

/** The fields of a row, of which those with parts are made of several columns. An empty part is absent. */
function fieldsOf(cells: readonly (readonly [column: string, text: string])[]): Question {
  const question = new Map<string, unknown>()
  for (const [column, text] of cells) {
    const field = fieldOf(column)
    if (field === column) question.set(field, text)
    else if (text !== '') {
      const parts = question.get(field)
      // Only this function sets such a field: no column has the name of the whole.
      question.set(field, { ...(parts as object | undefined), ...Object.fromEntries([[column.slice(field.length + 1), text]]) })
    }
  }
  return Object.fromEntries(question)
}

function shapeOf(header: readonly string[], source: QuestionFile): ToQuestion {
  const { file, fields, optionalFields, scopes } = source
  const columns = new Set(header)
  const names = new Set(header.map(fieldOf))
  const split = header.filter((column) => fieldOf(column) !== column && columns.has(fieldOf(column)))
  if (split.length > 0) throw refused(file, `the column '${safeText(split[0] ?? '')}' is a part of another column`)
  if (columns.size !== header.length) throw refused(file, 'two of its columns have the same name')
  const filled: Cells = Object.fromEntries(
    Object.entries(scopes).flatMap(([name, value]) => (value === undefined || names.has(name) ? [] : [[name, value]])),
  )
  for (const name of Object.keys(filled)) refuseForeign([name], source, `leave --${name} out, since `)
  const asMatrix = matrixShape(columns, source)
  if (asMatrix !== undefined) return asMatrix
  refuseForeign([...names], source)
  const missing = fields.filter((name) => !names.has(name) && !(name in filled) && !optionalFields.includes(name))
  if (missing.length > 0) throw refused(file, `the column ${missing.join(' and ')} is missing; the first line names the columns`)
  // An empty cell of an optional field is absent.
  const isThere = ([name, value]: readonly [string, string]) => value !== '' || !optionalFields.includes(name)
  return (row) => fieldsOf(Object.entries({ ...filled, ...row }).filter(isThere))
}

function questionOf(header: readonly string[], record: CsvRecord['record'], line: number, toQuestion: ToQuestion): QuestionRow {
  if (record === undefined) return { line, question: {}, problem: 'The row is not UTF-8: save the file as UTF-8.' }
  const question = toQuestion(Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])))
  if (record.length === header.length) return { line, question }
  return { line, question, problem: `The row has ${counted(record.length, 'field')}, but the first line ${header.length}.` }
}

/**
 * Reads the questions of a CSV one after another, so that memory does not grow with the file. The first line names the columns: the fields
 * of a question in any order, or `user,permission`.
 * @throws InvalidInput for a file that cannot be read, for columns that are not fields, and for an unclosed record
 */
export async function* readQuestions(shell: Shell, source: QuestionFile): AsyncGenerator<QuestionRow, void, void> {
  const { file } = source
  const broken = (_why: string, afterLine: number) =>
    refused(file, `after line ${afterLine} it is not CSV: a quote is not closed, or a row is longer than ${recordBytes_max} bytes`)
  let header: readonly string[] | undefined
  let toQuestion: ToQuestion = (row) => row
  for await (const { record, line } of csvRecords(await readStream(shell, file), { recordBytes_max, trims: true, broken })) {
    if (header === undefined) {
      if (record === undefined) throw refused(file, `line ${line} is not UTF-8: save it as UTF-8`)
      header = record
      toQuestion = shapeOf(header, source)
    } else yield questionOf(header, record, line, toQuestion)
  }
  if (header === undefined) throw refused(file, 'it is empty; the first line names the columns')
}
