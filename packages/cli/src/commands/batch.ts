import type { DesignModule } from '@freehold/frame'
import type { Can, Consistency } from '@freehold/frame/decision'
import { type Cost, isFreeholdError } from '@freehold/table'
import { parallelMap } from '@freehold/table/runtime'
import { checkEmailDomain } from '../input/email-domain.ts'
import { type QuestionRow, readQuestions } from '../input/questions.ts'
import type { TableOptions } from '../opening/open-table.ts'
import type { ReachedQuestions } from '../opening/reached-design.ts'
import { withDesign } from '../opening/with-design.ts'
import { exitOf } from '../output/answer.ts'
import { counted } from '../output/counted.ts'
import { progressOf } from '../output/progress.ts'
import { safeText, shownValue } from '../output/safe-text.ts'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'

export interface BatchOptions extends TableOptions {
  readonly file: string
  readonly location?: string
  readonly client?: string
  readonly emailDomain: string
  readonly consistency: Consistency
}

/** An answer, or the error of its row. */
type Answer = Can | { readonly error: { readonly code: string; readonly message: string; readonly line: number } }

/** The number of questions asked at once: enough to keep the table busy, few enough for the memory. */
const chunk_max = 500

async function* chunksOf(rows: AsyncIterable<QuestionRow>): AsyncGenerator<readonly QuestionRow[], void, void> {
  let chunk: QuestionRow[] = []
  for await (const row of rows) {
    chunk.push(row)
    if (chunk.length < chunk_max) continue
    yield chunk
    chunk = []
  }
  if (chunk.length > 0) yield chunk
}

async function answerOne(questions: ReachedQuestions, { line, question, problem }: QuestionRow, consistency: Consistency): Promise<Answer> {
  if (problem !== undefined) return { error: { code: 'InvalidInput', message: problem, line } }
  try {
    return await questions.can(question, { consistency })
  } catch (error) {
    // A malformed row does not affect the others.
    if (!isFreeholdError(error) || error.category !== 'invalid') throw error
    return { error: { code: error.code, message: error.message, line } }
  }
}

interface Sums {
  yes: number
  no: number
  unanswered: number
  roundTrips: number
  requests: number
  readUnits: number
  /** False where a service has answered, which tells no cost. */
  isMetered: boolean
}

function add(sums: Sums, answers: readonly Answer[], cost: Cost | undefined): void {
  const words = ['yes', 'no', 'unanswered'] as const
  for (const answer of answers) sums[words['error' in answer ? exit.unanswered : exitOf(answer)]] += 1
  if (cost === undefined) sums.isMetered = false
  sums.roundTrips += cost?.roundTrips ?? 0
  sums.requests += cost?.requests ?? 0
  sums.readUnits += cost?.readUnits ?? 0
}

/** A field in words. A field with parts, such as a permission, is shown by its parts. */
function shownPart(value: unknown): string {
  return typeof value === 'object' && value !== null ? Object.values(value).map(shownValue).join(':') : shownValue(value)
}

function lineOf({ question, line }: QuestionRow, answer: Answer): string {
  if ('error' in answer) return `?    line ${line}: ${safeText(answer.error.message)}\n`
  const words = answer.allowed ? 'yes' : exitOf(answer) === exit.no ? 'no ' : '?  '
  const reason = answer.reason === undefined ? '' : `  ${answer.reason.code}`
  return `${words}  ${Object.values(question).map(shownPart).join('  ')}${reason}\n`
}

function summary({ yes, no, unanswered, roundTrips, requests, readUnits, isMetered }: Sums): string {
  const counts = `${counted(yes + no + unanswered, 'question')}: ${yes} yes, ${no} no, ${unanswered} unanswered`
  if (!isMetered) return `${counts}\n`
  return `${counts}; ${counted(roundTrips, 'round trip')}, ${counted(requests, 'request')}, ${counted(readUnits, 'request unit')}\n`
}

/** Answers the questions of a CSV in order, a line each. Exits with 2 if one of them could not be answered. */
export async function answerBatch(shell: Shell, module: DesignModule, options: BatchOptions): Promise<Exit> {
  const { consistency, json = false, file, emailDomain, location, client } = options
  checkEmailDomain(emailDomain)
  return withDesign(shell, { module, name: 'freehold can', isReading: true }, options, async (reached) => {
    const questions = reached.questions()
    const progress = progressOf(shell)
    const sums: Sums = { yes: 0, no: 0, unanswered: 0, roundTrips: 0, requests: 0, readUnits: 0, isMetered: true }
    const source = { file, emailDomain, ...(await questions.fields()), scopes: { location, client } }
    for await (const chunk of chunksOf(readQuestions(shell, source))) {
      const { result, cost } = await reached.metered(() => parallelMap(chunk, (row) => answerOne(questions, row, consistency)))
      add(sums, result, cost)
      const lines = chunk.map((row, index) => {
        const answer = result[index] as Answer // one for each row, in order
        return json ? jsonLine(answer) : lineOf(row, answer)
      })
      await shell.out(lines.join(''))
      progress.show(`${counted(sums.yes + sums.no + sums.unanswered, 'question')} answered`)
    }
    progress.end()
    shell.err(summary(sums))
    return sums.unanswered === 0 ? exit.yes : exit.unanswered
  })
}
