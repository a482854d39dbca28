import { malformed, ServiceError } from '../errors.ts'

/** Runs one operation by its name. */
export type Execute = (operation: string, input: unknown) => Promise<object>

export interface Answer {
  readonly status: number
  readonly body: string
}

const target = 'DynamoDB_20120810.'

/** Errors that AWS's framework raises before DynamoDB sees the request. */
const frameworkErrors: ReadonlySet<string> = new Set(['ValidationException', 'SerializationException', 'UnknownOperationException'])

/**
 * The answer to a request of DynamoDB's JSON protocol (API Reference, "DynamoDB low-level API"). It does not reject, unless the request is lost
 * on purpose.
 * @param header the request's `X-Amz-Target`
 */
export async function answerOf(execute: Execute, header: string | undefined, body: string): Promise<Answer> {
  try {
    if (header?.startsWith(target) !== true) throw new ServiceError('UnknownOperationException', '')
    return { status: 200, body: JSON.stringify(await execute(header.slice(target.length), parsed(body))) }
  } catch (error) {
    if (error instanceof ServiceError) return refusal(error)
    throw error
  }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw malformed('The request is not JSON.')
  }
}

export function refusal({ name, message, details, $metadata }: ServiceError): Answer {
  const namespace = frameworkErrors.has(name) ? 'com.amazon.coral.service' : 'com.amazonaws.dynamodb.v20120810'
  return { status: $metadata.httpStatusCode, body: JSON.stringify({ __type: `${namespace}#${name}`, message, ...details }) }
}
