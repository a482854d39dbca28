import type { TokenCode } from '@freehold/frame/issuers'
import type { ErrorCode } from '@freehold/table'
import type { SignInCode } from '../console-sign-in/sign-in-refusal.ts'
import type { TraceIds } from '../operations/trace-ids.ts'
import type { Cause } from './cause.ts'

/** Why a token or a sign-in was refused. */
export type RefusalCode = TokenCode | SignInCode

/** The log line of a request. Of its sender's text it only has the method, ids and, if it is known, the path,
 * which has no data. What there is not to tell is undefined. */
export interface AccessLine extends TraceIds {
  /** The instant of the answer. */
  readonly time: string
  /** The id of the request, also in the answer's `X-Request-Id` and in the `instance` of a problem. */
  readonly request: string
  /** The id of the API key. */
  readonly key?: string | undefined
  /** The issuer of the token of a user, as it is configured. */
  readonly issuer?: string | undefined
  /** The address of the client, as far as it is known. */
  readonly address?: string | undefined
  /** The id of the user, or the identity provider, as whom a flow was called, or whose token asks. */
  readonly as?: string | undefined
  readonly method: string
  /** A path of the service, or `unknown`. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly code?: ErrorCode | undefined
  /** Why a token or a sign-in was refused: the client is not told. */
  readonly reason?: RefusalCode | undefined
  /** The cause of a 503. */
  readonly cause?: Cause | undefined
  /** For an unexpected error: its name and stack frames, without its message, which may quote the request. */
  readonly fault?: { readonly name: string; readonly frames: readonly string[] } | undefined
}

/** The methods that are told by their names. Others are text of a client. */
export const loggedMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Receives access lines. It must not throw, and does not delay the answer. */
export type Log = (line: AccessLine) => void

/** An unexpected error, without its message. */
export function faultOf(error: unknown): NonNullable<AccessLine['fault']> {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, frames: frames.map((line) => line.trim()) }
}
