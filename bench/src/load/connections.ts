import { cpuSecondsOf } from '../deletion/engine-cpu.js'
import { questionBytes } from './connection.js'
import { closedLoop, openLoop, quantile } from './open-loop.js'
import type { LoadedServer } from './server.js'

const counts = [1, 16, 128, 512] as const
/** Requests of each run. One connection sends fewer. */
const requests = 3_000
const part = 0.7

/** For each number of connections: what they get, and what it costs. */
export async function measureConnections(server: LoadedServer, enginePid: number | undefined): Promise<readonly string[][]> {
  const { port, path, question, key } = server
  const request = questionBytes(path, question, key)
  await closedLoop(port, 16, requests, request)
  const rows: string[][] = []
  for (const connections of counts) {
    const count = connections === 1 ? requests / 3 : requests
    const { rate } = await closedLoop(port, connections, count, request)
    const [cpu, engine] = [await server.cpu(), cpuSecondsOf(enginePid) ?? Number.NaN]
    const { latencies_ms, statuses, unsent } = await openLoop({ port, connections, rate: rate * part, count, request })
    const sent = count - unsent
    const each_us = [((await server.cpu()) - cpu) / sent, (((cpuSecondsOf(enginePid) ?? Number.NaN) - engine) * 1e6) / sent]
    const refused = sent - (statuses.get(200) ?? 0)
    const latencies = [quantile(latencies_ms, 0.5), quantile(latencies_ms, 0.99)].map((ms) => ms.toFixed(1))
    rows.push([String(connections), rate.toFixed(0), ...latencies, ...each_us.map((us) => us.toFixed(0)), String(refused), String(unsent)])
  }
  return rows
}
