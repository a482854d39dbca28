import { type ConnectedTable, isFreeholdError, type Results, type Steps } from '@freehold/table'

/**
 * All steps in one transaction. Throws the error of the first step that failed, in their order: a caller of a flow knows nothing of its steps.
 * `wait: false` does not wait for what the steps leave to durable jobs.
 */
export async function writeWhole<const S extends Steps>(
  table: Pick<ConnectedTable, 'transact'>,
  steps: S,
  wait: boolean | undefined = true,
): Promise<Results<S>> {
  try {
    return await table.transact(steps, { wait })
  } catch (error) {
    if (!isFreeholdError(error, 'TransactionFailed')) throw error
    const failures = error.details.failures ?? {}
    const first = Object.keys(steps).find((step) => failures[step] !== undefined)
    throw (first === undefined ? undefined : failures[first]) ?? error
  }
}
