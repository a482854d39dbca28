import { setTimeout } from 'node:timers/promises'

/** A pause that ends with a watch, and for which no process stays alive. */
export const timer =
  (interval_ms: number) =>
  (signal: AbortSignal): Promise<unknown> =>
    setTimeout(interval_ms, undefined, { signal, ref: false })
