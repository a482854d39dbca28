import { toItem } from '../dynamo/attribute-value.ts'
import { errorOf } from '../dynamo/error.ts'
import { itemBytesMax } from '../dynamo/item-bytes.ts'
import type { Item } from '../dynamo/operation.ts'
import type { Answer, SinceLost } from '../dynamo/retry.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import { type Action, excludesRepeat, type Update } from '../plan/action.ts'
import { leftToOther } from '../plan/derived-items.ts'
import { renderAction } from '../plan/render.ts'
import { type Stored, writeIdName } from '../plan/stored.ts'
import { noteWritten } from './pending.ts'
import { readItem } from './read.ts'
import type { Runtime } from './runtime.ts'
import { trySend } from './send.ts'
import { storedFrom } from './stored-from.ts'
import { keepsTokens, rememberToken, tokenBefore } from './token-memory.ts'
import { checkSizes, expressionsOf, transactWrite } from './wire.ts'
import { newWriteId } from './write-id.ts'

/** A failed condition, and the item that DynamoDB returned with it. */
export interface Failed {
  readonly action: Action
  readonly existing: Stored | undefined
}

/** The outcome of an answered write. Without failed conditions it was applied. */
export interface Sent {
  readonly failed: readonly Failed[]
  /** The answer to an earlier attempt was lost: that attempt may have been applied, and others may have written since. */
  readonly isUncertain: boolean
  /** The stamp of the items of this write. */
  readonly writeId?: string
  /** The item after an atomic change that went alone. */
  readonly item?: Stored | undefined
}

const applied: Sent = { failed: [], isUncertain: false }

/** The item of a refusal. */
function shown({ design }: Runtime, item: Item | undefined): Stored | undefined {
  return item === undefined ? undefined : storedFrom(design, item)
}

/** True for an action that cannot be applied again: its own effect prevents it, or its item is never removed. */
function excludes({ design: { form } }: Runtime, action: Action): boolean {
  const isKept = form.entities.get(action.origin.entity)?.form.appendOnly === true
  return excludesRepeat(action) || (isKept && action.kind === 'put')
}

/** One put or update that cannot be applied twice needs no transaction, which would cost twice the units. */
function isSingle(runtime: Runtime, actions: readonly Action[]): boolean {
  const [only] = actions
  if (actions.length > 1 || only === undefined || (only.kind === 'update' && only.atomic !== undefined)) return false
  return (only.kind === 'put' || only.kind === 'update') && excludes(runtime, only)
}

/** One atomic change that may go alone: it is sent once, unless it cannot have been applied (ADR 5). */
function isCounted({ sender: { mayResend } }: Runtime, action: Action | undefined): action is Update {
  return action?.kind === 'update' && action.atomic?.isExact === false && mayResend !== true
}

/**
 * Sends an atomic change as one UpdateItem, which returns the new item. After a lost answer it is not sent again, since it could be applied twice. The item
 * is read instead: with our stamp the change was applied; otherwise nobody knows.
 */
async function sendCounted(runtime: Runtime, action: Update, writeId: string): Promise<Sent> {
  const rendered = renderAction(action, writeId)
  const input = {
    ...expressionsOf(runtime.table, rendered),
    Key: toItem(action.key),
    UpdateExpression: rendered.update ?? '',
    ReturnValues: 'ALL_NEW' as const,
    ReturnConsumedCapacity: 'TOTAL' as const,
  }
  try {
    const answer = await trySend(runtime, 'UpdateItem', input, async () => false)
    if (answer.ok) return { ...applied, item: storedFrom(runtime.design, answer.output.Attributes ?? {}) }
    const existing = shown(runtime, answer.refusal.kind === 'condition' ? answer.refusal.item : undefined)
    return { failed: [{ action, existing }], isUncertain: answer.isUncertain, item: existing }
  } catch (error) {
    if (!isFreeholdError(error) || error.details.uncertain !== true) throw asTooLarge(action, error)
    const item = await readItem(runtime, action.key, { consistent: true }).catch(() => undefined)
    if (item?.[writeIdName] === writeId) return { ...applied, item }
    throw error
  }
}

const isOfSize = (message: string) => /size/i.test(message)

function tooLarge({ origin: { entity } }: Action, uncertain?: true, cause?: unknown): FreeholdError {
  const details = { entity, ...(uncertain && { uncertain }) }
  return new FreeholdError('TooLarge', `This ${entity} would have more than ${itemBytesMax} bytes.`, details, { cause })
}

/** DynamoDB refuses an item that grows too large, as malformed. */
function asTooLarge(action: Action, error: unknown): unknown {
  const { cause, details }: Partial<FreeholdError> = isFreeholdError(error, 'Unavailable') ? error : {}
  return details?.failure === 'invalid' && cause instanceof Error && isOfSize(cause.message) ? tooLarge(action, undefined, cause) : error
}

