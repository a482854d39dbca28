import { randomUUID } from 'node:crypto'
import { isFreeholdError } from '@freehold/table'
import { type Awaitable, invalidInput } from '@freehold/table/runtime'
import type { Observing } from '../operations/observed.ts'
import { type TraceIds, traceOf } from '../operations/trace-ids.ts'
import { tracedRoute } from '../operations/traced.ts'
import { authzenPaths } from '../routes/authzen.ts'
import { type AccessLine, faultOf, type Log, loggedMethods } from './access-log.ts'
import { answerRoute, type RequestLimits } from './answer-route.ts'
import type { Identified, Unidentified } from './authenticate.ts'
import { anybody, isUnlimited, mayUse, notForCaller } from './caller.ts'
import { clientAddress, personAddress } from './client-address.ts'
import { problem, problemOf } from './problem.ts'
import type { Answer, Route } from './route.ts'
import type { Handle, SentAnswer, ServiceRequest } from './service-request.ts'

/**
 * Tells the present instant as text. That of one millisecond is written once: a busy server asks for it many times, and to write it takes as long as a line
 * of the log.
 */
function presentInstant(): () => string {
  let at_ms = Number.NaN
  let text = ''
  return () => {
    const now_ms = Date.now()
    if (now_ms !== at_ms) {
      at_ms = now_ms
      text = new Date(now_ms).toISOString()
    }
    return text
  }
}

/** What a method of a path gives: the same to anybody, or the answer of a route. Those that need no key are answered even if many others are running. */
export type Endpoint =
  | { readonly needsKey: false; readonly page: () => Promise<Answer> }
  | { readonly needsKey: boolean; readonly route: Route }

/** The endpoints of each path, by method. A path with GET also has HEAD. */
export type Endpoints = ReadonlyMap<string, ReadonlyMap<string, Endpoint>>

export interface Handling {
  readonly endpoints: Endpoints
  /** The route of a request that no endpoint is for: one that says what to use instead. */
  readonly refused: (method: string, path: string) => Route | undefined
  /** The sentence for a path that is none, where there is a better one than for all. */
  readonly unanswered: ReadonlyMap<string, string>
  authenticate(headers: ServiceRequest['headers'], method: string): Awaitable<Identified | Unidentified>
  readonly limits: RequestLimits & { readonly inFlight_max: number }
  /** See `ServiceOptions`. */
  readonly trustedProxies: number
  readonly log: Log
  /** Around the work of each route, for those who watch it. */
  readonly within: Observing['within']
}

/** What logs tell of a request beside its answer. */
interface Noted extends Pick<Partial<AccessLine>, 'request' | 'key' | 'issuer' | 'as' | 'reason' | 'fault'> {
  /** The caller's own identifier of the request, which AuthZEN sends back. It is not logged. */
  named?: string
  trace?: TraceIds | undefined
}

type Noting = { -readonly [name in keyof Noted]: Noted[name] }

/** A request identifier of AuthZEN is sent back, whatever it is: a UUID has 36 characters. */
export const requestIdMax = 256

/**
 * The headers of an answer with a body, as most have. Answers are data, often of people, so no cache may keep them and no browser may show them as a page.
 * They are written out for each request: to add one to a copy of the others takes several times as long.
 */
const headersOfText = (request: string) => ({
  'Content-Type': 'application/json',
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Request-Id': request,
})

const { 'Content-Type': _type, 'X-Request-Id': _request, ...others } = headersOfText('')
/** Those that every answer has. */
export const headersOfAll: Readonly<Record<string, string>> = others

const refused = problemOf(notForCaller())
export const busy = problem('Busy', 'Too many requests are running. Try again.')
const nothingHere = 'There is nothing at this path: GET /v1 is the catalogue.'

function noSuchRoute({ endpoints, unanswered }: Handling, path: string): Answer {
  const methods = endpoints.get(path)
  if (methods === undefined) return problem('UnknownName', unanswered.get(path) ?? nothingHere, { status: 404 })
  const allow = [...methods.keys()].join(', ')
  return problem('InvalidInput', `${path} takes ${allow}.`, { status: 405, headers: { Allow: allow } })
}

/** Turns every error into a problem. For an unexpected error the client only learns that it happened. */
function answerError(error: unknown, noted: Noting): Answer {
  if (isFreeholdError(error)) return problemOf(error)
  noted.fault = faultOf(error)
  return problem('Unavailable', 'The service failed. Its log has the details under the id of this request.', { status: 500 })
}

/** The name by which admission tells callers apart. */
function nameOf({ key, issuer, caller }: Identified): string {
  if (key !== undefined) return `key ${key}`
  const { person } = caller
  if (person !== undefined) return `person ${JSON.stringify([person.design, person.user])}`
  const user = caller.token?.user
  return `user ${JSON.stringify(user && ('id' in user ? user.id : [user.provider, user.subject]))} of ${issuer}`
}

