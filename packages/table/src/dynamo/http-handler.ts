/// <reference path="./undici-agent.d.ts" />

import type { Dispatcher } from 'undici'
import Agent from 'undici/lib/dispatcher/agent.js'
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

/** The SDK also has an older kind of signal, which is ignored. */
export interface HandlerOptions {
  readonly abortSignal?: unknown
  /** Given by our own sender. Its limit covers everything from the wait for a connection to the last byte of the answer. */
  readonly attempt?: Attempt
}

export interface HttpResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  /** The whole body: DynamoDB never streams an answer, and it has at most 16 MB. */
  readonly body: Uint8Array
}

const connect_ms = 3_000
/** We close a socket that was idle longer, since a socket that the other end has closed loses the next request. */
const idle_ms = 20_000

/**
 * A request handler for the AWS SDK over undici's dispatcher, which keeps connections alive. It takes about a quarter of the CPU of the
 * SDK's own handler over `node:http`. It does not retry. A failure to connect keeps its code (`ECONNREFUSED`, …), which tells "never sent"
 * from "answer lost".
 */
export class HttpHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #agent: InstanceType<typeof Agent>

  /** @param maxSockets The number of connections to one endpoint. Each has one request at a time. */
  constructor(maxSockets: number) {
    this.#agent = new Agent({
      connections: maxSockets,
      pipelining: 1,
      keepAliveTimeout: idle_ms,
      connect: { timeout: connect_ms },
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
          // DynamoDB's protocol has no other method.
          method: 'POST',
          headers: request.headers,
          body: request.body ?? null,
          // The attempt limits the whole request, so undici's own timeouts are off.
          headersTimeout: 0,
          bodyTimeout: 0,
        },
        answer,
      )
    })
  }

  /** Ends all connections at once. Running requests fail. */
  destroy(): void {
    // A failure to close needs no action.
    this.#agent.destroy().catch(() => undefined)
  }

  /** Part of the SDK's contract. Its client settings do not apply to this handler. */
  updateHttpClientConfig(): void {}

  /** Part of the SDK's contract. */
  httpHandlerConfigs(): Record<string, never> {
    return {}
  }
}

/** Undici's own form of the headers: names and values in turn. They are read for refusals only, so they are not taken apart before. */
class Response implements HttpResponse {
  readonly statusCode: number
  readonly body: Uint8Array
  readonly #rawHeaders: readonly Buffer[]

  constructor(statusCode: number, rawHeaders: readonly Buffer[], body: Uint8Array) {
    this.statusCode = statusCode
    this.#rawHeaders = rawHeaders
    this.body = body
  }

  /** By their names in lower case. Of a repeated header the last value counts; DynamoDB repeats none. */
  get headers(): Record<string, string> {
    const headers: Record<string, string> = {}
    for (let index = 0; index < this.#rawHeaders.length; index += 2) {
      headers[String(this.#rawHeaders[index]).toLowerCase()] = String(this.#rawHeaders[index + 1])
    }
    return headers
  }
}

/**
 * Collects one answer. Undici calls the methods in the order of the protocol, and one of the last two once. They are those that its client calls itself:
 * it would wrap a handler of the newer form, and take the headers of each answer apart (docs/decisions/0011-requests-are-ours.md).
 */
class Answer implements Dispatcher.DispatchHandler {
  readonly #resolve: (result: { response: HttpResponse }) => void
  readonly #reject: (reason: unknown) => void
  readonly #attempt: Attempt | undefined
  readonly #chunks: Buffer[] = []
  #statusCode = 0
  #rawHeaders: readonly Buffer[] = []
  /** Undefined while the request waits for a connection. It is then stopped when it gets one. */
  #stop: ((reason?: Error) => void) | undefined
  #signal: AbortSignal | undefined
  #abort: (() => void) | undefined

  constructor(resolve: (result: { response: HttpResponse }) => void, reject: (reason: unknown) => void, attempt: Attempt | undefined) {
    this.#resolve = resolve
    this.#reject = reject
    this.#attempt = attempt
    attempt?.onEnd(() => this.#stop?.(new Error('The attempt has ended.')))
  }

  /** Follows the signal until the answer has arrived. False if the signal is already aborted. */
  obey(signal: AbortSignal): boolean {
    this.#signal = signal
    this.#abort = () => {
      this.#stop?.(signal.reason)
      this.#fail(signal.reason)
    }
    if (signal.aborted) this.#fail(signal.reason)
    else signal.addEventListener('abort', this.#abort, { once: true })
    return !signal.aborted
  }

  onConnect(stop: (reason?: Error) => void): void {
    this.#stop = stop
    if (this.#signal?.aborted) stop(this.#signal.reason)
    else if (this.#attempt?.isEnded) stop(new Error('The attempt has ended.'))
    else this.#attempt?.sent()
  }

  /** True, as of `onData`: more may come. */
  onHeaders(statusCode: number, rawHeaders: Buffer[]): boolean {
    this.#statusCode = statusCode
    this.#rawHeaders = rawHeaders
    return true
  }

  onData(chunk: Buffer): boolean {
    this.#chunks.push(chunk)
    return true
  }

  onComplete(): void {
    this.#end()
    const [first] = this.#chunks
    const body = first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks)
    this.#resolve({ response: new Response(this.#statusCode, this.#rawHeaders, body) })
  }

  onError(error: Error): void {
    this.#fail(error)
  }

  #fail(reason: unknown): void {
    this.#end()
    this.#reject(reason)
  }

  #end(): void {
    if (this.#abort !== undefined) this.#signal?.removeEventListener('abort', this.#abort)
  }
}
