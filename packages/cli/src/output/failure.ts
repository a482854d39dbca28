import type { FreeholdError } from '@freehold/table'
import { type Exit, exit, jsonLine, type Shell } from '../shell.ts'
import { safeText } from './safe-text.ts'

/** An error as a person or a program sees it. */
export interface Failure {
  /** A code of docs/reference/errors.md, or `Unexpected` for an error that should not have happened. */
  readonly code: string
  readonly message: string
  /** The wrong attributes, parameters or fields, each with its problem. */
  readonly issues?: readonly unknown[]
  /** The failed operation may have been applied. */
  readonly uncertain?: true
  readonly exit: Exit
}

/** Errors of these categories are answers: no, not found, already exists, changed by another writer. */
const answers: ReadonlySet<string> = new Set(['missing', 'conflict', 'denied'])

/** The sentence for an unexpected error. It has the error's name, but not its message, which may quote data. */
export function unexpectedSentence(error: unknown): string {
  const name = error instanceof Error ? error.name : typeof error
  return `An unexpected error happened (${name}). Please report the command that you ran. A part of its work may be done.`
}

/** An error with its own sentence and code, without its cause and stack. */
export async function failureOf(shell: Pick<Shell, 'env'>, error: unknown): Promise<Failure> {
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

/** In errors with these names AWS quotes signed text and credentials. */
const isAboutSecrets = /Signature|Token|Credential/i

/** The sentence of DynamoDB or of another engine that refused a request. No service tells it to its callers. */
export function refusalOf({ cause, details: { failure } }: FreeholdError): readonly string[] {
  // A decision's or a job's error stands around that of storage. The class of errors is loaded late.
  if (cause instanceof Error && 'details' in cause) return refusalOf(cause as FreeholdError)
  const isTold = cause instanceof Error && (failure === 'invalid' || failure === 'refused') && !isAboutSecrets.test(cause.name)
  return isTold && cause.message !== '' ? [`It says: ${cause.message}`] : []
}

/** Advice that only the command can give. */
function hintOf({ env }: Pick<Shell, 'env'>, error: FreeholdError): readonly string[] {
  const {
    cause,
    details: { failure },
  } = error
  // The disk of the embedded engine fails, and its sentence says what to do.
  if (cause instanceof Error && cause.name === 'StorageError') return error.message === cause.message ? [] : [cause.message]
  if (failure === 'missing-table') return ['`freehold setup` creates it, and --table names another.']
  const told = refusalOf(error)
  if (told.length > 0) return told
  const name = (['DYNAMODB_ENDPOINT', 'AWS_ENDPOINT_URL_DYNAMODB', 'AWS_ENDPOINT_URL'] as const).find((each) => env[each] !== undefined)
  if (failure === 'unreached' && name !== undefined)
    return [`${name} is ${env[name]}: start the database there, or unset it to use the embedded engine.`]
  return []
}

/** Writes an error to stderr: a sentence for a person, one line of JSON for a program. */
export function reportFailure(shell: Pick<Shell, 'err'>, { code, message, issues, uncertain }: Failure, asJson: boolean): void {
  const words = safeText(message)
  const error = { code, message: words, ...(issues === undefined ? {} : { issues }), ...(uncertain === undefined ? {} : { uncertain }) }
  shell.err(asJson ? jsonLine({ error }) : `freehold: ${words} (${code})\n`)
}
