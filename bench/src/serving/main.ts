import { fileURLToPath } from 'node:url'
import { connect } from '@freehold/table'
import { type Sender, senderOf } from '@freehold/table/runtime'
import { Pool } from 'undici'
import { startBenchEngine } from '../engine.js'
import { inFlight } from '../in-flight.js'
import { keepOn } from '../keep-on.js'
import { type Contender, measure, median } from '../measure.js'
import { type OwnProcess, startOwn } from '../own-process.js'
import { bareRequests } from '../requests/bare-requests.js'
import { scenes } from './scenes.js'
import type { Listening, Recorded, ServerInput } from './server.js'

// CPU of `can` by names: in process and over HTTP, beside the bare requests that it needs and a server that sends nothing but these.

const atOnce = 16
const slice = 128
const runs = 12
const rounds = 5
const targets = { can: 1.6, http_us: 60, together: 2 } as const

interface Server extends Listening {
  readonly own: OwnProcess<string, NodeJS.CpuUsage>
}

/** A sender that remembers what it sends. */
function recording(endpoint: string): { readonly sender: Sender; readonly sent: Recorded[] } {
  const sent: Recorded[] = []
  const inner = senderOf({ endpoint })
  const send: Sender['send'] = (operation, input, options) => {
    sent.push({ operation, input })
    return inner.send(operation, input, options)
  }
  return { sender: { send, close: () => inner.close() }, sent }
}

/** Starts a server, which has the first core for itself. The engine and this process have the other. */
async function start(input: ServerInput): Promise<Server> {
  const own = startOwn<string, Listening & NodeJS.CpuUsage>(fileURLToPath(new URL('./server.js', import.meta.url)), input)
  const listening = await own.reply()
  keepOn(0, listening.pid)
  return { ...listening, own }
}

/** Microseconds of the server's CPU for one question, by rounds in turn. */
async function measureServers(servers: readonly Server[], path: string, question: object): Promise<readonly number[]> {
  const all = servers.map((server) => ({ ...server, pool: new Pool(server.address, { connections: atOnce }), cpu: [] as number[] }))
  const body = JSON.stringify(question)
  const count = slice * runs
  for (let round = -2; round < rounds; round++) {
    for (const { pool, key, own, cpu } of all) {
      const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
      const before = await own.ask('cpu')
      await inFlight(count, atOnce, async () => {
        const answer = await pool.request({ path, method: 'POST', headers, body })
        const text = await answer.body.text()
        if (!text.includes('"allowed":true')) throw new Error(`The server answered ${answer.statusCode}: ${text}`)
      })
      const after = await own.ask('cpu')
      if (round >= 0) cpu.push((after.user + after.system - before.user - before.system) / count)
    }
  }
  await Promise.all(all.map(({ pool }) => pool.close()))
  return all.map(({ cpu }) => median(cpu))
}

const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(20) : cell.padStart(13))).join('')

async function measureDesign(endpoint: string, design: string, scene: (typeof scenes)[string]): Promise<void> {
  const question = await scene.fill({ dynamo: { endpoint } })
  const module = await scene.module()
  const { sender, sent } = recording(endpoint)
  const watched = module.decider?.(connect(module.design, { sender }).runtime)
  const decider = module.decider?.(connect(module.design, { dynamo: { endpoint } }).runtime)
  if (watched === undefined || decider === undefined) throw new Error(`${design} decides nothing.`)
  for (const _ of ['cold', 'warm']) {
    sent.length = 0
    if (!(await watched.can(question)).allowed) throw new Error(`The question of ${design} is not allowed.`)
  }
  const bare = [...sent]
  const send = bareRequests(endpoint)
  const contenders: Contender[] = [
    { name: 'bare', run: () => inFlight(slice, atOnce, () => Promise.all(bare.map(({ operation, input }) => send(operation, input)))) },
    { name: 'can', run: () => inFlight(slice, atOnce, () => decider.can(question)) },
  ]
  const [bare_us = Number.NaN, can_us = Number.NaN] = (await measure(contenders, runs)).map(({ cpu_us }) => cpu_us / slice)
  const servers = [await start({ endpoint, design, bare }), await start({ endpoint, design })]
  const [bareServer_us = Number.NaN, server_us = Number.NaN] = await measureServers(servers, `/v1/${design}/can`, question)
  await Promise.all(servers.map(({ own }) => own.stop()))
  const shares = [(can_us / bare_us).toFixed(2), (server_us - can_us).toFixed(0), (server_us / bareServer_us).toFixed(2)]
  const times = [bare_us, can_us, bareServer_us, server_us].map((time) => time.toFixed(0))
  console.log(line([design, String(bare.length), ...times, ...shares]))
}

const engine = await startBenchEngine()
try {
  const [only] = process.argv.slice(2)
  for (const pid of [engine.pid(), process.pid]) keepOn(1, pid)
  console.log(`CPU of one \`can\` by names in microseconds, with ${atOnce} in flight\n`)
  console.log(line(['', 'requests', 'bare', 'can', 'bare server', 'service', 'can/bare', 'HTTP', 'service/bare']))
  for (const [design, scene] of Object.entries(scenes)) {
    if (only === undefined || only === design) await measureDesign(engine.endpoint, design, scene)
  }
  console.log(line(['target', '', '', '', '', '', `${targets.can}`, `${targets.http_us}`, `${targets.together}`]))
} finally {
  await engine.stop()
}
process.exit(0)
