import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, SerializedError, TestModule } from 'vitest/node'

const slowestShown = 10
const linesShown = 8
const charactersShown = 400
/** Linux counts the CPU time of a process in hundredths of a second, on every architecture that Node runs on. */
const ticksPerSecond = 100

/**
 * Ends a run with its ten slowest files, its CPU seconds, its seed, what failed and, alone on the last line, `N passed, N failed`, which CI reads. A file
 * that fails outside its tests, or an error that no test caught, counts as one failure: otherwise a run that broke would close with
 * `0 failed`.
 */
export class ClosingLine implements Reporter {
  readonly #seed: number

  constructor(seed: number) {
    this.#seed = seed
  }

  /** The lines are written as the process exits: only then have all workers ended, and their CPU time counts as this process's. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const failures = [
      ...modules.flatMap(failuresOf),
      ...unhandledErrors.map((error) => ({ what: 'outside of all files', errors: [error] })),
    ]
    process.once('exit', () => {
      const lines = [
        ...slowest(modules),
        cpuLine(),
        `TEST_SEED=${this.#seed}`,
        ...failures.flatMap(failureLines),
        closingLine(modules, failures.length),
      ]
      process.stdout.write(`${lines.join('\n')}\n`)
    })
  }
}

function slowest(modules: readonly TestModule[]): string[] {
  const files = modules.map((module) => ({ name: nameOf(module), ms: module.diagnostic().duration }))
  const first = files.toSorted((one, other) => other.ms - one.ms).slice(0, slowestShown)
  return ['Slowest files', ...first.map(({ name, ms }) => `${(ms / 1_000).toFixed(1).padStart(7)} s  ${name}`)]
}

/** Other systems than Linux do not tell Node what the workers and their engines took. */
function cpuLine(): string {
  if (process.platform === 'linux') return `CPU ${Math.round(linuxCpuSeconds())} s, of all processes`
  const { userCPUTime, systemCPUTime } = process.resourceUsage()
  return `CPU ${Math.round((userCPUTime + systemCPUTime) / 1_000_000)} s, without the workers`
}

/** CPU time of this process and of all descendants that were waited for: the 14th to 17th field, `man 5 proc`. */
function linuxCpuSeconds(): number {
  const stat = readFileSync('/proc/self/stat', 'utf8')
  const afterCommand = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = afterCommand.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  return ticks / ticksPerSecond
}

interface Told {
  readonly message: string
  readonly diff?: string
  readonly cause?: Told
}

interface Failure {
  /** The file, and the name of the test in it. */
  readonly what: string
  readonly errors: readonly Told[]
}

const nameOf = (module: TestModule) => relative(process.cwd(), module.moduleId)

function failuresOf(module: TestModule): Failure[] {
  const file = nameOf(module)
  const suites = [...module.children.allSuites()].map((suite) => ({ what: `${file} > ${suite.fullName}`, errors: suite.errors() }))
  const outside = [{ what: file, errors: module.errors() }, ...suites].filter(({ errors }) => errors.length > 0)
  const tests = [...module.children.allTests('failed')].map((test) => ({
    what: `${file} > ${test.fullName}`,
    errors: test.result().errors ?? [],
  }))
  return [...outside, ...tests]
}

const saidBy = ({ message, diff = '', cause }: Told): string => [message, ...(cause === undefined ? [] : [saidBy(cause)]), diff].join('\n')

/** `FAILED` and what, then the first lines of its errors: a property tells its seed and path there. `.ci/run` prints these lines again. */
function failureLines({ what, errors }: Failure): string[] {
  const lines = stripVTControlCharacters(errors.map(saidBy).join('\n'))
    .split('\n')
    .filter((line) => line.trim() !== '')
  return [`FAILED ${what}`, ...lines.slice(0, linesShown).map((line) => `  | ${line.slice(0, charactersShown)}`)]
}

function closingLine(modules: readonly TestModule[], failed: number): string {
  const tests = modules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
  const count = (states: readonly string[]) => tests.filter((state) => states.includes(state)).length
  const skipped = count(['skipped', 'pending'])
  return `${count(['passed'])} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
