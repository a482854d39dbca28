import type { FreeholdError } from '@freehold/table'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'
import { safeText } from './safe-text.ts'

/** What a person or a program is told of an error. */
export interface Failure {
  /** A code of docs/reference/errors.md; `Unexpected` for what should not have happened. */
  readonly code: string
  readonly message: string
  /** Which attributes, parameters or fields do not fit, and why. */
  readonly issues?: readonly unknown[]
  /** What failed may have been done all the same. */
  readonly uncertain?: true
  readonly exit: Exit
}

/** Errors of these categories are an answer: no, not found, there already, changed by someone else. */
const answers: ReadonlySet<string> = new Set(['missing', 'conflict', 'denied'])

/** What is told of an error that nobody expected: its name, and nothing that it may quote. */
export function unexpectedSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  return `Something went wrong that should not have (${name}). Please report what you ran; what was asked for may be done in part.`
}

/** The error as it is told: its own sentence and code, nothing of its cause or stack. */
export async function failureOf(shell: Shell, error: unknown): Promise<Failure> {
  // Loaded here, so that help and usage errors do not wait for it.
  const { isFreeholdError } = await import('@freehold/table')
  if (!isFreeholdError(error)) return { code: 'Unexpected', message: unexpectedSentence(error), exit: exit.unanswered }
  const { code, message, category, details } = error
  const { failures, issues } = details
  const parts = Object.entries(failures ?? {}).map(([step, failure]) => `${step}: ${failure.message}`)
  return {
    code,
    message: [message, ...hintOf(shell, error), ...parts].join(' '),
    ...(issues === undefined || issues.length === 0 ? {} : { issues }),
    ...(details.uncertain === true ? { uncertain: true } : {}),
    exit: answers.has(category) ? exit.no : exit.unanswered,
  }
}

/** What SQLite says in the engine when it cannot write. */
const fullWords = /disk is full|disk I\/O error/

/** What to do about it that only the command knows. */
function hintOf({ env }: Shell, { cause, details: { failure } }: FreeholdError): readonly string[] {
  if (cause instanceof Error && fullWords.test(cause.message))
    return ['The disk that holds the data is full: make room on it, then try again.']
  if (failure === 'missing-table') return ['Make it with `freehold setup`, or name another with --table.']
  if (failure === 'unreached' && env.DYNAMODB_ENDPOINT !== undefined)
    return [`DYNAMODB_ENDPOINT is ${env.DYNAMODB_ENDPOINT}: start what answers there, or unset it to use the embedded engine.`]
  return []
}

/** Writes an error to stderr: a sentence for a person, one line of JSON for a program. */
export function reportFailure(shell: Shell, { code, message, issues, uncertain }: Failure, asJson: boolean): void {
  const words = safeText(message)
  const error = { code, message: words, ...(issues === undefined ? {} : { issues }), ...(uncertain === undefined ? {} : { uncertain }) }
  shell.err(asJson ? jsonLine({ error }) : `freehold: ${words} (${code})\n`)
}
