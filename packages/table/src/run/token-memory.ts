import { jobsPartition } from '../design/design.ts'
import type { SinceLost } from '../dynamo/retry.ts'
import type { Sender } from '../dynamo/sender.ts'
import { isFreeholdError } from '../errors.ts'
import type { Runtime } from './runtime.ts'
import { trySend } from './send.ts'

/** A minute less than the ten that a token is remembered for: between sending a request and its arrival time passes, too. */
const remembered_ms = 9 * 60_000

export interface AcknowledgedToken {
  readonly token: string
  /** Of the transaction: the question is always asked of the same table, so that it is always the same request. */
  readonly table: string
  readonly sent_ms: number
}

/** Of each sender the last transaction that was acknowledged. */
const acknowledged = new WeakMap<Sender, AcknowledgedToken>()

/** Keeps the token of a transaction that was acknowledged: it shows later whether the engine has been started again since. */
export function rememberToken({ sender, table }: Runtime, token: string, sent_ms: number): void {
  if (sender.keepsTokens !== true) acknowledged.set(sender, { token, table, sent_ms })
}

/** A token that can tell of a restart after now; one that is acknowledged later may be of the engine as it was started again. */
export function tokenBefore({ sender, monotonic_ms }: Runtime): AcknowledgedToken | undefined {
  const known = acknowledged.get(sender)
  return known === undefined || monotonic_ms() - known.sent_ms > remembered_ms ? undefined : known
}

/** What the runtime keeps of itself lies there, and nothing under this key. */
const nowhere = { PK: { S: jobsPartition }, SK: { S: 'TOKEN' } }

/**
 * Sends the token of an earlier transaction with another request, one that changes nothing: what remembers the token refuses that, as DynamoDB's
 * API reference says of IdempotentParameterMismatchException. Throws as `trySend` where there is no answer.
 */
async function isRemembered(runtime: Runtime, { token: ClientRequestToken, table: TableName }: AcknowledgedToken): Promise<boolean> {
  const check = { TableName, Key: nowhere, ConditionExpression: 'attribute_not_exists(#n0)' }
  const TransactItems = [{ ConditionCheck: { ...check, ExpressionAttributeNames: { '#n0': 'PK' } } }]
  try {
    await trySend(runtime, 'TransactWriteItems', { TransactItems, ClientRequestToken })
    return false
  } catch (error) {
    if (isFreeholdError(error) && error.details.failure === 'idempotency') return true
    throw error
  }
}

/**
 * True where a transaction whose answer was lost may be sent again: its token is still remembered, so that it is applied once. `known` was acknowledged
 * before its first attempt. DynamoDB remembers
 * tokens for ten minutes. The embedded engine, and others that run on one machine, forget them when they are started again; then a repeated creation
 * would bring back an item that others removed.
 */
export async function keepsTokens(runtime: Runtime, known: AcknowledgedToken | undefined, { wasUnreached }: SinceLost): Promise<boolean> {
  const { sender } = runtime
  if (sender.keepsTokens === true) return true
  // Nothing was acknowledged that could tell. An engine that is started again refuses connections meanwhile.
  if (known === undefined) return !wasUnreached
  const isKept = await isRemembered(runtime, known).catch(() => undefined)
  // From now on the token names the question: it tells of this restart to all who knew it before, and of no later one.
  if (isKept === false && acknowledged.get(sender) === known) acknowledged.delete(sender)
  return isKept === true
}
