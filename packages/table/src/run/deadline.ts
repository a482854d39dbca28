import type { Runtime } from './runtime.ts'

/**
 * The runtime for one call: all that the call sends, one request after the other, ends within the runtime's patience. Of a call within a call the
 * earlier end counts. A durable job is no part of the call that recorded it: it gets the runtime as it was.
 */
export function withDeadline(runtime: Runtime): Runtime {
  const end_ms = runtime.monotonic_ms() + runtime.patience_ms
  return runtime.end_ms !== undefined && runtime.end_ms <= end_ms ? runtime : { ...runtime, end_ms }
}

/** Milliseconds that are left for a request. */
export function left_ms({ end_ms, monotonic_ms, patience_ms }: Runtime): number {
  return end_ms === undefined ? patience_ms : Math.max(0, Math.min(patience_ms, end_ms - monotonic_ms()))
}
