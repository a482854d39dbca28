import { invalid, ServiceError } from '../errors.ts'
import type { Item } from '../value/attribute-value.ts'

/** Why an action cancelled its transaction (API Reference, CancellationReason). */
export interface Reason {
  readonly Code: 'None' | 'ConditionalCheckFailed' | 'ValidationError' | 'TransactionConflict' | 'ProvisionedThroughputExceeded'
  readonly Message?: string
  readonly Item?: Item
}

export function cancelled(reasons: readonly Reason[]): ServiceError {
  const codes = reasons.map(({ Code }) => Code).join(', ')
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
  return new ServiceError('TransactionCanceledException', message, { CancellationReasons: reasons })
}

/** The reason that an action's own error is. @throws the error itself if it concerns the whole request */
export function reasonOf(error: unknown): Reason {
  if (!(error instanceof ServiceError)) throw error
  const { name, message, details } = error
  if (name === 'ValidationException') return { Code: 'ValidationError', Message: message }
  if (name !== 'ConditionalCheckFailedException') throw error
  // Its details are those that `conditionFailed` gave it.
  return { Code: 'ConditionalCheckFailed', Message: message, ...(details as { readonly Item?: Item }) }
}

/** @throws ServiceError for a transaction that names an item twice */
export function checkOnce(places: readonly string[]): void {
  if (new Set(places).size < places.length) throw invalid('Transaction request cannot include multiple operations on one item')
}
