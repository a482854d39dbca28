import type { Decider, DeciderOptions } from '@freehold/designs'
import type { Log } from '../http/access-log.ts'
import type { Handle } from '../http/service-request.ts'
import type { ServiceMetrics } from './metrics.ts'
import { observedDecider } from './observed-decider.ts'

/** What a service does for those who watch it, around its own parts. Without watchers it gives each part back as it is. */
export interface Observing {
  log(log: Log): Log
  handle(handle: Handle): Handle
  decider<D extends Decider | undefined>(design: string, decider: D): Decider | D
  /** The options of deciders that the service makes. */
  readonly deciding: DeciderOptions
}

export interface Watchers {
  readonly metrics?: ServiceMetrics | undefined
}

/** Round trips are counted of one question in so many: a histogram of a part is as good, and costs less. */
const metered = 16

export function observing({ metrics }: Watchers): Observing {
  if (metrics === undefined) return { log: (log) => log, handle: (handle) => handle, decider: (_, decider) => decider, deciding: {} }
  let count = 0
  const observer = { isMetered: () => count++ % metered === 0, observe: metrics.decided }
  return {
    log: metrics.counting,
    handle: metrics.running,
    decider: (design, decider) => decider && observedDecider(design, decider, observer),
    deciding: { onDefinition: metrics.onDefinition },
  }
}
