import { ProblemError, uncertain } from './problem-error.ts'

/** What a client needs of its surroundings. A test injects them. */
export interface Surroundings {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>
  sleep(ms: number, signal: AbortSignal): Promise<void>
  /** From 0 up to 1. */
  random(): number
  /** Milliseconds of a clock that never goes back. */
  now_ms(): number
  uuid(): string
}

export interface SendOptions {
  /** The whole time of a call with its repeats, in milliseconds. */
  readonly patience_ms: number
  /** The most requests of one call. */
  readonly attempts_max: number
  /** The most requests of one call that nobody answers: a service that is not there is not asked as long as one that is busy. */
  readonly unreached_max: number
}

/** A request, and whether it may be sent again after it was lost. */
export interface Outgoing {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** It has no effect, or only one however often it is sent. */
  readonly isRepeatable: boolean
  /** It may have an effect, of which a lost answer leaves its caller uncertain. */
  readonly isWrite: boolean
  readonly signal: AbortSignal | undefined
}

export interface Incoming {
  readonly status: number
  readonly headers: Headers
  readonly body: unknown
}

const pauseMax_ms = 2_000

/** The seconds of `Retry-After`, in either of its forms (RFC 9110, section 10.2.3): a number, or a date beside that of the answer. */
function secondsOf(headers: Headers | undefined): number | undefined {
  const text = headers?.get('retry-after') ?? ''
  if (/^\d{1,6}$/.test(text)) return Number(text)
  const seconds = Math.ceil((Date.parse(text) - Date.parse(headers?.get('date') ?? '')) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}

/**
 * The wait before the next attempt: what the service says, else twice as long each time. Both are drawn, so that clients that were refused together do not
 * come back together; nobody comes back before the service has said.
 */
function pauseOf(attempt: number, headers: Headers | undefined, random: number): number {
  const seconds = secondsOf(headers)
  if (seconds === undefined) return Math.min(pauseMax_ms, 50 * 2 ** attempt) * (0.5 + random / 2)
  return seconds * 1000 + Math.min(pauseMax_ms, Math.max(100, seconds * 500)) * random
}

const record = (body: unknown): Readonly<Record<string, unknown>> =>
  // An object's members may be read by any name.
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Readonly<Record<string, unknown>>) : {}

/** No page of the service is larger. */
const bytes_max = 134_217_728

const notJson = (status: number, cause: unknown) =>
  new ProblemError(status, 'NotJson', 'The answer is not JSON: is this address that of the service?', {}, { cause })

/** The text of an answer, of which no more is held than of a page of the service. */
async function textOf({ body, status }: Response): Promise<string> {
  if (body === null) return ''
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (piece?: Uint8Array) => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined })
    } catch (cause) {
      throw notJson(status, cause)
    }
  }
  let text = ''
  let bytes = 0
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader()
  for (let { value } = await reader.read(); value !== undefined; { value } = await reader.read()) {
    bytes += value.byteLength
    if (bytes > bytes_max) {
      await reader.cancel()
      throw new ProblemError(status, 'TooLarge', `The answer has more than ${bytes_max} bytes: is this address that of the service?`)
    }
    text += decoded(value)
  }
  return text + decoded()
}

async function read(response: Response): Promise<Incoming> {
  const text = await textOf(response)
  const { status, headers } = response
  try {
    return { status, headers, body: text === '' ? undefined : JSON.parse(text) }
  } catch (cause) {
    throw notJson(status, cause)
  }
}

/** The error that an answer tells. */
function problemOf({ status, body }: Incoming): ProblemError {
  const problem = record(body)
  return new ProblemError(status, String(problem.code ?? 'Unknown'), String(problem.detail ?? `The service answered ${status}.`), problem)
}

/** The request was refused before anything was done: it may be sent again, whatever it is. A gateway refuses with 429, too, and says no time. */
function isRefusedForNow({ status, body, headers }: Incoming): boolean {
  return status === 429 || (status === 503 && headers.has('retry-after') && record(body).uncertain !== true)
}

/** Codes of Node and undici for a connection that was never made, so that nothing was sent. A browser tells none. */
const unsentCodes: ReadonlySet<unknown> = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'])

/** Nobody knows whether the request was applied: its answer was lost, or is that of a gateway. The service tells itself of what it is uncertain. */
function isLost(error: ProblemError): boolean {
  const { status, problem, cause } = error
  if (status === 0) return !unsentCodes.has(Object(Object(cause).cause).code)
  return status < 400 || (status >= 500 && problem.code === undefined)
}

/** Throws for a header that `fetch` cannot send: it would seem that nobody answers. */
function checkHeaders(headers: Outgoing['headers']): void {
  for (const [name, value] of Object.entries(headers))
    try {
      new Headers([[name, value]])
    } catch (cause) {
      const issue = { path: [name], message: 'has a character that no header may have' }
      throw new ProblemError(0, 'InvalidInput', `The request: ${name} ${issue.message}.`, { issues: [issue] }, { cause })
    }
}

/** Nobody knows whether something was done: a gateway that got no answer, or a service that cannot answer now. */
const unanswered: ReadonlySet<number> = new Set([502, 503, 504])

/**
 * Sends a request, and again if that may help. A request that is not repeatable is sent again only after 429, and after 503 with `Retry-After`, by which the
 * service says that nothing was done. Throws `ProblemError`.
 */
export async function send(outgoing: Outgoing, how: SendOptions, around: Surroundings): Promise<Incoming> {
  const { method, url, headers, body, isRepeatable, isWrite, signal } = outgoing
  checkHeaders(headers)
  const { patience_ms, attempts_max, unreached_max } = how
  const end_ms = around.now_ms() + patience_ms
  let unreached = 0
  let mayBeApplied = false
  for (let attempt = 0; ; attempt++) {
    const left_ms = Math.max(1, Math.ceil(end_ms - around.now_ms()))
    const timeout = AbortSignal.timeout(left_ms)
    const both = signal === undefined ? timeout : AbortSignal.any([signal, timeout])
    let answer: Incoming | undefined
    let error: ProblemError
    try {
      // Another address would decide in place of the service: an answer that leads there is none.
      const init = { method, headers, signal: both, redirect: 'error', ...(body === undefined ? {} : { body }) } as const
      answer = await read(await around.fetch(url, init))
      if (answer.status >= 200 && answer.status < 300) return answer
      error = problemOf(answer)
    } catch (cause) {
      if (signal?.aborted === true) throw signal.reason
      error =
        cause instanceof ProblemError
          ? cause
          : new ProblemError(
              0,
              'Unreached',
              `No answer came from ${new URL(url).origin}: is the service running, and is this its address?`,
              {},
              { cause },
            )
    }
    if (answer === undefined) unreached += 1
    const isRefused = answer !== undefined && isRefusedForNow(answer)
    mayBeApplied ||= !isRefused && isLost(error)
    const mayHelp =
      answer === undefined ? isRepeatable && unreached < unreached_max : isRefused || (isRepeatable && unanswered.has(answer.status))
    const pause_ms = pauseOf(attempt, answer?.headers, around.random())
    if (!mayHelp || attempt + 1 >= attempts_max || around.now_ms() + pause_ms >= end_ms) {
      // Also after a refusal: the request before it may be under way still.
      throw isWrite && mayBeApplied ? uncertain(error) : error
    }
    await around.sleep(pause_ms, both)
  }
}