async function sendSingle(runtime: Runtime, action: Action, writeId: string): Promise<Sent> {
  const rendered = renderAction(action, writeId)
  const common = { ...expressionsOf(runtime.table, rendered), ReturnConsumedCapacity: 'TOTAL' as const }
  const answer =
    action.kind === 'put'
      ? await trySend(runtime, 'PutItem', { ...common, Item: toItem(rendered.item ?? {}) })
      : await trySend(runtime, 'UpdateItem', { ...common, Key: toItem(action.key), UpdateExpression: rendered.update ?? '' })
  if (answer.ok) return applied
  const existing = shown(runtime, answer.refusal.kind === 'condition' ? answer.refusal.item : undefined)
  return { failed: [{ action, existing }], isUncertain: answer.isUncertain }
}

function failedIn(
  runtime: Runtime,
  { refusal, isUncertain }: Extract<Answer<'TransactWriteItems'>, { ok: false }>,
  actions: readonly Action[],
): Sent {
  const reasons = refusal.kind === 'cancelled' ? refusal.reasons : []
  const failed = actions.flatMap((action, index): Failed[] => {
    const reason = reasons[index]
    return reason?.code === 'ConditionalCheckFailed' ? [{ action, existing: shown(runtime, reason.item) }] : []
  })
  if (failed.length > 0) return { failed, isUncertain }
  const grown = actions.find((_, index) => reasons[index]?.code === 'ValidationError' && isOfSize(reasons[index]?.message ?? ''))
  if (grown !== undefined) throw tooLarge(grown, isUncertain || undefined, refusal.cause)
  const { code: reason, message } = reasons.find(({ code }) => code !== 'None') ?? { code: 'no reason' }
  const details = { failure: 'invalid', reason, uncertain: isUncertain }
  const cause = message === undefined ? refusal.cause : Object.assign(new Error(message), { name: reason })
  throw new FreeholdError('Unavailable', 'DynamoDB cancelled a transaction for a reason that is not a condition.', details, { cause })
}

/** True if one of the items has the stamp of this write, so that the whole write was applied. */
async function isThere(runtime: Runtime, actions: readonly Action[], writeId: string): Promise<boolean> {
  for (const { kind, key } of actions) {
    if (kind !== 'put' && kind !== 'update') continue
    const item = await readItem(runtime, key, { consistent: true })
    if (item?.[writeIdName] === writeId) return true
  }
  return false
}

async function sendTransaction(runtime: Runtime, actions: readonly Action[], writeId: string): Promise<Sent> {
  const sent_ms = runtime.monotonic_ms()
  const known = tokenBefore(runtime)
  let isStopped = false
  let lost: SinceLost | undefined
  const mayRepeat = async (since: SinceLost) => {
    lost = since
    isStopped = !(await keepsTokens(runtime, known, since))
    return !isStopped
  }
  const input = {
    TransactItems: actions.map((action) => transactWrite(runtime.table, renderAction(action, writeId))),
    // With a token, DynamoDB applies a request once, however often it is sent (spec rule 13).
    ClientRequestToken: writeId,
    ReturnConsumedCapacity: 'TOTAL' as const,
  }
  const isExcluded = actions.some((action) => excludes(runtime, action))
  try {
    const answer = await trySend(runtime, 'TransactWriteItems', input, isExcluded ? undefined : mayRepeat)
    if (!answer.ok) return failedIn(runtime, answer, actions)
    rememberToken(runtime, writeId, sent_ms)
    // An engine that was restarted since the probe has applied the repeat anew, and others may have removed the item before.
    if (lost !== undefined && !(await keepsTokens(runtime, known, lost))) throw errorOf({ kind: 'lost', cause: undefined })
    return applied
  } catch (error) {
    // After a failed read the write stays uncertain.
    if (isStopped && (await isThere(runtime, actions, writeId).catch(() => false))) return applied
    throw error
  }
}

/**
 * Sends actions, at most one for each item. All or none are applied. A guard that turns out to have another owner is left to it.
 */
export async function sendActions(runtime: Runtime, actions: readonly Action[]): Promise<Sent> {
  const sent = await sendOnce(runtime, actions)
  if (sent.isUncertain || sent.failed.length === 0) return sent
  const left = new Map<Action, Action>()
  for (const { action, existing } of sent.failed) {
    const check = leftToOther(action, existing)
    if (check !== undefined) left.set(action, check)
  }
  const failed = sent.failed.filter(({ action }) => !left.has(action))
  if (failed.length > 0) return { ...sent, failed }
  return sendActions(
    runtime,
    actions.map((action) => left.get(action) ?? action),
  )
}

/**
 * Each put or updated item is stamped with the write's id: after a lost
 * answer only the stamp shows that the write was applied; the contents of an item are never compared (spec rule 13). The id is also the
 * transaction's token.
 */
async function sendOnce(runtime: Runtime, actions: readonly Action[]): Promise<Sent> {
  checkSizes(actions)
  const [first] = actions
  if (first === undefined) return applied
  const writeId = newWriteId()
  const isAlone = actions.length === 1
  const sent =
    isAlone && isCounted(runtime, first)
      ? await sendCounted(runtime, first, writeId)
      : isSingle(runtime, actions)
        ? await sendSingle(runtime, first, writeId)
        : await sendTransaction(runtime, actions, writeId)
  const isApplied = sent.failed.length === 0 || sent.failed.some(({ existing }) => existing?.[writeIdName] === writeId)
  if (isApplied) noteWritten(runtime)
  return { ...(isApplied ? applied : sent), writeId, item: isApplied ? sent.item : undefined }
}
