import { inFlight } from '../in-flight.js'
import { inputOf } from '../own-process.js'
import type { Operation, Suite } from './operation.js'
import { loadPackages, type Packages } from './packages.js'
import type { Ask, Counted, Cpu, Reply, Side } from './side.js'
import { suiteOf } from './suites.js'

// One side of a comparison: a process that loads one build, and counts and measures what it is told to, one after another. It ends with whoever
// started it.

const atOnce = 16
/** Runs of one turn: what they use up is made before them. */
const slice = 64
const counted = 5

interface Measured {
  readonly operation: Operation
  /** Index of the next run. */
  next: number
}

/** CPU of this process for one turn. */
async function cpuOf(measured: Measured): Promise<Cpu> {
  const { operation, next: first } = measured
  measured.next += slice
  if (operation.prepare !== undefined) {
    await operation.prepare(first, slice)
    // What making them left behind is not collected at the expense of the runs.
    globalThis.gc?.()
  }
  const before = process.cpuUsage()
  await inFlight(slice, atOnce, (index) => operation.run(first + index))
  const { user, system } = process.cpuUsage(before)
  return { cpu_us: user + system, runs: slice }
}

/** What each of some runs costs, one after another, once what may be remembered of them is. */
async function countsOf(measured: Measured, { table: { meter } }: Packages): Promise<readonly Counted[]> {
  const { operation } = measured
  const { round = 1 } = operation
  const first = measured.next + round
  await operation.prepare?.(measured.next, round + counted)
  await inFlight(round, atOnce, (index) => operation.run(measured.next + index))
  measured.next = first + counted
  const counts: Counted[] = []
  for (let index = first; index < measured.next; index++) counts.push((await meter(() => operation.run(index))).cost)
  return counts
}

async function main(): Promise<void> {
  // Given by compare/side.ts.
  const side = inputOf() as Side
  const packages = await loadPackages(side.tree)
  const opened = new Map<Suite, Promise<Readonly<Record<string, Operation>>>>()
  const measured = new Map<string, Measured>()

  const find = async (name: string): Promise<Measured> => {
    const { suite, operation } = suiteOf(name)
    const opening = opened.get(suite) ?? suite.open(packages, { endpoint: side.endpoint, table: `${side.label}_${suite.name}` })
    opened.set(suite, opening)
    const found = (await opening)[operation]
    if (found === undefined) throw new Error(`The suite ${suite.name} makes no operation '${operation}'.`)
    const known = measured.get(name) ?? { operation: found, next: 0 }
    measured.set(name, known)
    return known
  }

  const answer = async (ask: Ask): Promise<Reply> => {
    try {
      const found = await find(ask.operation)
      if (ask.do === 'count') return { counts: await countsOf(found, packages) }
      return { cpu: await cpuOf(found) }
    } catch (error) {
      return { failure: error instanceof Error ? `${error.name}: ${error.message}` : String(error) }
    }
  }

  process.on('message', (ask: Ask) => {
    void answer(ask).then((reply) => process.send?.(reply))
  })
  process.on('disconnect', () => process.exit(0))
}

await main()
