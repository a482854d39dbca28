import { questionBytes } from './connection.js'
import { closedLoop, openLoop, quantile, type Seen } from './open-loop.js'
import type { LoadedServer } from './server.js'

/** The load of an experiment beside what the server can do. */
const factors = [0.9, 1, 2, 4] as const
const seconds = 6
const connections = 512
/** How often health is asked meanwhile, each second. */
const probes = 20
const patience_ms = 60_000

export interface Overloaded {
  readonly factor: number
  readonly rate: number
  readonly seen: Seen
  /** Of `/health/live`, in rising order. */
  readonly health_ms: readonly number[]
  /** Microseconds of the server's CPU in all. */
  readonly cpu_us: number
}

/** The rate that the server can serve: the best of some runs with few connections. */
async function capacityOf({ port, key, path, question }: LoadedServer): Promise<number> {
  const request = questionBytes(path, question, key)
  const rates: number[] = []
  for (let run = 0; run < 4; run++) rates.push((await closedLoop(port, 16, 3_000, request)).rate)
  return Math.max(...rates)
}

/** Offers a server more and more requests. */
export async function overload(server: LoadedServer): Promise<readonly Overloaded[]> {
  const { port, key, path, question } = server
  const request = questionBytes(path, question, key)
  const health = Buffer.from(`GET ${server.health} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`)
  const capacity = await capacityOf(server)
  const runs: Overloaded[] = []
  for (const factor of factors) {
    const rate = capacity * factor
    const before = await server.cpu()
    const load = openLoop({ port, connections, rate, count: Math.floor(rate * seconds), request })
    const probing = openLoop({ port, connections: 4, rate: probes, count: probes * seconds, request: health, patience_ms })
    const [seen, { latencies_ms: health_ms }] = await Promise.all([load, probing])
    runs.push({ factor, rate, seen, health_ms, cpu_us: (await server.cpu()) - before })
  }
  return runs
}

export const overloadColumns = [
  ...['of what it can serve', 'offered', 'unsent', 'refused', 'goodput', 'of best', 'p50', 'p99', 'live max', 'CPU', 'good/CPU s'],
  ...['late p99', 'generator'],
] as const

/** The lines of a table. */
export function overloadLines(runs: readonly Overloaded[]): readonly string[][] {
  const best = Math.max(...runs.map(({ seen }) => seen.goodput))
  const number = (value: number) => value.toFixed(0)
  const percent = (part: number) => `${number(part * 100)} %`
  return runs.map(({ factor, rate, seen, health_ms, cpu_us }) => {
    const refused = Math.floor(rate * seconds) - seen.unsent - (seen.statuses.get(200) ?? 0)
    const ms = [quantile(seen.latencies_ms, 0.5), quantile(seen.latencies_ms, 0.99), health_ms.at(-1) ?? Number.NaN].map(number)
    return [
      ...[
        `${factor} times`,
        ...[rate, seen.unsent / seconds, refused / seconds, seen.goodput].map(number),
        percent(seen.goodput / best),
        ...ms,
      ],
      ...[percent(cpu_us / 1e6 / seen.seconds), number((seen.goodput * seconds) / (cpu_us / 1e6)), number(quantile(seen.late_ms, 0.99))],
      percent(seen.cpu_us / 1e6 / seen.seconds),
    ]
  })
}
