import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { type BrokenRule, brokenRule, keysCreated, type TableKeys } from '@freehold/table/testing'
import type { CreateTableInput } from '../../packages/table/src/dynamo/operation.ts'
import { type ReadRequest, RequestReader } from './request-reader.ts'

/** A sentence for each request that has broken a rule of AWS. */
const broken: string[] = []

/** The requests that have broken a rule of AWS since the last call. A test that breaks one on purpose takes its own. */
export function takeBroken(): readonly string[] {
  return broken.splice(0)
}

const tables = new Map<string, TableKeys>()

const shownMax = 1_000

const sentenceOf = ({ says, source, what }: BrokenRule, operation: string, input: object) =>
  `${says} (${source}) Here: ${what.slice(0, shownMax)}, in ${operation} ${JSON.stringify(input).slice(0, shownMax)}`

function check({ operation, input }: ReadRequest): void {
  const rule = brokenRule(operation, input, (table) => tables.get(table))
  if (rule !== undefined) broken.push(sentenceOf(rule, operation, input))
  // A request that breaks no rule has the shape of its operation. A second creation changes nothing.
  else if (operation === 'CreateTable' && !tables.has(String(input.TableName)))
    tables.set(String(input.TableName), keysCreated(input as unknown as CreateTableInput))
}

/**
 * A port that passes bytes on to the engine as they are, and looks at each request on the way: those of this process, of commands and servers that tests
 * start, and of the AWS SDK's client.
 */
export async function checkedPort(enginePort: number): Promise<number> {
  const server = createServer((client) => {
    const engine = connect(enginePort, '127.0.0.1')
    const reader = new RequestReader(check)
    client.on('data', (chunk: Buffer) => reader.read(chunk))
    for (const [from, to] of [
      [client, engine],
      [engine, client],
    ] as const) {
      from.setNoDelay(true)
      from.pipe(to)
      // A connection that breaks on one side breaks on the other.
      from.on('error', () => to.destroy())
      from.on('close', () => to.destroy())
    }
  })
  server.listen(0, '127.0.0.1')
  server.unref()
  await once(server, 'listening')
  // A server that listens on TCP has an AddressInfo.
  return (server.address() as AddressInfo).port
}
