import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { endpoint } from '../../../../test/engine/endpoint.ts'
import { sampleTable } from '../organisation.ts'
import { folder, freehold } from '../recorded-shell.ts'
import type { EffectsOf } from './effect.ts'

interface Counting {
  readonly endpoint: string
  /** The requests that were not forwarded, and the most that were there at once. */
  readonly counts: { kept: number; atOnce: number }
  close(): void
}

/** What is done with a request, by its operation: it is forwarded to the engine, forwarded after a second, refused for now, or never answered. */
type Treating = (operation: string) => 'forward' | 'delay' | 'throttle' | 'hang'

/** A DynamoDB that counts requests. */
async function counting(treat: Treating): Promise<Counting> {
  const counts = { kept: 0, atOnce: 0 }
  let underWay = 0
  const server = createServer(async (request, response) => {
    counts.atOnce = Math.max(counts.atOnce, ++underWay)
    response.once('close', () => underWay--)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const treated = treat(String(request.headers['x-amz-target']).replace(/^.*\./, ''))
    if (treated === 'throttle' || treated === 'hang') counts.kept++
    if (treated === 'hang') return
    if (treated === 'throttle') {
      response.writeHead(400).end('{"__type":"ThrottlingException"}')
      return
    }
    if (treated === 'delay') await setTimeout(1_000)
    const { host: _, connection: __, 'content-length': ___, ...headers } = request.headers
    // DynamoDB's headers have one value each.
    const answer = await fetch(endpoint, { method: 'POST', headers: headers as Record<string, string>, body: Buffer.concat(chunks) })
    response.writeHead(answer.status, { 'content-type': 'application/x-amz-json-1.0' }).end(Buffer.from(await answer.arrayBuffer()))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  const { port } = server.address() as AddressInfo
  return {
    endpoint: `http://127.0.0.1:${port}`,
    counts,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** Runs a command that fails, at such a DynamoDB, and counts the requests that were not forwarded. */
async function keptOf(treat: Treating, ...argv: readonly string[]): Promise<number> {
  const { endpoint: between, counts, close } = await counting(treat)
  const { exit, err } = await freehold(argv, { env: { DYNAMODB_ENDPOINT: between } })
  close()
  expect({ exit, err }).toEqual({ exit: 2, err: expect.stringMatching(/Unavailable|Busy/) })
  return counts.kept
}

const butTables =
  (treated: 'throttle' | 'hang'): Treating =>
  (operation) =>
    ['DescribeTable', 'CreateTable'].includes(operation) ? 'forward' : treated
const query = ['query', 'rebac', 'users']
const serve = ['serve', '--port', '0', '--design', 'rebac', '--log-level', 'silent']

export const dynamo: EffectsOf<'DynamoDB'> = {
  patienceMs: async () => {
    expect(await keptOf(butTables('throttle'), ...query, '--patience-ms', '0')).toBe(1)
  },
  attemptMs: async () => {
    // With attempts of five seconds there would be one.
    expect(await keptOf(butTables('hang'), ...query, '--patience-ms', '1000', '--attempt-ms', '50')).toBeGreaterThan(2)
  },
  sockets: async () => {
    const table = await sampleTable()
    const rows = ['user,location,page', ...Array.from({ length: 20 }, () => 'ada@example.org,NYC001,reports')].join('\n')
    const cwd = folder({ 'questions.csv': rows })
    const atOnceWith = async (sockets: string) => {
      const { endpoint: between, counts, close } = await counting(() => 'forward')
      const ask = ['can', 'rebac', '--batch', 'questions.csv', '--table', table, '--consistency', 'strong', '--sockets', sockets]
      expect(await freehold(ask, { cwd, env: { DYNAMODB_ENDPOINT: between } })).toMatchObject({ exit: 0 })
      close()
      return counts.atOnce
    }
    expect(await atOnceWith('1')).toBe(1)
    expect(await atOnceWith('20')).toBeGreaterThan(1)
  },
  startPatienceMs: async () => {
    expect(await keptOf(butTables('throttle'), ...serve, '--start-patience-ms', '0')).toBe(1)
  },
  startAttemptMs: async () => {
    // An attempt of two seconds would be answered.
    expect(await keptOf(() => 'delay', ...serve, '--start-attempt-ms', '100')).toBe(0)
  },
}
