import { type BenchEngine, startBenchEngine } from '../engine.js'
import { keepOn } from '../keep-on.js'
import { sceneOf, scenes } from '../serving/scenes.js'
import { measureConnections } from './connections.js'
import { measureMemory } from './memory.js'
import { overload, overloadColumns, overloadLines } from './overload.js'
import { measurePeople } from './people.js'
import { type LoadedServer, startLoaded } from './server.js'
import { measureSlowClients } from './slow-clients.js'

// The service under load. The server has the first core for itself; engine and generator share the other.

const line = (cells: readonly string[]) => cells.map((cell, at) => (at === 0 ? cell.padEnd(22) : cell.padStart(11))).join('')

/** Runs work against a new engine and the service of a design on it, with its sample. */
async function against(design: string, work: (server: LoadedServer, engine: BenchEngine) => Promise<void>): Promise<void> {
  const engine = await startBenchEngine()
  keepOn(1, engine.pid())
  try {
    const question = await sceneOf(design).fill({ dynamo: { endpoint: engine.endpoint } })
    const server = await startLoaded({ endpoint: engine.endpoint, design }, question)
    await work(server, engine)
    await server.stop()
  } finally {
    await engine.stop()
  }
}

async function tables(): Promise<void> {
  console.log(
    '`can` over 1 to 512 connections: the rate of a closed loop, and latencies in ms at 70 % of it, from the instant a request was due\n',
  )
  console.log(line(['', 'connections', 'req/s', 'p50', 'p99', 'server us', 'engine us', 'refused', 'unsent']))
  for (const design of Object.keys(scenes))
    await against(design, async (server, engine) => {
      for (const cells of await measureConnections(server, engine.pid())) console.log(line([design, ...cells]))
    })
}

async function overloaded(): Promise<void> {
  console.log(
    '\nOverload of rebac: requests a second, answers of 200 within a second, latencies in ms, CPU of the server and of the generator\n',
  )
  console.log(line(overloadColumns))
  await against('rebac', async (server) => {
    for (const cells of overloadLines(await overload(server))) console.log(line(cells))
  })
}

async function slow(): Promise<void> {
  console.log('\nSlow clients of rebac, beside others that ask as before\n')
  console.log(line(['', 'opened', 'refused', 'unsent', 'p99 ms', 'gone after s']))
  await against('rebac', async (server) => {
    for (const cells of await measureSlowClients(server)) console.log(line(cells))
  })
}

async function people(): Promise<void> {
  console.log('\n100,000 users, restored in batches\n')
  console.log(line(['', 'items', 'seconds', 'can us', 'RSS MB']))
  for (const cells of await measurePeople()) console.log(line(cells))
}

async function memory(): Promise<void> {
  console.log("\nRSS of the server over ten minutes' worth of requests, in MB\n")
  await against('rebac', async (server) => {
    for (const cells of await measureMemory(server)) console.log(line(cells))
  })
}

const parts: Readonly<Record<string, () => Promise<void>>> = { tables, overload: overloaded, slow, people, memory }
const [only] = process.argv.slice(2)
keepOn(1, process.pid)
for (const [name, run] of Object.entries(parts)) if (only === undefined || only === name) await run()
process.exit(0)
