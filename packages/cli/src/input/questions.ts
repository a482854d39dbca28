import { csvRecords } from '@freehold/designs'
import { FreeholdError } from '@freehold/table'
import { counted } from '../output/counted.ts'
import { safeText } from '../output/safe-text.ts'
import type { Shell } from '../shell.ts'
import { readStream } from './input-file.ts'

/** A row of a batch with its line in the file: the question that it asks, or why it asks none. */
export interface QuestionRow {
  readonly line: number
  readonly question: Readonly<Record<string, string>>
  readonly problem?: string
}

export interface QuestionFile {
  readonly file: string
  /** The fields of a question, as the design's decider has them. */
  readonly fields: readonly string[]
  /** What fills the field `location` of questions without that column. */
  readonly location?: string | undefined
  readonly emailDomain: string
}

/** A question is a few names: a record beyond this is a quote that was never closed. */
const recordBytes_max = 64 * 1024

function refused(file: string, why: string): FreeholdError {
  return new FreeholdError('InvalidInput', `${safeText(file)}: ${why}.`, { issues: [] })
}

type ToQuestion = (row: Readonly<Record<string, string>>) => Readonly<Record<string, string>>

/** The fields that a matrix's row fills. */
const matrixFields = ['user', 'location', 'page'] as const

function shapeOf(header: readonly string[], { file, fields, location, emailDomain }: QuestionFile): ToQuestion {
  const names = new Set(header)
  if (names.size !== header.length) throw refused(file, 'two of its columns have one name')
  const filled = location === undefined || names.has('location') ? {} : { location }
  const isMatrix = names.size === 2 && names.has('user') && names.has('permission') && matrixFields.every((field) => fields.includes(field))
  if (isMatrix) {
    if (location === undefined) throw refused(file, 'a matrix of user,permission needs --location: where they may do it')
    return ({ user = '', permission = '' }) => ({ user: `${user}@${emailDomain}`, location, page: permission })
  }
  const foreign = [...header, ...Object.keys(filled)].filter((name) => !fields.includes(name)).map((name) => `'${safeText(name)}'`)
  if (foreign.length > 0) throw refused(file, `${foreign.join(' and ')} is no field of a question, which has ${fields.join(', ')}`)
  const missing = fields.filter((name) => !names.has(name) && !(name in filled))
  if (missing.length > 0) throw refused(file, `the column ${missing.join(' and ')} is missing; the first line names the columns`)
  return (row) => ({ ...filled, ...row })
}

function questionOf(header: readonly string[], record: readonly string[], line: number, toQuestion: ToQuestion): QuestionRow {
  const question = toQuestion(Object.fromEntries(header.map((name, index) => [name, record[index] ?? ''])))
  if (record.length === header.length) return { line, question }
  return { line, question, problem: `The row has ${counted(record.length, 'field')}, and the first line ${header.length}.` }
}

/**
 * Reads the questions of a CSV one after another: memory does not grow with the file. The first line names the columns: the fields of a
 * question in any order, or `user,permission`.
 * @throws InvalidInput for a file that cannot be read, for columns that are no fields, and for a record without an end
 */
export async function* readQuestions(shell: Shell, source: QuestionFile): AsyncGenerator<QuestionRow, void, void> {
  const { file } = source
  const broken = (_why: string, afterLine: number) =>
    refused(file, `what begins after line ${afterLine} is no CSV: a quote is not closed, or a row is longer than ${recordBytes_max} bytes`)
  let header: readonly string[] | undefined
  let toQuestion: ToQuestion = (row) => row
  for await (const { record, line } of csvRecords(await readStream(shell, file), { recordBytes_max, trims: true, broken })) {
    if (header === undefined) {
      header = record
      toQuestion = shapeOf(header, source)
    } else yield questionOf(header, record, line, toQuestion)
  }
  if (header === undefined) throw refused(file, 'it is empty; the first line names the columns')
}
