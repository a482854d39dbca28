import { ProblemError } from '@freehold/client'
import { type ErrorCode, FreeholdError } from '@freehold/table'
import { errorCodes } from '@freehold/table/runtime'

const isCode = (code: string): code is ErrorCode => Object.hasOwn(errorCodes, code)

/** A problem that a service told, as the error that the same call throws on a table. Other errors stay as they are. */
export function problemAsError(error: unknown): unknown {
  if (!(error instanceof ProblemError)) return error
  const { status, code, message, problem } = error
  // A key that is refused is no answer to what was asked.
  if (status === 401) return new FreeholdError('InvalidInput', `${message} Set FREEHOLD_API_KEY to a key of this service.`, { issues: [] })
  if (!isCode(code)) return new FreeholdError('Unavailable', message, {}, { cause: error })
  const { issues, entity, attribute, guard, uncertain, pending } = problem
  const told = Object.fromEntries(
    Object.entries({ issues, entity, attribute, guard, uncertain, pending }).filter(([, value]) => value !== undefined),
  )
  return new FreeholdError(code, message, told, { cause: error })
}

/** The result of calls of a service, or the error that the same call throws on a table. */
export async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call()
  } catch (error) {
    throw problemAsError(error)
  }
}
