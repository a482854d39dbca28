import type { ErrorCode } from '@freehold/table'
import type { Cause } from './cause.ts'

/** One request, as it is logged: nothing that its sender wrote but the method and, where it is known, the path, which holds no data. */
export interface AccessLine {
  /** When it was answered. */
  readonly time: string
  /** Also in the answer's `X-Request-Id`, and in the `instance` of a problem. */
  readonly request: string
  readonly method: string
  /** A path that the service has, or `unknown`. */
  readonly route: string
  readonly status: number
  readonly ms: number
  readonly code?: ErrorCode
  /** Of a 503. */
  readonly cause?: Cause
  /** Of an error that nobody expected: its name and where it happened, without its message, which may quote what was sent. */
  readonly fault?: { readonly name: string; readonly frames: readonly string[] }
}

/** Where access lines go. It must not throw, and does not hold up the answer. */
export type Log = (line: AccessLine) => void

/** Writes each line as JSON. @param write to standard error unless given */
export function jsonLog(write: (text: string) => void = (text) => process.stderr.write(text)): Log {
  return (line) => write(`${JSON.stringify(line)}\n`)
}

/** An unexpected error, without what it quotes. */
export function faultOf(error: unknown): NonNullable<AccessLine['fault']> {
  if (!(error instanceof Error)) return { name: typeof error, frames: [] }
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line))
  return { name: error.name, frames: frames.map((line) => line.trim()) }
}
