import { openSync, writeSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { DesignModule } from '@freehold/frame'
import { createService, openKeys, openLog, serveOnNode } from '@freehold/service'
import { connect } from '@freehold/table'
import { inputOf } from '../own-process.js'
import { bareRequests } from '../requests/bare-requests.js'
import { atOnceName, sceneOf } from './scenes.js'

// One server in a process of its own. It tells its address, and whenever it is asked the CPU that it has taken.

/** A request as it was recorded. */
export interface Recorded {
  readonly operation: string
  readonly input: object
}

export interface ServerInput {
  readonly endpoint: string
  readonly design: string
  /** The requests of a server that does nothing else; undefined for the service. */
  readonly bare?: readonly Recorded[]
}

export interface Listening {
  readonly pid: number
  readonly address: string
  readonly key?: string
}

/** A server as it is written by hand for one question: it sends the same requests, and checks nothing. */
async function serveBare(endpoint: string, requests: readonly Recorded[]): Promise<Listening> {
  const send = bareRequests(endpoint)
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', async () => {
      JSON.parse(Buffer.concat(chunks).toString())
      await Promise.all(requests.map(({ operation, input }) => send(operation, input)))
      response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"allowed":true}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // A server that listens on TCP has an AddressInfo.
  return { pid: process.pid, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The same module, whose `can` answers at once. */
function answeringAtOnce(module: DesignModule): DesignModule {
  const { decider } = module
  const answer = async () => ({ allowed: true }) as const
  return { ...module, ...(decider && { decider: (...given) => ({ ...decider(...given), can: answer }) }) }
}

async function serveFreehold(endpoint: string, design: string): Promise<Listening> {
  const options = { dynamo: { endpoint } }
  const module = await sceneOf(design).module()
  const table = connect(module.design, options)
  const keys = await openKeys(options)
  const { text } = await keys.newKey()
  // As standard error does that goes to a file.
  const log = openSync('/dev/null', 'w')
  const service = createService({
    tables: new Map([
      [design, { module, table }],
      [atOnceName, { module: answeringAtOnce(module), table }],
    ]),
    keys,
    log: openLog({ write: (lines) => void writeSync(log, lines) }).request,
  })
  const { address } = await serveOnNode(service, { port: 0 })
  return { pid: process.pid, address, key: text }
}

const { endpoint, design, bare } = inputOf() as ServerInput
process.on('message', () => process.send?.(process.cpuUsage()))
process.on('disconnect', () => process.exit(0))
process.send?.(bare === undefined ? await serveFreehold(endpoint, design) : await serveBare(endpoint, bare))
