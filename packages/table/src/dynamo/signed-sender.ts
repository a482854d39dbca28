import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { MalformedAnswer } from './answer.ts'
import { Attempt, notSent } from './attempt.ts'
import { failureOf } from './error.ts'
import type { HandlerOptions, HttpResponse } from './http-handler.ts'
import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender, SendOptions } from './sender.ts'

/** Milliseconds for an attempt, if the caller gives no limit. */
const attempt_ms = 5_000

type Config = DynamoDBClient['config']
type Signer = Awaited<ReturnType<Config['signer']>>

/** The endpoint and the signer, read from the client once. */
interface Route {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly host: string
  readonly region: string
  readonly signer: Signer
}

/**
 * Sends the same requests as the SDK's commands, without the commands. The client gives the endpoint and region, signs (SigV4) and
 * transports the request. The body is the input as JSON; the answer is parsed JSON. The commands' middleware and schemas would take twice
 * the CPU of everything else (docs/decisions/0006-the-sdk-signs-and-carries.md).
 */
export class SignedSender implements Sender {
  readonly #client: DynamoDBClient
  #route: Promise<Route> | undefined

  readonly keepsTokens: boolean

  constructor(client: DynamoDBClient, { keepsTokens = false }: { readonly keepsTokens?: boolean } = {}) {
    this.#client = client
    this.keepsTokens = keepsTokens
  }

  send<O extends Operation>(operation: O, input: Inputs[O], { signal, timeoutMs }: SendOptions = {}): Promise<Outputs[O]> {
    const attempt = new Attempt()
    const work = () =>
      this.#send(operation, input, attempt, signal).catch((cause: unknown) => {
        throw signal?.aborted === true ? cause : asSent(cause, attempt.isSent)
      })
    return attempt.within(timeoutMs ?? attempt_ms, work)
  }

  async #send<O extends Operation>(operation: O, input: Inputs[O], attempt: Attempt, signal: AbortSignal | undefined): Promise<Outputs[O]> {
    this.#route ??= routeOf(this.#client.config).catch((error: unknown) => {
      // A failure is not kept, since credentials and region may be provided later.
      this.#route = undefined
      throw error
    })
    const { signer, region, host, ...place } = await this.#route
    const request = {
      ...place,
      query: {},
      method: 'POST',
      headers: { host, 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: JSON.stringify(input),
    }
    const signed = await signer.sign(request, { signingRegion: region, signingService: 'dynamodb' })
    if (attempt.isEnded) throw new Error('The attempt ended before it was sent.')
    const options: HandlerOptions = signal === undefined ? { attempt } : { attempt, abortSignal: signal }
    const { response } = await this.#client.config.requestHandler.handle(signed, options)
    // DynamoDB answers each operation with its own output.
    return answerOf(response) as Outputs[O]
  }

  close(): void {
    this.#client.destroy()
  }
}

/**
 * Corrects a failure by whether anything was sent. An unsent request cannot have been applied; a sent one may have been, whatever the
 * error.
 */
function asSent(cause: unknown, isSent: boolean | undefined): unknown {
  const { kind } = failureOf(cause)
  if (kind === 'lost' && isSent === false) return Object.assign(notSent('there was no connection'), { cause })
  if (kind === 'unreached' && isSent === true) return new Error('The connection broke under the request.', { cause })
  return cause
}

async function routeOf(config: Config): Promise<Route> {
  const region = await config.region()
  const place = config.endpoint === undefined ? await regional(config, region) : await config.endpoint()
  const { protocol, hostname, port, path } = place
  return {
    protocol,
    hostname,
    ...(port === undefined ? {} : { port }),
    path,
    host: port === undefined ? hostname : `${hostname}:${port}`,
    region,
    signer: await config.signer(),
  }
}

/** DynamoDB in a region, by the SDK's own rules of partitions, FIPS and dual stack. */
async function regional(config: Config, region: string): Promise<Pick<Route, 'protocol' | 'hostname' | 'port' | 'path'>> {
  const [UseFIPS, UseDualStack] = await Promise.all([config.useFipsEndpoint(), config.useDualstackEndpoint()])
  const { url } = config.endpointProvider({ Region: region, UseFIPS, UseDualStack, AccountIdEndpointMode: 'disabled' }, {})
  return { protocol: url.protocol, hostname: url.hostname, path: url.pathname, ...(url.port === '' ? {} : { port: Number(url.port) }) }
}

/** The answer. Throws an error in the SDK's form: its name is DynamoDB's code, and its properties are the rest of the body. */
function answerOf(response: HttpResponse): unknown {
  if (response.statusCode === 200) return parsedAnswer(response)
  const body = refusalOf(response)
  const name = String(body.__type).replace(/^.*#/, '')
  const $metadata = { httpStatusCode: response.statusCode }
  throw Object.assign(new Error(String(body.message ?? body.Message ?? name)), body, { name, $metadata })
}

/** Not signed in, not allowed, too large, too many requests. */
const gatewayStatuses: ReadonlySet<number> = new Set([401, 403, 413, 429])

/** Parses an answer without the parser's own error, which would quote the body and may contain secrets. */
function parsedAnswer({ body }: HttpResponse): unknown {
  const parsed = parsedJson(textOf(body))
  if (parsed === undefined) throw new MalformedAnswer('The answer of DynamoDB is not JSON.')
  return parsed
}

interface RefusalBody {
  readonly __type: unknown
  readonly message?: unknown
  readonly Message?: unknown
}

/** The body of a failure. One without DynamoDB's code comes from a proxy or gateway. */
function refusalOf({ statusCode, body }: HttpResponse): RefusalBody {
  const parsed = parsedJson(textOf(body))
  if (typeof parsed === 'object' && parsed !== null && '__type' in parsed && typeof parsed.__type === 'string') return parsed
  // A gateway in front of the table answers with these statuses, and does not pass the request on.
  if (gatewayStatuses.has(statusCode)) return { __type: 'Unknown' }
  throw new MalformedAnswer(`DynamoDB answered ${statusCode} without saying why.`)
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}
