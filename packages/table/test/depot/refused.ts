import { type ErrorCode, FreeholdError } from '../../src/errors.ts'

/** The error that some work ends in. Fails where it does not. */
export async function refusal(work: Promise<unknown>): Promise<FreeholdError> {
  const error = await work.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  if (!(error instanceof FreeholdError)) throw error
  return error
}

export async function codeOf(work: Promise<unknown>): Promise<ErrorCode> {
  return (await refusal(work)).code
}
