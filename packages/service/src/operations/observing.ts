import { type DecisionLog, decisionLogger } from './decision-log.ts'
import type { ServiceMetrics } from './metrics.ts'
import type { Observing } from './observed.ts'
import { observedDecider } from './observed-decider.ts'

export interface Watchers {
  readonly metrics?: ServiceMetrics | undefined
  readonly decisionLog?: DecisionLog | undefined
}

/**
 * Without a decision log round trips are counted of one question in so many, and not more often: a histogram of a part is as good. On Node 20 every
 * promise of the process is slower while one question is counted, so that of a busy server one would be at nearly any time.
 */
const metered = { oneIn: 16, every_ms: 100 } as const

export function observing({ metrics, decisionLog }: Watchers): Observing {
  const logger = decisionLog && decisionLogger(decisionLog)
  const isWatched = metrics !== undefined || logger !== undefined
  let count = 0
  let next_ms = 0
  const isMetered = () => {
    if (logger !== undefined) return true
    if (count++ % metered.oneIn !== 0 || performance.now() < next_ms) return false
    next_ms = performance.now() + metered.every_ms
    return true
  }
  return {
    log: (log) => metrics?.counting(log) ?? log,
    handle: (handle) => metrics?.running(handle) ?? handle,
    within: logger?.within ?? ((_, work) => work()),
    decider: (design, decider) => {
      if (decider === undefined || !isWatched) return decider
      return observedDecider(design, decider, {
        isMetered,
        observe: (question) => {
          metrics?.decided(question)
          logger?.decided(question, decider)
        },
      })
    },
    deciding: metrics === undefined ? {} : { onDefinition: metrics.onDefinition },
  }
}
