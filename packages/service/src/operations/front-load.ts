import { Counter, Gauge, type Registry } from 'prom-client'
import type { FrontLoad } from '../admission/front.ts'

/** Metrics of the front of a server, which refuses requests before they reach the service, so that no line and no other metric has them. */
export function watchFrontLoad(registry: Registry): (load: () => FrontLoad) => void {
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
    gauge('running', 'The weight of the requests that run.', ({ running }) => running)
    gauge('limit', 'The weight of requests that may run.', ({ limit }) => limit)
    gauge('waiting', 'Requests that wait for a place.', ({ waiting }) => waiting)
    gauge('connections', 'Open connections.', ({ connections }) => connections)
    new Counter({
      name: 'freehold_admission_refused_total',
      help: 'Requests that were refused before they reached the service.',
      labelNames: ['reason'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(load().refused)) this.inc({ reason }, count)
      },
    })
  }
}
