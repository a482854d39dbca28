import { type ConnectedTable, isFreeholdError, type Results, type Steps } from '@freehold/table'

export interface WritingWhole {
  /** False: what the steps leave to durable jobs is not waited for. */
  readonly wait?: boolean | undefined
  /** Called where the steps were written, and then a removal among them was taken back: its item was taken into use meanwhile. */
  readonly onTakenBack?: (() => Promise<void>) | undefined
}

/** All steps in one transaction. Throws the error of the first step that failed, in their order: a caller of a flow knows nothing of its steps. */
export async function writeWhole<const S extends Steps>(
  table: Pick<ConnectedTable, 'transact'>,
  steps: S,
  { wait = true, onTakenBack }: WritingWhole = {},
): Promise<Results<S>> {
  try {
    return await table.transact(steps, { wait })
  } catch (error) {
    // In use already, the transaction fails as a whole; only a removal's own job says so by itself.
    if (isFreeholdError(error, 'InUse')) await onTakenBack?.()
    if (!isFreeholdError(error, 'TransactionFailed')) throw error
    const failures = error.details.failures ?? {}
    const first = Object.keys(steps).find((step) => failures[step] !== undefined)
    throw (first === undefined ? undefined : failures[first]) ?? error
  }
}
