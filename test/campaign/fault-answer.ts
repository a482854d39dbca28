import type { ConflictRefusal } from '@freehold/table/testing'

export interface FaultAnswer {
  readonly status: number
  readonly body: string
}

/** DynamoDB's answer to what it refuses. */
export function refusal(status: number, code: string, more: object = {}): FaultAnswer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${code}`, message: `${code}, by the fault proxy`, ...more }
  return { status, body: JSON.stringify(body) }
}

/** The answer to a request that has met a transaction under way. */
export const conflictAnswer = ({ code, ...more }: ConflictRefusal): FaultAnswer => refusal(400, code, more)

/** The engine's answer to the part that it was given, with the rest as unprocessed. */
export function mergeUnprocessed(operation: string, answer: FaultAnswer | undefined, unprocessed: object): FaultAnswer {
  if (answer !== undefined && answer.status !== 200) return answer
  const output = answer === undefined ? {} : JSON.parse(answer.body)
  const member = operation === 'BatchGetItem' ? 'UnprocessedKeys' : 'UnprocessedItems'
  return { status: 200, body: JSON.stringify({ ...output, [member]: unprocessed }) }
}
