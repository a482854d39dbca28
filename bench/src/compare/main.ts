import { startBenchEngine } from '../engine.js'
import { readOptions, usage } from './options.js'
import { heading, ratioMax, reportLine, type Seen } from './report.js'
import { type Side, type SideProcess, startSide } from './side.js'
import { buildCommit, ownTree } from './tree.js'

// Compares this tree with a commit: CPU of the client for one operation, and exactly what it costs in requests and request units.

/** What is done with both sides at work, over one engine that begins empty. */
async function withSides(trees: readonly [string, string], work: (sides: readonly SideProcess[]) => Promise<void>): Promise<void> {
  const engine = await startBenchEngine()
  const sideOf = (label: string, tree: string): Side => ({ label, tree, endpoint: engine.endpoint })
  const sides = [startSide(sideOf('commit', trees[0])), startSide(sideOf('tree', trees[1]))]
  try {
    await work(sides)
  } finally {
    await Promise.all(sides.map((side) => side.stop()))
    await engine.stop()
  }
}

type Changing<T> = { -readonly [N in keyof T]: T[N] extends readonly [infer A, infer B] ? [A, B] : T[N] }

/** Counts in processes of their own: metering slows down every promise after it. */
async function count(trees: readonly [string, string], all: readonly Changing<Seen>[], signal: AbortSignal): Promise<void> {
  await withSides(trees, async (sides) => {
    for (const seen of all)
      for (const [place, side] of sides.entries()) {
        signal.throwIfAborted()
        const { counts = [], failure } = await side.ask({ do: 'count', operation: seen.operation })
        seen.counts[place] = counts
        seen.failures[place] = failure
      }
  })
}

/** Before that it is the compiler that is measured: an operation takes up to three times as much CPU while it is new. */
const warmUp_ms = 3000

/** CPU of one run on each side. They take turns of a few runs, so that a load on the machine meets both. */
async function takingTurns(
  sides: readonly SideProcess[],
  { operation, failures }: Changing<Seen>,
  duration_ms: number,
  signal: AbortSignal,
): Promise<readonly number[]> {
  const all = sides.map(() => ({ cpu_us: 0, runs: 0 }))
  const end_ms = performance.now() + duration_ms * sides.length
  while (performance.now() < end_ms && failures.includes(undefined))
    for (const [place, side] of sides.entries()) {
      signal.throwIfAborted()
      const sum = all[place]
      if (sum === undefined || failures[place] !== undefined) continue
      const { cpu, failure } = await side.ask({ do: 'measure', operation })
      if (cpu === undefined) failures[place] = failure ?? 'It was not measured.'
      sum.cpu_us += cpu?.cpu_us ?? 0
      sum.runs += cpu?.runs ?? 0
    }
  return all.map(({ cpu_us, runs }) => cpu_us / runs)
}

/** One run of each operation on both sides. */
async function measureOnce(
  trees: readonly [string, string],
  all: readonly Changing<Seen>[],
  duration_ms: number,
  signal: AbortSignal,
): Promise<void> {
  await withSides(trees, async (sides) => {
    for (const seen of all) {
      await takingTurns(sides, seen, warmUp_ms, signal)
      const cpus = await takingTurns(sides, seen, duration_ms, signal)
      for (const [place, cpu_us] of cpus.entries()) if (seen.failures[place] === undefined) seen.cpu_us[place]?.push(cpu_us)
    }
  })
}

async function main(signal: AbortSignal): Promise<number> {
  const { commit, runs, duration_ms, operations, isReport } = readOptions(process.argv.slice(2))
  console.error(`Building ${commit}.`)
  const built = await buildCommit(commit, signal)
  try {
    const trees = [built.tree, ownTree] as const
    const all = operations.map(
      (operation): Changing<Seen> => ({
        operation,
        cpu_us: [[], []],
        counts: [[], []],
        failures: [undefined, undefined],
      }),
    )
    console.error('Counting.')
    await count(trees, all, signal)
    for (let run = 1; run <= runs; run++) {
      console.error(`Run ${run} of ${runs}.`)
      await measureOnce(trees, all, duration_ms, signal)
    }
    const lines = all.map(reportLine)
    console.log(`This tree beside ${built.name}\n\n${heading()}`)
    for (const { text } of lines) console.log(text)
    const failures = all.flatMap(({ operation, failures }) =>
      failures.flatMap((failure, place) =>
        failure === undefined ? [] : [`${operation}, ${place === 0 ? commit : 'this tree'}: ${failure}`],
      ),
    )
    if (failures.length > 0) console.log(`\nAbsent, since it failed:\n${failures.join('\n')}`)
    const worse = lines.filter(({ isWorse }) => isWorse).length
    console.log(worse === 0 ? `\nNothing takes more than ${ratioMax} times the CPU.` : `\n${worse} operations are worse in this tree.`)
    return worse > 0 && !isReport ? 1 : 0
  } finally {
    await built.remove()
  }
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort(new Error(`It was ended by ${signal}.`)))
try {
  process.exit(await main(stopping.signal))
} catch (error) {
  const message = error instanceof Error ? error.message : String(error)
  console.error(stopping.signal.aborted ? 'Ended; nothing is left behind.' : `${message}\n\n${usage}`)
  process.exit(stopping.signal.aborted ? 130 : 2)
}
