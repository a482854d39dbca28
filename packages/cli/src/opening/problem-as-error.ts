import { ProblemError } from '@freehold/client'
import { type ErrorCode, FreeholdError } from '@freehold/table'
import { errorCodes } from '@freehold/table/runtime'
import { invalid } from '../input/invalid.ts'

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null
const isText = (value: unknown) => typeof value === 'string'
const isIssue = (value: unknown) => isObject(value) && Array.isArray(value.path) && isText(value.message)

/** The details that a problem may tell, each by its form: others are left out, since the problem may be that of another program. */
const details: Readonly<Record<string, (value: unknown) => boolean>> = {
  issues: (value) => Array.isArray(value) && value.every(isIssue),
  entity: isText,
  attribute: isText,
  guard: isText,
  uncertain: (value) => value === true,
  pending: (value) => Array.isArray(value) && value.every(isObject),
}

/** A problem that a service told, as the error that the same call throws on a table. Other errors stay as they are. */
export function problemAsError(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error
  const { status, code, message, problem } = error
  // A key that is refused is no answer to what was asked.
  if (status === 401) return invalid(`${message} Set FREEHOLD_API_KEY to a key of this service.`)
  const told = Object.fromEntries(Object.entries(problem).filter(([name, value]) => Object.hasOwn(details, name) && details[name]?.(value)))
  return new FreeholdError(isCode(code) ? code : 'Unavailable', message, told, { cause: error })
}

/** The result of calls of a service, or the error that the same call throws on a table. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw problemAsError(error)
  }
}
