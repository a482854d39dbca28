import type { ConnectedTable } from '@freehold/table'
import { Gauge, type Registry } from 'prom-client'

/** How long one look at the jobs of a table counts: two who collect metrics cost as much as one. */
const reuse_ms = 5_000
/** How long those who collect metrics wait for a table. */
const wait_ms = 2_000

type Jobs = Pick<ConnectedTable['jobs'], 'list'>

/** The age of the oldest recorded job in seconds, 0 without jobs; undefined if the table does not answer in time. */
async function oldestAge(jobs: Jobs): Promise<number | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, wait_ms, undefined)
  })
  const looked = jobs.list({ limit: 1 }).then(
    ([oldest]) => (oldest === undefined ? 0 : Math.max(0, Date.now() - Date.parse(oldest.createdAt)) / 1_000),
    () => undefined,
  )
  return Promise.race([looked, late]).finally(() => clearTimeout(timer))
}

/**
 * A gauge of the oldest unfinished job of each table that it is given. A table is asked when metrics are read. One that does not answer has no value, since
 * its last one would look like the truth.
 */
export function watchJobAge(registry: Registry): (design: string, jobs: Jobs) => void {
  const tables = new Map<string, () => Promise<number | undefined>>()
  new Gauge({
    name: 'freehold_oldest_job_age_seconds',
    help: 'Since the oldest unfinished job was recorded; 0 without jobs.',
    labelNames: ['design'],
    registers: [registry],
    // All processes of a cluster see the same jobs.
    aggregator: 'max',
    async collect() {
      const ages = await Promise.all([...tables].map(async ([design, age]) => [design, await age()] as const))
      this.reset()
      for (const [design, age] of ages) if (age !== undefined) this.set({ design }, age)
    },
  })
  return (design, jobs) => {
    let last: { readonly at_ms: number; readonly age: Promise<number | undefined> } | undefined
    tables.set(design, () => {
      const at_ms = performance.now()
      if (last === undefined || at_ms - last.at_ms >= reuse_ms) last = { at_ms, age: oldestAge(jobs) }
      return last.age
    })
  }
}
