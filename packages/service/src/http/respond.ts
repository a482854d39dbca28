import type { ErrorCode } from '@freehold/table'
import type { Context } from 'hono'
import type { AccessLine } from './access-log.ts'
import type { RequestCaller } from './caller.ts'
import type { Cause } from './cause.ts'
import type { Connection } from './client-address.ts'
import type { Answer } from './route.ts'

/** Values that a request collects for its answer and its log line. */
export interface Env {
  Bindings: Connection
  Variables: {
    /** The id of the request. It is generated here, since one from the client could be anything. */
    request: string
    /** The caller's own identifier of the request, which AuthZEN sends back. It is not logged. */
    named?: string | undefined
    /** The id of its API key. */
    key?: string
    /** The issuer of its token, as it is configured. */
    issuer?: string
    /** Who asks. Absent for a route that needs no key. */
    caller?: RequestCaller
    /** The id of the user as whom a flow was called. */
    as?: string
    code?: ErrorCode | undefined
    cause?: Cause | undefined
    fault?: AccessLine['fault']
  }
}

/** Answers are data, often of people, so no cache may keep them and no browser may show them as a page. */
const headersOfAll = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const

/** The Response of an answer. A problem names its request. */
export function respond(c: Context<Env>, { status, body, json, headers, code, cause }: Answer): Response {
  const request = c.get('request')
  c.set('code', code)
  c.set('cause', cause)
  const sent = code === undefined || typeof body !== 'object' ? body : { ...body, instance: `urn:uuid:${request}` }
  const text = json ?? (sent === undefined ? undefined : JSON.stringify(sent))
  return new Response(text ?? null, {
    status,
    headers: {
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...headersOfAll,
      'X-Request-Id': c.get('named') ?? request,
      ...headers,
    },
  })
}
