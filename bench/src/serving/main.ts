import { fileURLToPath } from 'node:url'
import { connect } from '@freehold/table'
import { type Sender, senderOf } from '@freehold/table/runtime'
import { Pool } from 'undici'
import { startBenchEngine } from '../engine.js'
import { inFlight } from '../in-flight.js'
import { keepOn } from '../keep-on.js'
import { median } from '../measure.js'
import { type OwnProcess, startOwn } from '../own-process.js'
import { bareRequests } from '../requests/bare-requests.js'
import { atOnceName, scenes } from './scenes.js'
import type { Listening, Recorded, ServerInput } from './server.js'

// CPU of `can` by names: in process and over HTTP, beside the bare requests that it needs and a server that sends nothing but these.

const atOnce = 16
/** So many questions in a row; then it is the next one's turn, so that the machine's moods happen to all alike. */
const slice = 256
const rounds = 48
const roundsBefore = 8
const targets = { can: 1.6, http_us: 60, together: 2 } as const

/** Answers so many questions, so many at once, and tells the CPU that it took in microseconds. */
type Side = (count: number) => Promise<number>

const taken = (before: NodeJS.CpuUsage, after: NodeJS.CpuUsage) => after.user + after.system - before.user - before.system

interface Server extends Listening {
  readonly own: OwnProcess<'cpu', NodeJS.CpuUsage>
  readonly pool: Pool
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

/** Starts a server, which has the first core for itself. The engine and this process, which sends the requests, have the other. */
async function start(input: ServerInput): Promise<Server> {
  const own = startOwn<'cpu', Listening & NodeJS.CpuUsage>(fileURLToPath(new URL('./server.js', import.meta.url)), input)
  const listening = await own.reply()
  keepOn(0, listening.pid)
  return { ...listening, own, pool: new Pool(listening.address, { connections: atOnce }) }
}

/** This process. */
const here =
  (ask: () => Promise<unknown>): Side =>
  async (count) => {
    const before = process.cpuUsage()
    await inFlight(count, atOnce, ask)
    return taken(before, process.cpuUsage())
  }

/** A server, asked over HTTP. */
function overHttp({ key, own, pool }: Server, path: string, question: object): Side {
  const body = JSON.stringify(question)
  const headers = { 'content-type': 'application/json', ...(key === undefined ? {} : { authorization: `Bearer ${key}` }) }
  const ask = async () => {
    const answer = await pool.request({ path, method: 'POST', headers, body })
    const text = await answer.body.text()
    if (!text.includes('"allowed":true')) throw new Error(`The server answered ${answer.statusCode}: ${text}`)
  }
  return async (count) => {
    const before = await own.ask('cpu')
    await inFlight(count, atOnce, ask)
    return taken(before, await own.ask('cpu'))
  }
}

/** Microseconds of CPU for one question, of each side in each round. */
async function measureInTurn(sides: readonly Side[]): Promise<readonly (readonly number[])[]> {
  const all: number[][] = []
  for (let round = -roundsBefore; round < rounds; round++) {
    const times: number[] = []
    for (const side of sides) times.push((await side(slice)) / slice)
    if (round >= 0) all.push(times)
  }
  return all
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
  keepOn(0, process.pid)
  const inProcess = await measureInTurn([
    here(() => Promise.all(bare.map(({ operation, input }) => send(operation, input)))),
    here(() => decider.can(question)),
  ])
  keepOn(1, process.pid)
  const bareServer = await start({ endpoint, design, bare })
  const service = await start({ endpoint, design })
  const servers = [bareServer, service]
  const [path, atOncePath] = [`/v1/${design}/can`, `/v1/${atOnceName}/can`]
  const asked = [overHttp(bareServer, path, question), overHttp(service, path, question), overHttp(service, atOncePath, question)]
  const served = await measureInTurn(asked)
  await Promise.all(servers.map(({ pool, own }) => Promise.all([pool.close(), own.stop()])))
  // Shares are those of each round.
  const column = (rows: readonly (readonly number[])[], of: (row: readonly number[]) => number) => median(rows.map(of))
  const times = [
    column(inProcess, ([bare_us = 0]) => bare_us),
    column(inProcess, ([, can_us = 0]) => can_us),
    column(served, ([bareServer_us = 0]) => bareServer_us),
    column(served, ([, service_us = 0]) => service_us),
  ].map((time) => time.toFixed(0))
  const share = column(inProcess, ([bare_us = 0, can_us = 0]) => can_us / bare_us).toFixed(2)
  const http_us = column(served, ([, , atOnce_us = 0]) => atOnce_us).toFixed(0)
  const together = column(served, ([bareServer_us = 0, service_us = 0]) => service_us / bareServer_us).toFixed(2)
  console.log(line([design, String(bare.length), ...times, share, http_us, together]))
}

const engine = await startBenchEngine()
try {
  const [only] = process.argv.slice(2)
  keepOn(1, engine.pid())
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
