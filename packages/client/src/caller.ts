import { type Incoming, type SendOptions, type Surroundings, send } from './send.ts'

export interface ServiceOptions extends Partial<SendOptions> {
  /** The address of the service: `http://127.0.0.1:3000`. */
  readonly url: string
  /** An API key. A browser holds none: there a server asks. Null for the console, whose browser sends the cookie of its session. */
  readonly key: string | null
  readonly surroundings?: Partial<Surroundings>
}

export type Values = Readonly<Record<string, unknown>>

/** A request below `/v1`. */
export interface Call {
  readonly method: string
  readonly path: string
  /** The path is not below `/v1`. */
  readonly isBeside?: true
  readonly body?: Values | undefined
  /** It has no effect, or only one however often it is sent. */
  readonly isRepeatable: boolean
  readonly isWrite: boolean
  /** Those that are undefined are left out. */
  readonly headers?: Values
  readonly signal?: AbortSignal | undefined
}

/** Sends requests with the key of a caller. */
export interface Caller {
  readonly around: Surroundings
  call(call: Call): Promise<Incoming>
}

const whole: Surroundings = {
  fetch: (url, init) => fetch(url, init),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => {
        clearTimeout(timer)
        reject(signal.reason)
      })
    }),
  random: Math.random,
  now_ms: () => performance.now(),
  uuid: () => crypto.randomUUID(),
}

/** A caller of one service. */
export function callerOf({ url, key, surroundings, ...given }: ServiceOptions): Caller {
  const { patience_ms = 10_000, attempts_max = 4, unreached_max = 4 } = given
  const how = { patience_ms, attempts_max, unreached_max }
  const around: Surroundings = { ...whole, ...surroundings }
  const base = url.replace(/\/+$/, '')
  const caller = key === null ? { 'X-Freehold-Console': '1' } : { Authorization: `Bearer ${key}` }
  return {
    around,
    call: ({ method, path, isBeside, body, isRepeatable, isWrite, headers = {}, signal }) => {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' }
      const all = Object.entries({ ...caller, ...type, ...headers }).filter(([, value]) => value !== undefined)
      const told = Object.fromEntries(all.map(([name, value]) => [name, String(value)]))
      const text = body === undefined ? undefined : JSON.stringify(body)
      return send(
        { method, url: `${base}${isBeside === true ? '' : '/v1'}${path}`, headers: told, body: text, isRepeatable, isWrite, signal },
        how,
        around,
      )
    },
  }
}
