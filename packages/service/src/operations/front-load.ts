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
