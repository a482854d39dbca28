import { once } from 'node:events'
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerFor, type Fault, type FaultAnswer, mergeUnprocessed, splitBatch } from './fault.ts'

/** Which requests get which fault. */
export interface FaultRule {
  /** The operation, as in `x-amz-target`; any where absent. */
  readonly operation?: string
  /** Looks at the request's body. */
  readonly when?: (input: Readonly<Record<string, unknown>>) => boolean
  readonly fault: Fault
  /** How many matching requests to let through before the first that gets it; 0 if absent. */
  readonly after?: number
  /** How many get it; 1 if absent. */
  readonly times?: number
}

export interface LoggedRequest {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** The kind of fault that it got. */
  readonly fault?: Fault['kind']
}

export interface FaultProxy {
  /** The endpoint to which clients send instead. */
  readonly endpoint: string
  /** Every request that arrived, in order. */
  readonly log: readonly LoggedRequest[]
  /** Adds rules to those it was started with; the first that matches a request counts. */
  add(...rules: FaultRule[]): void
  close(): Promise<void>
}

/** Requests to serve in all; a retry that never ends fails a test here, not in its time-out. */
const requestsMax = 100_000

interface State {
  readonly rule: FaultRule
  seen: number
}

/**
 * A loopback proxy in front of the embedded engine, which does to chosen requests what DynamoDB and networks do. It never waits: what a fault
 * does is done at once.
 * @param endpoint the engine's
 */
export async function startFaultProxy(endpoint: string, rules: readonly FaultRule[] = []): Promise<FaultProxy> {
  const states: State[] = rules.map((rule) => ({ rule, seen: 0 }))
  const log: LoggedRequest[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const forward = (message: IncomingMessage, body: string): Promise<FaultAnswer> => send(endpoint, agent, message, body)

  const server = createServer((message, response) => {
    serve(message, response).catch(() => response.destroy())
  })

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await read(message)
    const operation = String(message.headers['x-amz-target'] ?? '').replace(/^.*\./, '')
    const input = body === '' ? {} : JSON.parse(body)
    const fault = log.length >= requestsMax ? ({ kind: 'lose-request' } as const) : chosen(states, operation, input)
    log.push({ operation, input, ...(fault === undefined ? {} : { fault: fault.kind }) })
    const answer = await answerTo(fault, operation, input, (changed) =>
      forward(message, changed === undefined ? body : JSON.stringify(changed)),
    )
    if (answer === undefined) response.destroy()
    else response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(answer.body)
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    log,
    add: (...added) => {
      states.push(...added.map((rule) => ({ rule, seen: 0 })))
    },
    close: async () => {
      agent.destroy()
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function chosen(states: readonly State[], operation: string, input: Readonly<Record<string, unknown>>): Fault | undefined {
  for (const state of states) {
    const { operation: wanted, when, fault, after = 0, times = 1 } = state.rule
    if (state.seen >= after + times || (wanted !== undefined && wanted !== operation) || when?.(input) === false) continue
    state.seen += 1
    if (state.seen > after) return fault
  }
  return undefined
}

/** The answer to give; undefined for none at all. */
async function answerTo(
  fault: Fault | undefined,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  forward: (changed?: object) => Promise<FaultAnswer>,
): Promise<FaultAnswer | undefined> {
  if (fault === undefined) return forward()
  switch (fault.kind) {
    case 'lose-request':
      return undefined
    case 'lose-answer':
      await forward()
      return undefined
    case 'interleave':
      await fault.run(input)
      return forward()
    case 'unprocessed': {
      const { processed, unprocessed } = splitBatch(input, fault.left)
      return mergeUnprocessed(operation, processed === undefined ? undefined : await forward(processed), unprocessed)
    }
    default:
      return answerFor(fault, operation, input)
  }
}

function send(endpoint: string, agent: Agent, message: IncomingMessage, body: string): Promise<FaultAnswer> {
  return new Promise((resolve, reject) => {
    const headers = { ...message.headers, 'content-length': Buffer.byteLength(body) }
    const forwarded = request(endpoint, { method: 'POST', agent, headers }, (response) => {
      read(response).then((text) => resolve({ status: response.statusCode ?? 500, body: text }), reject)
    })
    forwarded.on('error', reject).end(body)
  })
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}
