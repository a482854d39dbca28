import { answerOf, type Execute } from './json-protocol.ts'

/** The parts of a request of the AWS SDK 3 that matter here (`HttpRequest` of `@smithy/types`). */
interface HttpRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

interface HttpResponse {
  readonly statusCode: number
  readonly headers: Record<string, string>
  readonly body: Uint8Array
}

/**
 * What the AWS SDK 3 calls in place of an HTTP client: `new DynamoDBClient({ requestHandler: engine.requestHandler, … })`. Requests stay in
 * the process, so that their signatures are not checked.
 */
export class RequestHandler {
  readonly metadata = { handlerProtocol: 'http/1.1' }
  readonly #execute: Execute

  constructor(execute: Execute) {
    this.#execute = execute
  }

  async handle({ headers, body }: HttpRequest, { abortSignal: signal }: HandlerOptions = {}): Promise<{ response: HttpResponse }> {
    if (signal?.aborted === true) throw Object.assign(new Error('Request aborted'), { name: 'AbortError' })
    const text = typeof body === 'string' ? body : body instanceof Uint8Array ? new TextDecoder().decode(body) : ''
    const answer = await answerOf(this.#execute, headers['x-amz-target'] ?? headers['X-Amz-Target'], text)
    const response = {
      statusCode: answer.status,
      headers: { 'content-type': 'application/x-amz-json-1.0' },
      body: Buffer.from(answer.body),
    }
    return { response }
  }

  updateHttpClientConfig(): void {}

  httpHandlerConfigs(): Record<string, never> {
    return {}
  }

  destroy(): void {}
}

interface HandlerOptions {
  readonly abortSignal?: { readonly aborted: boolean }
}
