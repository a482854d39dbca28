import { connect } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { bareClient, type Contenders, customersOf25, documentClient, freehold, type Operation } from './contenders.js'
import { startBenchEngine } from './engine.js'
import { measure } from './measure.js'
import { customer, newOrder, orders } from './orders.js'

/** What the project promises of itself, as a share of DocumentClient's CPU. */
const targets: Readonly<Partial<Record<Operation, number>>> = { get: 0.5, 'query of 25': 0.6 }
const counts: Readonly<Record<Operation, number>> = { get: 1000, put: 500, 'query of 25': 300, '4-action transaction': 300 }

function line(cells: readonly string[]): string {
  return cells.map((cell, index) => (index === 0 ? cell.padEnd(22) : cell.padStart(16))).join('')
}

async function fill(endpoint: string): Promise<void> {
  const table = connect(orders, { dynamo: { endpoint } })
  await ensureTable(table.runtime)
  for (let each = 0; each < customersOf25; each++) {
    // Order 0 of each customer is the one that `get` reads.
    const more = Array.from({ length: 24 }, (_, index) => newOrder(1_000_000 + each * 100 + index, customer(each)))
    const outcomes = await table.Order.createMany([newOrder(each), ...more])
    for (const { error } of outcomes) if (error !== undefined) throw error
  }
  table.close()
}

async function main(): Promise<void> {
  const engine = await startBenchEngine()
  try {
    await fill(engine.endpoint)
    // Far apart, so that no two contenders write the same item.
    const contenders: readonly Contenders[] = [
      documentClient(engine.endpoint, 10_000_000),
      bareClient(engine.endpoint, 20_000_000),
      freehold(engine.endpoint, 30_000_000),
    ]
    console.log('CPU of the client for one operation, in microseconds, and as a share of the DocumentClient\n')
    console.log(line(['', 'DocumentClient', 'bare client', 'freehold', 'share', 'target']))
    for (const operation of Object.keys(counts) as Operation[]) {
      const measured = await measure(
        contenders.map((each) => each[operation]),
        counts[operation],
      )
      const [document, , ours] = measured
      const share = (ours?.cpu_us ?? Number.NaN) / (document?.cpu_us ?? Number.NaN)
      const target = targets[operation]
      console.log(
        line([
          operation,
          ...measured.map(({ cpu_us }) => cpu_us.toFixed(0)),
          share.toFixed(2),
          target === undefined ? '' : `at most ${target}`,
        ]),
      )
    }
  } finally {
    await engine.stop()
  }
}

await main()
process.exit(0)
