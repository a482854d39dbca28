import { checkAnswer } from './answer.ts'
import { notSent } from './attempt.ts'
import { errorOf, type Failure, failureOf, passes } from './error.ts'
import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender } from './sender.ts'

export interface RetryOptions {
  /**
   * Milliseconds from the call within which an attempt may begin, 10,000 by default. The first attempt may begin as late as `attemptMs`
   * after that.
   */
  readonly deadlineMs?: number
  /** Milliseconds for one attempt, 5,000 by default. */
  readonly attemptMs?: number
  /**
   * True if the request may be sent again when its answer was lost: applying it twice has the same effect as once, or the caller can tell.
   * By default true for reads, and for transactions with a token.
   */
  readonly repeatable?: boolean | undefined
  /** Called before a write is sent again after a lost answer. If it returns false, the write is uncertain. */
  readonly mayRepeat?: ((since: SinceLost) => Promise<boolean>) | undefined
  readonly signal?: AbortSignal
  /** The name of the table, for the error of one that is missing. */
  readonly table?: string
  /** A monotonic clock, in milliseconds, for deadlines. */
  readonly monotonic_ms: () => number
  /** May reject with the signal's reason when it aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 up to but not including 1. */
  readonly random: () => number
}

/** Events since the first answer to a request was lost. */
export interface SinceLost {
  /** A connection was refused, so the engine may have been restarted. */
  readonly wasUnreached: boolean
}

/** Failures that are answers. The caller knows the meaning of its conditions. */
export type Refusal = Extract<Failure, { readonly kind: 'condition' | 'cancelled' }>

/**
 * `isUncertain`: the answer to an earlier attempt was lost, so that attempt may have caused the refusal: "it already exists", since we
 * created it. Read again before relying on the refusal (spec rule 13).
 */
export type Answer<O extends Operation> =
  | { readonly ok: true; readonly output: Outputs[O]; readonly isUncertain: boolean }
  | { readonly ok: false; readonly refusal: Refusal; readonly isUncertain: boolean }

const backoff = { baseMs: 25, capMs: 1_000 } as const

/** About twice the number that a deadline of ten seconds or more allows, so that retries also end if the clock stands still. */
export const attemptsMax = (deadline_ms: number): number => Math.max(50, Math.ceil(deadline_ms / 200))

/** Milliseconds to wait after attempt 1, 2, … Full jitter: a random time up to a limit that doubles with each attempt. */
export function backoffMs(attempt: number, random: () => number): number {
  return random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1))
}

/** Whether the same request may be sent again after a failure. */
export function canRepeat(failure: Failure, repeatable: boolean): boolean {
  switch (failure.kind) {
    case 'throttled':
    case 'conflict':
    case 'unreached':
    case 'clock':
      return true
    case 'cancelled':
      return passes(failure.reasons)
    case 'lost':
      return repeatable
    default:
      return false
  }
}

const reads: ReadonlySet<Operation> = new Set<Operation>([
  'GetItem',
  'Query',
  'Scan',
  'BatchGetItem',
  'DescribeTable',
  'DescribeTimeToLive',
])

function isRepeatable<O extends Operation>(operation: O, input: Inputs[O]): boolean {
  return reads.has(operation) || ('ClientRequestToken' in input && input.ClientRequestToken !== undefined)
}

/**
 * Sends a request until it is answered. The identical request is sent again after throttling and conflicts, and after a lost answer if that
 * does no harm.
 * @throws FreeholdError `Busy` (throttled or in conflict to the end) or `Unavailable` (no answer, unreachable, or refused); with
 * `details.uncertain` true if the request may have been applied. The signal's reason, when it aborts.
 */
export async function sendWithRetry<O extends Operation>(
  sender: Sender,
  operation: O,
  input: Inputs[O],
  options: RetryOptions,
): Promise<Answer<O>> {
  const { deadlineMs = 10_000, attemptMs = 5_000, repeatable = isRepeatable(operation, input), signal } = options
  const { mayRepeat, monotonic_ms, sleep, random } = options
  const end = monotonic_ms() + deadlineMs
  let isUncertain = false
  let wasUnreached = false
  let remainingMs = deadlineMs
  for (let attempt = 1; ; attempt += 1) {
    const sending = { timeoutMs: Math.min(attemptMs, remainingMs + attemptMs), attempt, ...(signal === undefined ? {} : { signal }) }
    let failure: Failure
    try {
      if (sending.timeoutMs <= 0) throw notSent('the time of the call is used up')
      return { ok: true, output: checkAnswer(operation, await sender.send(operation, input, sending)), isUncertain }
    } catch (cause) {
      signal?.throwIfAborted()
      failure = failureOf(cause)
    }
    if (failure.kind === 'unreached') wasUnreached ||= isUncertain
    // A lost read has changed nothing.
    if (isLost(failure)) isUncertain = !reads.has(operation)
    if (isRefusal(failure)) return { ok: false, refusal: failure, isUncertain }
    const waitMs = backoffMs(attempt, random)
    remainingMs = end - monotonic_ms() - waitMs
    if (remainingMs <= 0 || attempt >= attemptsMax(deadlineMs) || !canRepeat(failure, repeatable))
      throw errorOf(failure, isUncertain, options.table)
    await sleep(waitMs, signal)
    if (isUncertain && mayRepeat !== undefined) {
      const isAllowed = await mayRepeat({ wasUnreached })
      remainingMs = end - monotonic_ms()
      if (!isAllowed || remainingMs <= 0) throw errorOf(failure, isUncertain)
    }
  }
}

/**
 * True for an attempt that may have been applied. A caller's own client may have sent the request several times before it failed. Its last
 * failure does not tell the outcome of the earlier attempts.
 */
function isLost({ kind, cause }: Failure): boolean {
  return kind === 'lost' || attemptsOf(cause) > 1
}

/** How often the AWS SDK has sent a failed request. Our own senders send it once. */
function attemptsOf(cause: unknown): number {
  if (typeof cause !== 'object' || cause === null || !('$metadata' in cause)) return 1
  const { attempts } = (cause.$metadata ?? {}) as { readonly attempts?: unknown }
  return typeof attempts === 'number' ? attempts : 1
}

/** False for a transaction that only failed because of others: it is busy, not refused. */
function isRefusal(failure: Failure): failure is Refusal {
  return failure.kind === 'condition' || (failure.kind === 'cancelled' && !passes(failure.reasons))
}
