import type { Runtime } from './runtime.ts'

/**
 * The runtime for one call: all its requests end within the runtime's patience plus the limit of one attempt. For a call within a call the
 * earlier end counts. A durable job is not part of the call that recorded it, and gets the runtime without this deadline.
 */
export function withDeadline(runtime: Runtime): Runtime {
  const end_ms = runtime.monotonic_ms() + runtime.patience_ms
  return runtime.end_ms !== undefined && runtime.end_ms <= end_ms ? runtime : { ...runtime, end_ms }
}

/** Milliseconds within which a request may be sent again. Negative after the end of its call, while its last attempt runs. */
export function left_ms({ end_ms, monotonic_ms, patience_ms }: Runtime): number {
  return end_ms === undefined ? patience_ms : Math.min(patience_ms, end_ms - monotonic_ms())
}
