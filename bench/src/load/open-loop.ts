import { type LoadConnection, loadConnection } from './connection.js'

/** What an open-loop run saw. Latencies count from the instant at which a request was due, in milliseconds. */
export interface Seen {
  /** Answers of 200 within the patience of a client, for each second of the run. */
  readonly goodput: number
  /** Requests by status; 0 for those that got no answer. */
  readonly statuses: ReadonlyMap<number, number>
  /** Of the answers of 200, in rising order. */
  readonly latencies_ms: readonly number[]
  /** The longest time by which the generator itself was late. */
  readonly late_ms: number
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
 * Sends requests by a schedule that does not wait for answers. A request that finds no free connection waits for one, and this counts as its latency:
 * a slow server is not asked less, and does not look the better for it.
 */
export async function openLoop({ port, connections, rate, count, request, patience_ms = 1_000 }: OpenLoop): Promise<Seen> {
  const all = Array.from({ length: connections }, () => loadConnection(port))
  const free = [...all]
  const due: number[] = []
  const statuses = new Map<number, number>()
  const latencies_ms: number[] = []
  let [scheduled, ended, good, late_ms, at] = [0, 0, 0, 0, 0]
  const began_ms = performance.now()
  let isOver = (_: undefined) => {}
  const over = new Promise<undefined>((resolve) => {
    isOver = resolve
  })

  const noted = (status: number, due_ms: number) => {
    const latency_ms = performance.now() - due_ms
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    if (status === 200) latencies_ms.push(latency_ms)
    if (status === 200 && latency_ms <= patience_ms) good++
    if (++ended === count) isOver(undefined)
  }
  const begin = (connection: LoadConnection, due_ms: number) =>
    connection.send(request, (status) => {
      noted(status, due_ms)
      const next = due[at]
      if (next === undefined) free.push(connection)
      else {
        at++
        begin(connection, next)
      }
    })
  const turn = () => {
    const now_ms = performance.now()
    for (; scheduled < count; scheduled++) {
      const due_ms = began_ms + (scheduled * 1000) / rate
      if (due_ms > now_ms) break
      late_ms = Math.max(late_ms, now_ms - due_ms)
      const connection = free.pop()
      if (connection === undefined) due.push(due_ms)
      else begin(connection, due_ms)
    }
    // A client that has waited for too long does not send any more.
    for (let first = due[at]; first !== undefined && now_ms - first > patience_ms; first = due[at]) {
      at++
      noted(0, first)
    }
    if (ended < count) setTimeout(turn, 1)
  }
  turn()
  await over
  for (const connection of all) connection.end()
  latencies_ms.sort((a, b) => a - b)
  return { goodput: good / (count / rate), statuses, latencies_ms, late_ms }
}

/** Sends requests over so many connections, each one after the other. @returns the answers of 200 in a second */
export async function closedLoop(port: number, connections: number, count: number, request: Buffer): Promise<number> {
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
  return good / taken_s
}

/** A value below which this part of sorted values lies. */
export function quantile(sorted: readonly number[], part: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
}
