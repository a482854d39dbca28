import type { Operation } from '../dynamo/operation.ts'
import type { Sender } from '../dynamo/sender.ts'
import { conflictRefusal, namedItems } from './under-way.ts'

type Input = Readonly<Record<string, unknown>>

/**
 * The faults of a request:
 * - `throttle`: refused for now, not applied
 * - `conflict`: refused because another transaction holds an item, not applied
 * - `deny`: the credentials lack a right, not applied
 * - `refuse`: DynamoDB takes it for malformed, not applied
 * - `fail`: a server's error, not applied (which its sender cannot know)
 * - `lose-request`: the connection breaks before DynamoDB has it
 * - `lose-answer`: DynamoDB has applied it, then the connection breaks
 * - `unprocessed`: of a batch, all but the last `left` entries of each table are done; those are given back
 * - `interleave`: something else is done first, to lose a race on purpose
 */
export type Fault =
  | { readonly kind: 'throttle' | 'conflict' | 'deny' | 'refuse' | 'fail' | 'lose-request' | 'lose-answer' }
  | { readonly kind: 'unprocessed'; readonly left: number }
  | { readonly kind: 'interleave'; readonly run: (input: Input) => Promise<void> }

/** Which requests get which fault. */
export interface FaultRule {
  /** For example `TransactWriteItems`; any operation where absent. */
  readonly operation?: string
  /** Looks at the request. */
  readonly when?: (input: Input) => boolean
  readonly fault: Fault
  /** How many matching requests to let through before the first that gets it; 0 if absent. */
  readonly after?: number
  /** How many get it; 1 if absent. */
  readonly times?: number
}

export interface LoggedRequest {
  readonly operation: string
  readonly input: Input
  /** The kind of fault that it got. */
  readonly fault?: Fault['kind']
}

export interface FaultySender extends Sender {
  /** Every request, in order. */
  readonly log: readonly LoggedRequest[]
  /** Adds rules to those that it began with; the first that matches a request counts. */
  add(...rules: readonly FaultRule[]): void
}

/** Requests to serve in all; a retry that never ends fails a test here, not in its time-out. */
const requestsMax = 100_000

/** Does to chosen requests what DynamoDB and networks do. It never waits. */
export function faultySender(sender: Sender, rules: readonly FaultRule[] = []): FaultySender {
  const states = rules.map((rule) => ({ rule, seen: 0 }))
  const log: LoggedRequest[] = []

  function chosen(operation: string, input: Input): Fault | undefined {
    if (log.length >= requestsMax) return { kind: 'lose-request' }
    for (const state of states) {
      const { operation: wanted, when, fault, after = 0, times = 1 } = state.rule
      if (state.seen >= after + times || (wanted !== undefined && wanted !== operation) || when?.(input) === false) continue
      state.seen += 1
      if (state.seen > after) return fault
    }
    return undefined
  }

  return {
    log,
    add: (...added) => {
      states.push(...added.map((rule) => ({ rule, seen: 0 })))
    },
    get keepsTokens() {
      return sender.keepsTokens
    },
    mayResend: sender.mayResend,
    send: async (operation, input, options) => {
      options?.signal?.throwIfAborted()
      const asked: Input = { ...input }
      const fault = chosen(operation, asked)
      log.push({ operation, input: asked, ...(fault === undefined ? {} : { fault: fault.kind }) })
      // A batch with fewer entries is still the input of its operation, and its output is one with more members.
      const forward = (changed?: Input) =>
        sender.send(operation, changed === undefined ? input : (changed as unknown as typeof input), options)
      return fault === undefined ? forward() : (outcomeOf(fault, operation, asked, forward) as ReturnType<typeof forward>)
    },
    close: () => sender.close(),
  }
}

async function outcomeOf(fault: Fault, operation: Operation, input: Input, forward: (changed?: Input) => Promise<object>): Promise<object> {
  switch (fault.kind) {
    case 'lose-request':
      throw lost()
    case 'lose-answer':
      // A refusal is an answer, too.
      await forward().catch(() => undefined)
      throw lost()
    case 'interleave':
      await fault.run(input)
      return forward()
    case 'unprocessed': {
      const { processed, unprocessed } = splitBatch(input, fault.left)
      const member = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems'
      return { ...(processed === undefined ? {} : await forward(processed)), [member]: unprocessed }
    }
    default:
      throw refused(fault.kind, operation, input)
  }
}

/** As Node tells that a connection broke under a request. */
function lost(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
}

const codes = {
  throttle: 'ProvisionedThroughputExceededException',
  deny: 'AccessDeniedException',
  refuse: 'ValidationException',
  fail: 'InternalServerError',
} as const

function refused(kind: keyof typeof codes | 'conflict', operation: string, input: Input): Error {
  // The first action has met the conflict.
  const met = namedItems(operation, input).map((_, index) => index === 0)
  const { code, ...more } = kind === 'conflict' ? conflictRefusal(operation, met) : { code: codes[kind] }
  const $metadata = { httpStatusCode: kind === 'fail' ? 500 : 400 }
  return Object.assign(new Error(`${code}, by the test`), { name: code, $metadata, ...more })
}

/** A batch request cut in two, by table; `processed` is undefined where nothing is left to do. */
export function splitBatch(input: Input, left: number): { readonly processed: Input | undefined; readonly unprocessed: Input } {
  const processed: Record<string, unknown> = {}
  const unprocessed: Record<string, unknown> = {}
  // A batch request has this member: a list of writes, or keys to get, by table.
  for (const [table, entry] of Object.entries(input.RequestItems as Record<string, unknown[] | { readonly Keys: unknown[] }>)) {
    const all = Array.isArray(entry) ? entry : entry.Keys
    const cut = Math.max(0, all.length - left)
    const part = (some: unknown[]): unknown => (Array.isArray(entry) ? some : { ...entry, Keys: some })
    if (cut > 0) processed[table] = part(all.slice(0, cut))
    if (cut < all.length) unprocessed[table] = part(all.slice(cut))
  }
  return { processed: Object.keys(processed).length === 0 ? undefined : { ...input, RequestItems: processed }, unprocessed }
}
