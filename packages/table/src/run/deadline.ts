import type { Runtime } from './runtime.ts'

/**
 * The runtime for one call: all that the call sends, one request after the other, ends within the runtime's patience and the limit of one attempt. Of
 * a call within a call the earlier end counts. A durable job is no part of the call that recorded it: it gets the runtime as it was.
 */
export function withDeadline(runtime: Runtime): Runtime {
  const end_ms = runtime.monotonic_ms() + runtime.patience_ms
  return runtime.end_ms !== undefined && runtime.end_ms <= end_ms ? runtime : { ...runtime, end_ms }
}

/** Milliseconds for which a request may be sent again; below zero once its call should have ended, and only its last attempt is under way. */
export function left_ms({ end_ms, monotonic_ms, patience_ms }: Runtime): number {
  return end_ms === undefined ? patience_ms : Math.min(patience_ms, end_ms - monotonic_ms())
}
