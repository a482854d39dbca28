import { type ConnectedTable, isFreeholdError, type Results, type Steps } from '@freehold/table'

/** What the caller's permission rested on is not so any more; nothing was written. The flow asks for it again. */
export class GroundsChanged extends Error {}

export interface WritingWhole {
  /** False: what the steps leave to durable jobs is not waited for. */
  readonly wait?: boolean | undefined
  /** Called where the steps were written, and then a removal among them was taken back: its item was taken into use meanwhile. */
  readonly onTakenBack?: (() => Promise<void>) | undefined
  /** Checks of what the caller's permission rests on, in the same transaction. */
  readonly grounds?: Steps
}

/**
 * All steps in one transaction. Throws the error of the first step that failed, in their order: a caller of a flow knows nothing of its steps.
 * Throws `GroundsChanged` where one of the grounds has gone.
 */
export async function writeWhole<const S extends Steps>(
  table: Pick<ConnectedTable, 'transact'>,
  steps: S,
  { wait = true, onTakenBack, grounds = {} }: WritingWhole = {},
): Promise<Results<S>> {
  try {
    // The results of the steps are among those of all.
    return (await table.transact({ ...grounds, ...steps }, { wait })) as Results<S>
  } catch (error) {
    // In use already, the transaction fails as a whole; only a removal's own job says so by itself.
    if (isFreeholdError(error, 'InUse')) await onTakenBack?.()
    if (!isFreeholdError(error, 'TransactionFailed')) throw error
    const failures = error.details.failures ?? {}
    if (Object.keys(grounds).some((ground) => failures[ground] !== undefined)) throw new GroundsChanged('grounds', { cause: error })
    const first = Object.keys(steps).find((step) => failures[step] !== undefined)
    throw (first === undefined ? undefined : failures[first]) ?? error
  }
}
