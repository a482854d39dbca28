import { jobsPartition } from '../design/design.ts'
import { errorOf } from '../dynamo/error.ts'
import type { SinceLost } from '../dynamo/retry.ts'
import type { Sender } from '../dynamo/sender.ts'
import { watchedSender } from '../dynamo/watched-sender.ts'
import { isFreeholdError } from '../errors.ts'
import type { Runtime } from './runtime.ts'
import { trySend } from './send.ts'
import { newWriteId } from './write-id.ts'

/** A token is remembered for ten minutes. A minute less is used, since a request takes time to arrive. */
const remembered_ms = 9 * 60_000

interface TokenOfTable {
  readonly token: string
  /** The table of the transaction. The probe always uses the same table, so that it is always the same request. */
  readonly table: string
}

export interface AcknowledgedToken extends TokenOfTable {
  readonly sent_ms: number
}

/** By sender: the last acknowledged transaction. */
const acknowledged = new WeakMap<Sender, AcknowledgedToken>()

/** Keeps the token of an acknowledged transaction. It shows later whether the engine has been restarted since. */
export function rememberToken({ sender, table }: Runtime, token: string, sent_ms: number): void {
  if (sender.keepsTokens !== true) acknowledged.set(sender, { token, table, sent_ms })
}

/** A token that can reveal a restart after this moment. A later token may belong to the restarted engine. */
export function tokenBefore({ sender, monotonic_ms }: Runtime): AcknowledgedToken | undefined {
  const known = acknowledged.get(sender)
  return known === undefined || monotonic_ms() - known.sent_ms > remembered_ms ? undefined : known
}

/** A key in the runtime's own partition that never has an item. */
const nowhere = { PK: { S: jobsPartition }, SK: { S: 'TOKEN' } }

/** Two attributes make two requests. */
async function checkNowhere(runtime: Runtime, { token: ClientRequestToken, table: TableName }: TokenOfTable, attribute: 'PK' | 'SK') {
  const check = { TableName, Key: nowhere, ConditionExpression: 'attribute_not_exists(#n0)' }
  const TransactItems = [{ ConditionCheck: { ...check, ExpressionAttributeNames: { '#n0': attribute } } }]
  await trySend(runtime, 'TransactWriteItems', { TransactItems, ClientRequestToken })
}

/**
 * Sends the token of an earlier transaction with another request, which changes nothing. An engine that remembers the token refuses it
 * (IdempotentParameterMismatchException in DynamoDB's API reference). Throws as `trySend` if there is no answer.
 */
async function isRemembered(runtime: Runtime, known: TokenOfTable): Promise<boolean> {
  try {
    await checkNowhere(runtime, known, 'PK')
    return false
  } catch (error) {
    if (isFreeholdError(error) && error.details.failure === 'idempotency') return true
    throw error
  }
}

/** By sender: whether its engine remembers tokens at all. Some local engines do not. */
const probed = new WeakMap<Sender, Promise<boolean>>()

/**
 * Sends two transactions that change nothing with one token. Rejects if there is no answer, or if a connection was refused on the way: the engine was
 * restarted then, and has forgotten what was sent before.
 */
async function probe(runtime: Runtime): Promise<boolean> {
  let wasUnreached = false
  const sender = watchedSender(runtime.sender, ({ outcome }) => {
    wasUnreached ||= outcome === 'unreached'
  })
  const of = { token: newWriteId(), table: runtime.table }
  await checkNowhere({ ...runtime, sender }, of, 'SK')
  const isKept = await isRemembered({ ...runtime, sender }, of)
  if (wasUnreached) throw errorOf({ kind: 'unreached', cause: undefined })
  return isKept
}

/** Probes the engine of each sender once. */
function remembersTokens(runtime: Runtime): Promise<boolean> {
  const known = probed.get(runtime.sender)
  if (known !== undefined) return known
  const found = probe(runtime)
  probed.set(runtime.sender, found)
  found.catch(() => probed.delete(runtime.sender))
  return found
}

/**
 * True if a transaction whose answer was lost may be sent again: its token is still remembered, so it is applied once. `known` was
 * acknowledged before its first attempt. DynamoDB remembers tokens for ten minutes. The embedded engine and other local engines forget them
 * when they are restarted, and a repeated creation could then bring back an item that others have removed.
 */
export async function keepsTokens(runtime: Runtime, known: AcknowledgedToken | undefined, { wasUnreached }: SinceLost): Promise<boolean> {
  const { sender } = runtime
  if (sender.keepsTokens === true) return true
  // There is no acknowledged token to probe. But a restarting engine refuses connections, and none was refused.
  if (known === undefined) return !wasUnreached && (await remembersTokens(runtime).catch(() => false))
  const isKept = await isRemembered(runtime, known).catch(() => undefined)
  // The restarted engine now remembers the token for the probe, so the token cannot reveal a later restart.
  if (isKept === false && acknowledged.get(sender) === known) acknowledged.delete(sender)
  return isKept === true
}
