import type { DeciderOptions } from '@freehold/frame/decision'
import type { ConnectedTable } from '@freehold/table'
import type { SentRequest } from '@freehold/table/runtime'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { FrontLoad } from '../admission/front.ts'
import type { Log } from '../http/access-log.ts'
import type { Handle } from '../http/service-request.ts'
import { watchJobAge } from './job-age.ts'
import type { ObservedQuestion } from './observed-decider.ts'

/** Metrics of the front of a server, which refuses requests before they reach the service, so that no line and no other metric has them. */
function watchFrontLoad(registry: Registry): (load: () => FrontLoad) => void {
  return (load) => {
    const gauge = (name: string, help: string, value: (load: FrontLoad) => number) =>
      new Gauge({
        name: `freehold_admission_${name}`,
        help,
        registers: [registry],
        collect() {
          this.set(value(load()))
        },
      })
    gauge('running', 'Requests that run.', ({ running }) => running)
    gauge('waiting', 'Requests that wait for a place.', ({ waiting }) => waiting)
    gauge('connections', 'Open connections.', ({ connections }) => connections)
    new Counter({
      name: 'freehold_admission_refused_total',
      help: 'Requests that were refused before they reached the service.',
      registers: [registry],
      collect() {
        this.reset()
        this.inc(load().refused)
      },
    })
  }
}

/**
 * What a service counts. Each has its own registry, so that two services of one process do not mix. All labels are names that the program declares:
 * designs, routes, operations, kinds. No label has a text of a request, so that their number is bounded, and tells nothing of anybody.
 */
export interface ServiceMetrics {
  /** prom-client's registry. A cluster adds up `registry.getMetricsAsJSON()` of its processes. */
  readonly registry: Registry
  /** The same log, whose requests are counted. */
  counting(log: Log): Log
  /** The same service, whose running requests are counted. */
  running(handle: Handle): Handle
  /** Counts a question that has ended. */
  decided(question: ObservedQuestion): void
  /** Counts a request to DynamoDB. For `watchedSender`. */
  sent(request: SentRequest): void
  /** Counts what deciders and keys take from memory. For `DeciderOptions` and `KeysOptions`. */
  readonly onDefinition: NonNullable<DeciderOptions['onDefinition']>
  readonly onKey: (age_ms: number | undefined) => void
  /** Counts lines of the decision log that were dropped. */
  dropped(count: number): void
  /** Tells what the front of the server lets run, wait and go, whenever metrics are read. */
  watchLoad(load: () => FrontLoad): void
  /** Tells the age of the oldest unfinished job of a table from now on, whenever metrics are read. */
  watchJobs(design: string, jobs: Pick<ConnectedTable['jobs'], 'list'>): void
}

/** Seconds. The first are for questions that are answered from memory, the last are the bound of a call. */
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]
const perSecond = 1_000

const statusClass = (status: number): string => `${Math.floor(status / 100)}xx`

/** Makes the metrics of one service, with those of its process. Nothing is counted before they are handed to it. */
export function createMetrics(): ServiceMetrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <L extends string>(name: string, help: string, labelNames: readonly L[] = []) =>
    new Counter<L>({ name: `freehold_${name}`, help, labelNames: [...labelNames], registers })
  const histogram = <L extends string>(name: string, help: string, labelNames: readonly L[], buckets: readonly number[]) =>
    new Histogram<L>({ name: `freehold_${name}`, help, labelNames: [...labelNames], buckets: [...buckets], registers })

  const requests = counter('http_requests_total', 'Answered requests.', ['route', 'method', 'status'])
  const durations = histogram('http_request_duration_seconds', 'From the arrival of a request to its answer.', ['route', 'method'], seconds)
  const refused = counter('http_requests_refused_total', 'Requests that were told to try again later, since the service was busy.')
  const running = new Gauge({ name: 'freehold_http_requests_running', help: 'Requests that are not answered yet.', registers })
  const decisions = counter('decisions_total', 'Questions, by how they ended.', ['design', 'question', 'outcome', 'reason'])
  const decisionDurations = histogram('decision_duration_seconds', 'Time of a question.', ['design', 'question'], seconds)
  const roundTrips = histogram(
    'decision_round_trips',
    'Sequential steps of a question.',
    ['design', 'question'],
    [0, 1, 2, 3, 4, 6, 8, 12, 16],
  )
  const sent = counter('dynamodb_requests_total', 'Requests to DynamoDB.', ['operation', 'outcome'])
  const sentDurations = histogram('dynamodb_request_duration_seconds', 'Time of one attempt at a request.', ['operation'], seconds)
  const units = counter('dynamodb_request_units_total', 'Request units, as DynamoDB counts them.', ['kind'])
  const retries = counter('dynamodb_retries_total', 'Attempts after the first.', ['operation'])
  const throttles = counter('dynamodb_throttles_total', 'Requests that DynamoDB throttled.', ['operation'])
  const taken = counter('cache_reads_total', 'What was taken from memory, or read.', ['cache', 'result'])
  const ages = histogram('cache_age_seconds', 'The age of what was taken from memory.', ['cache'], [0.1, 0.5, 1, 2, 3, 4, 5, 10, 60])
  const drops = counter('decision_log_dropped_total', 'Lines of the decision log that were dropped.')

  const cache = (name: string) => (age_ms: number | undefined) => {
    taken.inc({ cache: name, result: age_ms === undefined ? 'miss' : 'hit' })
    if (age_ms !== undefined) ages.observe({ cache: name }, age_ms / perSecond)
  }
  return {
    registry,
    counting: (log) => (line) => {
      const { route, method, status, ms, code } = line
      requests.inc({ route, method, status: statusClass(status) })
      durations.observe({ route, method }, ms / perSecond)
      if (code === 'Busy') refused.inc()
      log(line)
    },
    running: (handle) => async (request) => {
      running.inc()
      try {
        return await handle(request)
      } finally {
        running.dec()
      }
    },
    decided: ({ design, asked: question, outcome, answer, ms, cost }) => {
      decisions.inc({ design, question, outcome, reason: answer?.reason?.kind ?? 'none' })
      decisionDurations.observe({ design, question }, ms / perSecond)
      if (cost !== undefined) roundTrips.observe({ design, question }, cost.roundTrips)
    },
    sent: ({ operation, outcome, attempt, isWrite, units: count, ms }) => {
      sent.inc({ operation, outcome })
      sentDurations.observe({ operation }, ms / perSecond)
      if (count > 0) units.inc({ kind: isWrite ? 'write' : 'read' }, count)
      if (attempt > 1) retries.inc({ operation })
      if (outcome === 'throttled') throttles.inc({ operation })
    },
    onDefinition: cache('definitions'),
    onKey: cache('keys'),
    dropped: (count) => drops.inc(count),
    watchLoad: watchFrontLoad(registry),
    watchJobs: watchJobAge(registry),
  }
}