/** An answer as it is sent. A problem names its request. */
export function sentAnswer(answer: Answer, method: string, request: string, named = request): SentAnswer {
  const { status, body, text, bytes, headers, code } = answer
  const whole = code === undefined || typeof body !== 'object' ? body : { ...body, instance: `urn:uuid:${request}` }
  const sent = text ?? (whole === undefined ? undefined : JSON.stringify(whole))
  const told = sent === undefined && bytes === undefined ? { ...headersOfAll, 'X-Request-Id': named } : headersOfText(named)
  return {
    status,
    headers: headers === undefined ? told : { ...told, ...headers },
    text: method === 'HEAD' ? undefined : sent,
    ...(bytes === undefined || method === 'HEAD' ? {} : { bytes }),
  }
}

/** The core of the service, which all faces share: which endpoint a request means, who asks, what the answer is, and what the log tells of it. */
export function handling(options: Handling): Handle {
  const { endpoints, authenticate, limits, trustedProxies, log, within } = options
  const refusing = (method: string, path: string): Endpoint | undefined => {
    const route = options.refused(method, path)
    return route && { needsKey: true, route }
  }
  const instant = presentInstant()
  let inFlight = 0

  const answerBy = async (route: Route, request: ServiceRequest, address: string | undefined, identified: Identified, noted: Noting) => {
    const { caller, key } = identified
    if (!mayUse(caller, route)) return refused
    const ip_address = caller.purpose === 'application' ? personAddress(request.headers, address, trustedProxies) : address
    const origin = { key, ip_address, user_agent: request.headers.get('user-agent') ?? undefined }
    const acting = (user_id: string) => {
      noted.as = user_id
    }
    const work = () => tracedRoute(route, () => answerRoute(route, request, limits, { origin, caller, acting }))
    let answer: Answer
    try {
      answer = await within(noted, work)
    } catch (error) {
      if (!isFreeholdError(error)) throw error
      answer = problemOf(error)
    }
    return route.bound?.(answer) ?? answer
  }

  const answer = async (request: ServiceRequest, address: string | undefined, noted: Noting): Promise<Answer> => {
    const { method, path, headers } = request
    if (path.startsWith(authzenPaths)) {
      const named = headers.get('x-request-id')
      if (named !== null && named.length > requestIdMax)
        throw invalidInput('The request', [{ path: ['X-Request-ID'], message: `is longer than ${requestIdMax}` }])
      if (named !== null) noted.named = named
    }
    const endpoint = endpoints.get(path)?.get(method) ?? refusing(method, path)
    if (endpoint?.needsKey === false)
      return 'page' in endpoint ? endpoint.page() : answerBy(endpoint.route, request, address, { caller: anybody }, noted)
    const methods = endpoint === undefined ? endpoints.get(path) : undefined
    if (methods !== undefined && [...methods.values()].every(({ needsKey }) => !needsKey)) return noSuchRoute(options, path)
    // In this order, requests without a key take no place from those with one. The lookups of keys have their own bound.
    const identifying = authenticate(headers, method)
    const identified = identifying instanceof Promise ? await identifying : identifying
    if ('refusal' in identified) {
      if (identified.reason !== undefined) noted.reason = identified.reason
      return identified.refusal
    }
    const { caller, key, issuer } = identified
    if (key !== undefined) noted.key = key
    if (issuer !== undefined) noted.issuer = issuer
    request.verified?.(nameOf(identified))
    // More would only wait in memory, each with its body.
    if (inFlight >= limits.inFlight_max) return busy
    inFlight++
    try {
      if (endpoint !== undefined) return await answerBy(endpoint.route, request, address, identified, noted)
      // To others it is as if there were something that they may not use.
      return isUnlimited(caller) ? noSuchRoute(options, path) : refused
    } finally {
      inFlight--
    }
  }

  return async (request) => {
    const start_ms = performance.now()
    const id = randomUUID()
    const { method, path, headers } = request
    const noted: Noting = { request: id, trace: traceOf(headers) }
    const address = clientAddress(headers, request, trustedProxies)
    let answered: Answer
    try {
      answered = await answer(request, address, noted)
    } catch (error) {
      answered = answerError(error, noted)
    }
    const sent = sentAnswer(answered, method, id, noted.named)
    const { code, cause } = answered
    const { key, issuer, as, fault, trace } = noted
    const reason = answered.reason ?? noted.reason
    // Observation stands here: each request is told to the log once, with its answer, whichever face it came by.
    log({
      time: instant(),
      request: id,
      key,
      issuer,
      address,
      as,
      method: loggedMethods.has(method) ? method : 'other',
      route: endpoints.has(path) ? path : 'unknown',
      status: sent.status,
      ms: Math.round((performance.now() - start_ms) * 10) / 10,
      code,
      reason,
      cause,
      fault,
      trace_id: trace?.trace_id,
      span_id: trace?.span_id,
      trace_flags: trace?.trace_flags,
    })
    return sent
  }
}
