import { jobsPartition } from '../design/design.ts'
import type { SinceLost } from '../dynamo/retry.ts'
import type { Sender } from '../dynamo/sender.ts'
import { isFreeholdError } from '../errors.ts'
import type { Runtime } from './runtime.ts'
import { trySend } from './send.ts'

/** A minute less than the ten that a token is remembered for: between sending a request and its arrival time passes, too. */
const remembered_ms = 9 * 60_000

interface AcknowledgedToken {
  readonly token: string
  readonly sent_ms: number
}

/** Of each sender the last transaction that was acknowledged. */
const acknowledged = new WeakMap<Sender, AcknowledgedToken>()

/** Keeps the token of a transaction that was acknowledged: it shows later whether the engine has been started again since. */
export function rememberToken({ sender }: Runtime, token: string, sent_ms: number): void {
  if (sender.keepsTokens !== true) acknowledged.set(sender, { token, sent_ms })
}

/** What the runtime keeps of itself lies there, and nothing under this key. */
const nowhere = { PK: { S: jobsPartition }, SK: { S: 'TOKEN' } }

/**
 * Sends the token of an earlier transaction with another request, one that changes nothing: what remembers the token refuses that, as DynamoDB's
 * API reference says of IdempotentParameterMismatchException. Throws as `trySend` where there is no answer.
 */
async function isRemembered(runtime: Runtime, ClientRequestToken: string): Promise<boolean> {
  const check = { TableName: runtime.table, Key: nowhere, ConditionExpression: 'attribute_not_exists(#n0)' }
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
 * True where a transaction whose answer was lost may be sent again: its token is still remembered, so that it is applied once. DynamoDB remembers
 * tokens for ten minutes. The embedded engine, and others that run on one machine, forget them when they are started again; then a repeated creation
 * would bring back an item that others removed.
 */
export async function keepsTokens(runtime: Runtime, { wasUnreached }: SinceLost): Promise<boolean> {
  const { sender, monotonic_ms } = runtime
  if (sender.keepsTokens === true) return true
  const known = acknowledged.get(sender)
  // Nothing was acknowledged that could tell. An engine that is started again refuses connections meanwhile.
  if (known === undefined || monotonic_ms() - known.sent_ms > remembered_ms) return !wasUnreached
  const isKept = await isRemembered(runtime, known.token).catch(() => undefined)
  // By now the token names the question, and asking again would tell nothing.
  if (isKept === false) acknowledged.delete(sender)
  return isKept === true
}
