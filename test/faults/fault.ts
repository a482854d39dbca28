import { type ConflictRefusal, conflictRefusal, namedItems } from '@freehold/table/testing'

/**
 * The faults of a request:
 * - `throttle`: refused for now, not applied
 * - `conflict`: refused because another transaction holds an item, not applied
 * - `deny`: the credentials lack a right, not applied
 * - `refuse`: the engine takes it for malformed, not applied
 * - `fail`: a server's error, not applied (which its sender cannot know)
 * - `lose-request`: the connection breaks before the engine has it
 * - `lose-answer`: the engine has applied it, then the connection breaks
 * - `unprocessed`: of a batch, all but the last `left` entries of each table are done; those are given back
 * - `interleave`: something else is done first, to lose a race on purpose
 */
export type Fault =
  | { readonly kind: 'throttle' | 'conflict' | 'deny' | 'refuse' | 'fail' | 'lose-request' | 'lose-answer' }
  | { readonly kind: 'unprocessed'; readonly left: number }
  | { readonly kind: 'interleave'; readonly run: (input: Readonly<Record<string, unknown>>) => Promise<void> }

export interface FaultAnswer {
  readonly status: number
  readonly body: string
}

type Input = Readonly<Record<string, unknown>>
type Entries = Readonly<Record<string, unknown>>

/** DynamoDB's answer to what it refuses. */
export function refusal(status: number, code: string, more: object = {}): FaultAnswer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: `${code}, by the fault proxy`, ...more }
  return { status, body: JSON.stringify(body) }
}

/** DynamoDB's answer for faults that need no engine. */
export function answerFor({ kind }: Fault, operation: string, input: Input): FaultAnswer {
  if (kind === 'throttle') return refusal(400, 'ProvisionedThroughputExceededException')
  if (kind === 'deny') return refusal(400, 'AccessDeniedException')
  if (kind === 'refuse') return refusal(400, 'ValidationException')
  if (kind === 'fail') return refusal(500, 'InternalServerError')
  // The first action has met the conflict.
  return conflictAnswer(
    conflictRefusal(
      operation,
      namedItems(operation, input).map((_, index) => index === 0),
    ),
  )
}

/** The answer to a request that has met a transaction under way. */
export const conflictAnswer = ({ code, ...more }: ConflictRefusal): FaultAnswer => refusal(400, code, more)

/** A batch request cut in two, by table; `processed` is undefined where nothing is left to do. */
export function splitBatch(input: Input, left: number): { readonly processed: Input | undefined; readonly unprocessed: Entries } {
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

/** The engine's answer to the part that it was given, with the rest as unprocessed. */
export function mergeUnprocessed(operation: string, answer: FaultAnswer | undefined, unprocessed: Entries): FaultAnswer {
  if (answer !== undefined && answer.status !== 200) return answer
  const output = answer === undefined ? {} : JSON.parse(answer.body)
  const member = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems'
  return { status: 200, body: JSON.stringify({ ...output, [member]: unprocessed }) }
}
