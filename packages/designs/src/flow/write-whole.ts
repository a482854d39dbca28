import { type ConnectedTable, type ExtraChecks, FreeholdError, isFreeholdError, type Results, type Steps } from '@freehold/table'
import type { Pendable } from '@freehold/table/runtime'

/** What the caller's permission rested on is not so any more; nothing was written. The flow asks for it again. */
export class GroundsChanged extends Error {}

export interface WritingWhole {
  /** False: what the steps leave to durable jobs is not waited for. */
  readonly wait?: boolean | undefined
  /** Called where the steps were written, and then a removal among them was taken back: its item was taken into use meanwhile. */
  readonly onTakenBack?: (() => Promise<void>) | undefined
  /**
   * Checks of what the caller's permission rests on, in the same transaction, in the order in which they matter: where it has no room for all of them,
   * the last are left out, of which `min` stay.
   */
  readonly grounds?: (ExtraChecks & { readonly min: number }) | undefined
}

/** DynamoDB's limit of one transaction. */
const actionsMax = 100

/** As many of the grounds as there is room for beside the steps. Of those that are of one item with a step each takes none. */
async function transactOn<const S extends Steps>(
  { transact }: Pick<ConnectedTable, 'transact'>,
  steps: S,
  wait: boolean,
  { table, checks, min }: NonNullable<WritingWhole['grounds']>,
): Promise<Results<S> & Pendable> {
  for (let kept = Object.entries(checks); ; ) {
    try {
      return await transact(steps, { wait, extraChecks: { table, checks: Object.fromEntries(kept) } })
    } catch (error) {
      const excess = isFreeholdError(error, 'TooLarge') ? Number(error.details.actions ?? 0) - actionsMax : 0
      if (excess <= 0 || kept.length - excess < min) throw error
      kept = kept.slice(0, -excess)
    }
  }
}

/**
 * A refusal after an answer was lost, as flows tell it: they take AlreadyExists and its like for answers, which this is not, as the write may have
 * been applied (spec rule 13).
 */
function uncertain(refusal: FreeholdError): FreeholdError {
  if (refusal.category === 'unavailable' || refusal.category === 'retryable') return refusal
  return new FreeholdError('Unavailable', refusal.message, { uncertain: true }, { cause: refusal })
}

/**
 * All steps in one transaction. Throws the error of the first step that failed, in their order: a caller of a flow knows nothing of its steps.
 * Throws `GroundsChanged` where one of the grounds has gone, and `Unavailable`, `uncertain`, for a refusal after an answer was lost.
 */
export async function writeWhole<const S extends Steps>(
  table: Pick<ConnectedTable, 'transact'>,
  steps: S,
  { wait = true, onTakenBack, grounds }: WritingWhole = {},
): Promise<Results<S> & Pendable> {
  try {
    return await (grounds === undefined ? table.transact(steps, { wait }) : transactOn(table, steps, wait, grounds))
  } catch (error) {
    // In use already, the transaction fails as a whole; only a removal's own job says so by itself.
    if (isFreeholdError(error, 'InUse')) await onTakenBack?.()
    if (isFreeholdError(error) && error.details.uncertain === true) throw uncertain(error)
    if (!isFreeholdError(error, 'TransactionFailed')) throw error
    const failures = error.details.failures ?? {}
    if (Object.keys(grounds?.checks ?? {}).some((ground) => failures[ground] !== undefined))
      throw new GroundsChanged('grounds', { cause: error })
    const first = Object.keys(steps).find((step) => failures[step] !== undefined)
    throw (first === undefined ? undefined : failures[first]) ?? error
  }
}
