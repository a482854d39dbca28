import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { startBenchEngine } from '../engine.js'
import { inFlight } from '../in-flight.js'
import { type Contender, measure } from '../measure.js'
import { customer, newOrder, orders } from '../orders.js'
import { bareRequests } from './bare-requests.js'

// CPU of one request through the runtime, beside the same request that is signed and sent by hand, with 16 in flight.

const atOnce = 16
/** Requests of one measured run. */
const slice = 64
const runs = 60
const customers = 100
const shareMax = 1.2

const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(14) : cell.padStart(16))).join('')

function contender(name: string, request: (index: number) => Promise<unknown>): Contender {
  return { name, run: (first) => inFlight(slice, atOnce, (index) => request(first * slice + index)) }
}

async function main(): Promise<void> {
  const engine = await startBenchEngine()
  try {
    const table = connect(orders, { dynamo: { endpoint: engine.endpoint } })
    await ensureTable(table.runtime)
    for (let each = 0; each < customers; each++) {
      // Order 0 of each customer is the one that `get` reads.
      const more = Array.from({ length: 24 }, (_, index) => newOrder(1_000_000 + each * 100 + index, customer(each)))
      for (const { error } of await table.Order.createMany([newOrder(each), ...more])) if (error !== undefined) throw error
    }
    const bare = bareRequests(engine.endpoint)
    const common = { TableName: orders.table, ConsistentRead: false, ReturnConsumedCapacity: 'TOTAL' } as const
    const idOf = (index: number) => {
      const { customerId, orderId } = newOrder(index % customers)
      return { customerId, orderId }
    }
    const keyOf = (index: number) => {
      const { customerId, orderId } = idOf(index)
      return { PK: { S: `CUSTOMER#${customerId}` }, SK: { S: `ORDER#${orderId}` } }
    }
    const rangeOf = (index: number) => ({
      ...common,
      KeyConditionExpression: 'PK = :p AND begins_with(SK, :s)',
      ExpressionAttributeValues: { ':p': { S: `CUSTOMER#${customer(index % customers)}` }, ':s': { S: 'ORDER#' } },
      Limit: 25,
    })
    const compared: Readonly<Record<string, readonly [Contender, Contender]>> = {
      get: [
        contender('by hand', (index) => bare('GetItem', { ...common, Key: keyOf(index) })),
        contender('freehold', (index) => table.Order.get(idOf(index))),
      ],
      'query of 25': [
        contender('by hand', (index) => bare('Query', rangeOf(index))),
        contender('freehold', (index) => table.ordersOfCustomer({ customerId: customer(index % customers) }, { limit: 25 })),
      ],
    }
    console.log(`CPU of one request in microseconds, with ${atOnce} in flight\n`)
    console.log(line(['', 'by hand', 'freehold', 'share', 'target']))
    for (const [name, contenders] of Object.entries(compared)) {
      const [byHand = Number.NaN, ours = Number.NaN] = (await measure(contenders, runs)).map(({ cpu_us }) => cpu_us / slice)
      console.log(line([name, byHand.toFixed(0), ours.toFixed(0), (ours / byHand).toFixed(2), `at most ${shareMax}`]))
    }
  } finally {
    await engine.stop()
  }
}

await main()
process.exit(0)
