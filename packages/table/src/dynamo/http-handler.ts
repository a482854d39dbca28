import { Agent, type Dispatcher } from 'undici'
import type { Attempt } from './attempt.ts'

/** The parts of the AWS SDK's request that DynamoDB's protocol uses. */
export interface HttpRequest {
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly headers: Record<string, string>
  readonly body?: string | Uint8Array
}

/** The SDK also knows an older kind of signal, which is not obeyed. */
export interface HandlerOptions {
  readonly abortSignal?: unknown
  /** Of our own sender: it limits the whole, from the wait for a connection to the last byte of the answer. */
  readonly attempt?: Attempt
}

export interface HttpResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** The whole body: an answer of DynamoDB is never streamed, and has at most 16 MB. */
  readonly body: Uint8Array
}

export interface HttpHandlerSettings {
  /** Connections to one endpoint; each carries one request at a time. */
  readonly maxSockets: number
}

/** A socket that was idle longer is closed by us, since one that the other end closed loses the next request. */
const keepAliveMs = 20_000
const connectTimeoutMs = 3_000

/**
 * The AWS SDK's request handler over undici's dispatcher, with connections kept alive. It costs about a quarter of the SDK's own over `node:http`.
 * It does not retry. A failure to connect keeps its code (`ECONNREFUSED`, …), so that "never sent" can be told from "answer lost".
 */
export class HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #agent: Agent

  constructor(settings: HttpHandlerSettings) {
    this.#agent = new Agent({
      connections: settings.maxSockets,
      pipelining: 1,
      keepAliveTimeout: keepAliveMs,
      connect: { timeout: connectTimeoutMs },
    })
  }

  handle(request: HttpRequest, options: HandlerOptions = {}): Promise<{ response: HttpResponse }> {
    const { abortSignal, attempt } = options
    return new Promise((resolve, reject) => {
      const answer = new Answer(resolve, reject, attempt)
      if (abortSignal instanceof AbortSignal && !answer.obey(abortSignal)) return
      this.#agent.dispatch(
        {
          origin: `${request.protocol}//${request.hostname}${request.port === undefined ? '' : `:${request.port}`}`,
          path: request.path,
          // DynamoDB's protocol knows no other method.
          method: 'POST',
          headers: request.headers,
          body: request.body ?? null,
          // The attempt has a limit of its own, for the whole: undici keeps no times.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        answer,
      )
    })
  }

  /** Ends all connections at once; requests under way fail. */
  destroy(): void {
    // Nobody can act on a failure to close.
    this.#agent.destroy().catch(() => undefined)
  }

  /** Part of the SDK's contract; its client settings do not concern this handler. */
  updateHttpClientConfig(): void {}

  /** Part of the SDK's contract. */
  httpHandlerConfigs(): Record<string, never> {
    return {}
  }
}

/** Collects one answer. Undici calls its methods in the order of the protocol, and one of the last two once. */
class Answer implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: { response: HttpResponse }) => void
  readonly #reject: (reason: unknown) => void
  readonly #attempt: Attempt | undefined
  readonly #chunks: Buffer[] = []
  #statusCode = 0
  #headers: Record<string, string> = {}
  #controller: Dispatcher.DispatchController | undefined
  #signal: AbortSignal | undefined
  readonly #abort = (): void => {
    // Undefined while the request waits for a connection: it is stopped when it gets one.
    this.#controller?.abort(this.#signal?.reason)
    this.#fail(this.#signal?.reason)
  }

  constructor(resolve: (result: { response: HttpResponse }) => void, reject: (reason: unknown) => void, attempt: Attempt | undefined) {
    this.#resolve = resolve
    this.#reject = reject
    this.#attempt = attempt
    // Undefined while the request waits for a connection: it is stopped when it gets one.
    attempt?.onEnd(() => this.#controller?.abort(new Error('The attempt is over.')))
  }

  /** Follows the signal until the answer is there. False if it is aborted already. */
  obey(signal: AbortSignal): boolean {
    this.#signal = signal
    if (signal.aborted) this.#fail(signal.reason)
    else signal.addEventListener('abort', this.#abort, { once: true })
    return !signal.aborted
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#signal?.aborted) controller.abort(this.#signal.reason)
    else if (this.#attempt?.isEnded) controller.abort(new Error('The attempt is over.'))
    else this.#attempt?.sent()
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number, headers: object): void {
    this.#statusCode = statusCode
    // Undici gives a list for a header that comes twice; none of DynamoDB's does.
    this.#headers = headers as Record<string, string>
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk)
  }

  onResponseEnd(): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    const [first] = this.#chunks
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#resolve({ response: { statusCode: this.#statusCode, headers: this.#headers, body } })
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.#fail(error)
  }

  #fail(reason: unknown): void {
    this.#signal?.removeEventListener('abort', this.#abort)
    this.#reject(reason)
  }
}
