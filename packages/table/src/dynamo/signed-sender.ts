import { whenThere } from '../awaitable.ts'
import { MalformedAnswer } from './answer.ts'
import { Attempt, notSent } from './attempt.ts'
import { isAwsHost } from './client-options.ts'
import type { Connection, Endpoint } from './connection.ts'
import { failureOf } from './error.ts'
import type { HandlerOptions, HttpResponse } from './http-handler.ts'
import type { Inputs, Operation, Outputs } from './operation.ts'
import type { Sender, SendOptions } from './sender.ts'
import { type Credentials, dynamoService, type JsonService, Signer } from './signer.ts'
import { ClockCorrected, SigningClock } from './signing-clock.ts'

/** Milliseconds for an attempt, if the caller gives no limit. */
const attempt_ms = 5_000

/** The endpoint and the signer for it, made once. */
interface Route {
  readonly endpoint: Endpoint
  readonly signer: Signer
}

/** How one request goes. */
interface Way {
  readonly route: Route
  readonly credentials: Credentials
  readonly added: SendOptions['headers']
  readonly options: HandlerOptions
}

/**
 * Sends the same requests as the SDK's commands, without the commands. The connection gives credentials and endpoint, and transports
 * the request. The body is the input as JSON; the answer is parsed JSON. The signature is ours (`Signer`). The commands' middleware and
 * schemas would take several times the CPU of everything else (docs/decisions/0011-requests-are-ours.md).
 */
export class SignedSender implements Sender {
  readonly #connection: Connection
  readonly #service: JsonService
  readonly #clock: SigningClock
  #route: Route | undefined
  #finding: Promise<Route> | undefined

  constructor(connection: Connection, service = dynamoService) {
    this.#connection = connection
    this.#service = service
    this.#clock = new SigningClock(connection.ahead_ms)
  }

  /** True at AWS. Unknown before the first request, which finds the endpoint. */
  get keepsTokens(): boolean | undefined {
    return this.#route === undefined ? undefined : isAwsHost(this.#route.endpoint.hostname)
  }

  send<O extends Operation>(operation: O, input: Inputs[O], { signal, timeoutMs, headers: added }: SendOptions = {}): Promise<Outputs[O]> {
    const attempt = new Attempt()
    const connection = this.#connection
    // Only what has to be found is waited for.
    const work = () =>
      whenThere(this.#route ?? this.#found(), (route) =>
        whenThere(connection.fixedCredentials ?? connection.credentials(), (credentials) => {
          if (attempt.isEnded) throw new Error('The attempt ended before it was sent.')
          return this.#signAndSend(operation, input, { route, credentials, added, options: { attempt, abortSignal: signal } })
        }),
      )
    return attempt.within(timeoutMs ?? attempt_ms, work, (cause) => (signal?.aborted === true ? cause : asSent(cause, attempt.isSent)))
  }

  async #signAndSend<O extends Operation>(
    operation: O,
    input: Inputs[O],
    { route, credentials, added, options }: Way,
  ): Promise<Outputs[O]> {
    const { endpoint, signer } = route
    const { protocol, hostname, port, path } = endpoint
    const body = JSON.stringify(input)
    const signedAt = this.#clock.now()
    const signed = signer.sign(credentials, `${this.#service.target}.${operation}`, body, signedAt)
    const headers = added === undefined ? signed : { ...added, ...signed }
    const request = { protocol, hostname, path, method: 'POST', query: {}, headers, body }
    const { response } = await this.#connection.handler.handle(port === undefined ? request : { port, ...request }, options)
    if (response.statusCode !== 200) throw await this.#refusal(response, signedAt)
    // DynamoDB answers each operation with its own output.
    return parsedAnswer(response) as Outputs[O]
  }

  #found(): Promise<Route> {
    this.#finding ??= routeOf(this.#connection, this.#service).then(
      (route) => {
        this.#route = route
        return route
      },
      (error: unknown) => {
        // A failure is not kept, since credentials and region may be provided later.
        this.#finding = undefined
        throw error
      },
    )
    return this.#finding
  }

  /** The error for an answer that is a failure. */
  async #refusal(response: HttpResponse, signedAt: Date): Promise<Error> {
    const error = refusalOf(response)
    if (!this.#clock.isWrong(response, error.name, signedAt) || !(await this.#connection.correctsClock())) return error
    this.#clock.follow(response)
    return new ClockCorrected('The request was signed by a clock that differs from that of DynamoDB.', { cause: error })
  }

  close(): void {
    this.#connection.close()
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

async function routeOf(connection: Connection, service: JsonService): Promise<Route> {
  const { signingRegion: region, ...endpoint } = await connection.place()
  const { hostname, port, path } = endpoint
  const host = port === undefined ? hostname : `${hostname}:${port}`
  return { endpoint, signer: new Signer({ host, path, region, service }) }
}

/** The SDK's form of a refusal: its name is DynamoDB's code, and its properties are the rest of the body. */
function refusalOf(response: HttpResponse): Error {
  const body = refusalBody(response)
  const name = String(body.__type).replace(/^.*#/, '')
  const $metadata = { httpStatusCode: response.statusCode }
  return Object.assign(new Error(String(body.message ?? body.Message ?? name)), body, { name, $metadata })
}

/** Not signed in, not allowed, too large, too many requests. */
const gatewayStatuses: ReadonlySet<number> = new Set([401, 403, 413, 429])

/** Undefined for text that is not JSON. The parser's own error would quote the body, which may contain secrets. */
function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function parsedAnswer({ body }: HttpResponse): unknown {
  const parsed = parseAnswer(textOf(body))
  if (parsed === undefined) throw new MalformedAnswer('The answer of DynamoDB is not JSON.')
  return parsed
}

interface RefusalBody {
  readonly __type: unknown
  readonly message?: unknown
  readonly Message?: unknown
}

/** The body of a failure. One without DynamoDB's code comes from a proxy or gateway. */
function refusalBody({ statusCode, body }: HttpResponse): RefusalBody {
  const parsed = parseAnswer(textOf(body))
  if (typeof parsed === 'object' && parsed !== null && '__type' in parsed && typeof parsed.__type === 'string') return parsed
  // A gateway in front of the table answers with these statuses, and does not pass the request on.
  if (gatewayStatuses.has(statusCode)) return { __type: 'Unknown' }
  throw new MalformedAnswer(`DynamoDB answered ${statusCode} without saying why.`)
}

function textOf(body: Uint8Array): string {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
}
