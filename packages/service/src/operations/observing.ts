import { type DecisionLog, decisionLogger } from './decision-log.ts'
import type { ServiceMetrics } from './metrics.ts'
import type { Observing } from './observed.ts'
import { observedDecider } from './observed-decider.ts'

export interface Watchers {
  readonly metrics?: ServiceMetrics | undefined
  readonly decisionLog?: DecisionLog | undefined
}

/** Without a decision log round trips are counted of one question in so many: a histogram of a part is as good, and costs less. */
const metered = 16

export function observing({ metrics, decisionLog }: Watchers): Observing {
  const logger = decisionLog && decisionLogger(decisionLog)
  const isWatched = metrics !== undefined || logger !== undefined
  let count = 0
  const isMetered = () => logger !== undefined || count++ % metered === 0
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
