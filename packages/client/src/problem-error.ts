/** A problem that the service answered, or that no answer came. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError'
  /** The HTTP status; 0 if no answer came. */
  readonly status: number
  /** The stable code of the service's errors: `NotFound`, `Denied`, `Busy`. `Unreached` if no answer came. */
  readonly code: string
  /** All members of the problem: `issues`, `entity`, `uncertain`, … */
  readonly problem: Readonly<Record<string, unknown>>

  constructor(status: number, code: string, message: string, problem: Readonly<Record<string, unknown>> = {}, options?: ErrorOptions) {
    super(message, options)
    this.status = status
    this.code = code
    this.problem = problem
  }
}

/** The same error of a write that may have been applied (spec rule 13). */
export function uncertain(error: ProblemError): ProblemError {
  const { status, code, message, problem, cause } = error
  if (problem.uncertain === true) return error
  const told = `${message} An answer was lost, so this write may have been applied: read before you try again.`
  return new ProblemError(status, code, told, { ...problem, uncertain: true }, { cause })
}
