import { FreeholdError } from '@freehold/table'

/** Why a 503 was answered, for the log and never for a client. */
export interface Cause {
  /** Of the error that DynamoDB or the system gave, or the code of our own. */
  readonly name: string
  /** What it means to the request: `unreached`, `lost`, `throttled`, `refused`, … */
  readonly failure?: string
  /** A sentence of the system or of ours, without what was sent or stored. */
  readonly message?: string
  /** The table of a check of health: elsewhere the route names the design. */
  readonly table?: string
  /** The entity of a stored item that is malformed. */
  readonly entity?: string
}

const message_chars_max = 200

/** AWS says in these what was signed, and with which credentials. */
const isAboutSecrets = /Signature|Token|Credential/i

/** The first line says what happened; further ones quote the request. */
function firstLine(message: string): string {
  return (message.split('\n', 1)[0] ?? '').slice(0, message_chars_max)
}

function nameOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name
}

/** The cause of an error that became a 503. Of a malformed item only its entity is told: the sentence says which item it is. */
export function causeOf(error: FreeholdError): Cause {
  const { code, cause, message, details } = error
  if (cause instanceof FreeholdError) return causeOf(cause)
  if (code === 'MalformedItem') return { name: code, ...(details.entity === undefined ? {} : { entity: details.entity }) }
  const failure = typeof details.failure === 'string' ? { failure: details.failure } : {}
  if (!(cause instanceof Error)) return { name: code, ...failure, message: firstLine(message) }
  const name = nameOf(cause)
  return { name, ...failure, ...(isAboutSecrets.test(name) ? {} : { message: firstLine(cause.message) }) }
}
