import { type LoadConnection, loadConnection } from './connection.js'

/** What an open-loop run saw. Latencies count from the instant at which a request was due, in milliseconds. */
export interface Seen {
  /** Answers of 200 within the patience of a client, for each second of the run. */
  readonly goodput: number
  /** Requests by status; 0 for those that got no answer. */
  readonly statuses: ReadonlyMap<number, number>
  /** Requests that were due while all connections were busy: the client's own bound refuses them, and the server sees nothing of them. */
  readonly unsent: number
  /** Of the answers of 200, in rising order. */
  readonly latencies_ms: readonly number[]
  /** By how much the generator itself was late with each request, in rising order. */
  readonly late_ms: readonly number[]
  /** The CPU of the generator, in microseconds. */
  readonly cpu_us: number
  /** How long all of it took. */
  readonly seconds: number
}

export interface OpenLoop {
  readonly port: number
  readonly connections: number
  /** Requests a second, by a fixed schedule. */
  readonly rate: number
  readonly count: number
  readonly request: Buffer
  /** How long a client waits, in milliseconds. */
  readonly patience_ms?: number
}

/**
 * Sends requests by a schedule that does not wait for answers. A request that is due while no connection is free is not sent, and counts as that: were
 * it sent later, the queue of the generator would be measured, and not that of the server.
 */
export async function openLoop({ port, connections, rate, count, request, patience_ms = 1_000 }: OpenLoop): Promise<Seen> {
  const all = Array.from({ length: connections }, () => loadConnection(port))
  const free = [...all]
  const statuses = new Map<number, number>()
  const latencies_ms: number[] = []
  const late_ms: number[] = []
  let [scheduled, ended, good, unsent] = [0, 0, 0, 0]
  const before = process.cpuUsage()
  const began_ms = performance.now()
  let isOver = (_: undefined) => {}
  const over = new Promise<undefined>((resolve) => {
    isOver = resolve
  })

  const begin = (connection: LoadConnection, due_ms: number) =>
    connection.send(request, (status) => {
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (status === 200) {
        const latency_ms = performance.now() - due_ms
        latencies_ms.push(latency_ms)
        if (latency_ms <= patience_ms) good++
      }
      free.push(connection)
      if (++ended === count) isOver(undefined)
    })
  const turn = () => {
    const now_ms = performance.now()
    for (; scheduled < count; scheduled++) {
      const due_ms = began_ms + (scheduled * 1000) / rate
      if (due_ms > now_ms) break
      late_ms.push(now_ms - due_ms)
      const connection = free.pop()
      if (connection !== undefined) begin(connection, due_ms)
      else {
        unsent++
        ended++
      }
    }
    if (scheduled < count) setTimeout(turn, 1)
    else if (ended === count) isOver(undefined)
  }
  turn()
  await over
  const seconds = (performance.now() - began_ms) / 1000
  const { user, system } = process.cpuUsage(before)
  for (const connection of all) connection.end()
  latencies_ms.sort((a, b) => a - b)
  late_ms.sort((a, b) => a - b)
  return { goodput: good / (count / rate), statuses, unsent, latencies_ms, late_ms, cpu_us: user + system, seconds }
}

/** What a closed-loop run saw. */
export interface Closed {
  /** Answers of 200 in a second. */
  readonly rate: number
  readonly refused: number
}

/** Sends requests over so many connections, each one after the other. */
export async function closedLoop(port: number, connections: number, count: number, request: Buffer): Promise<Closed> {
  const all = Array.from({ length: connections }, () => loadConnection(port))
  const began_ms = performance.now()
  let [sent, good] = [0, 0]
  const repeat = (connection: LoadConnection): Promise<void> =>
    new Promise((resolve) => {
      const next = () => {
        if (sent++ >= count) return resolve()
        connection.send(request, (status) => {
          if (status === 200) good++
          next()
        })
      }
      next()
    })
  await Promise.all(all.map(repeat))
  const taken_s = (performance.now() - began_ms) / 1000
  for (const connection of all) connection.end()
  return { rate: good / taken_s, refused: count - good }
}

/** A value below which this part of sorted values lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
