import { parseArgs } from 'node:util'
import { startBenchEngine } from '../engine.js'
import { measure } from '../measure.js'
import { documentClientWriters } from './document-client-writers.js'
import { runtimeWriters } from './runtime-writers.js'
import { type WriteCost, type Writer, writes } from './written.js'

// What a write costs that is checked and never done twice, beside the same write by the SDK's DocumentClient, which neither checks nor knows.

const { values } = parseArgs({ options: { count: { type: 'string', default: '500' } } })
/** Writes of each contender in each round. */
const count = Number(values.count)
if (!Number.isInteger(count) || count < 1) throw new Error(`--count ${values.count}: it takes a whole number from 1.`)

/** Far from those that were measured. */
const countedFrom = 500_000
const counted = 5

function line([name = '', ...cells]: readonly string[]): string {
  return `${name.padEnd(24)}${cells.map((cell, index) => cell.padStart(index === 4 ? 10 : 18)).join('')}`.trimEnd()
}

const costText = ({ requests, readUnits, writeUnits }: WriteCost) => `${requests} / ${readUnits} / ${writeUnits}`

/** Each cost that was counted: one, where every write costs the same. */
async function costOf({ prepare, count: cost }: Writer): Promise<string> {
  await prepare?.(countedFrom, counted)
  const costs = new Set<string>()
  for (let index = countedFrom; index < countedFrom + counted; index++) costs.add(costText(await cost(index)))
  return [...costs].join(' or ')
}

async function main(): Promise<void> {
  const engine = await startBenchEngine()
  try {
    const contenders = [
      await documentClientWriters(engine.endpoint, 'bench_bare'),
      await runtimeWriters(engine.endpoint, 'bench_writes'),
    ] as const
    const measured = new Map<string, readonly number[]>()
    for (const write of writes) {
      const both = contenders.map((each) => each[write])
      measured.set(
        write,
        (await measure(both, count)).map(({ cpu_us }) => cpu_us),
      )
    }
    console.log('CPU of the client for one write in microseconds, and its requests / read units / write units\n')
    console.log(line(['', 'DocumentClient', '', 'freehold', '', 'share']))
    // Counted last: metering slows down every promise after it.
    for (const write of writes) {
      const [bare = Number.NaN, own = Number.NaN] = measured.get(write) ?? []
      const [bareCost, ownCost] = [await costOf(contenders[0][write]), await costOf(contenders[1][write])]
      console.log(line([write, bare.toFixed(0), bareCost, own.toFixed(0), ownCost, (own / bare).toFixed(2)]))
    }
  } finally {
    await engine.stop()
  }
}

await main()
process.exit(0)
