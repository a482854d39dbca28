import { FreeholdError } from '@freehold/table'

/** The cause of a 503, for the log and never for a client. */
export interface Cause {
  /** The name of DynamoDB's or the system's error, or our own code. */
  readonly name: string
  /** Its meaning for the request: `unreached`, `lost`, `throttled`, `refused`, … */
  readonly failure?: string
  /** The system's sentence or our own, without data that was sent or stored. */
  readonly message?: string
  /** The table, in a health check. Otherwise the route names the design. */
  readonly table?: string
  /** The entity of a malformed item. */
  readonly entity?: string
}

const message_chars_max = 200

/** In errors with these names AWS quotes signed text and credentials. */
const isAboutSecrets = /Signature|Token|Credential/i

/** The first line of a message. Further lines quote the request. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, message_chars_max)
}

function nameOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The cause of an error that became a 503. For a malformed item it only names the entity, since the sentence names the item. */
export function causeOf(error: FreeholdError): Cause {
  const { code, cause, message, details } = error
  if (cause instanceof FreeholdError) return causeOf(cause)
  if (code === 'MalformedItem') return { name: code, ...(details.entity === undefined ? {} : { entity: details.entity }) }
  const failure = typeof details.failure === 'string' ? { failure: details.failure } : {}
  if (!(cause instanceof Error)) return { name: code, ...failure, message: firstLine(message) }
  const name = nameOf(cause)
  return { name, ...failure, ...(isAboutSecrets.test(name) ? {} : { message: firstLine(cause.message) }) }
}
