import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const slowestShown = 10
/** Linux counts the CPU time of a process in hundredths of a second, on every architecture that Node runs on. */
const ticksPerSecond = 100

/**
 * Ends a run with its ten slowest files, its CPU seconds and, alone on the last line, `N passed, N failed`, which CI reads. A file
 * that fails outside its tests, or an error that no test caught, counts as one failure: otherwise a run that broke would close with
 * `0 failed`.
 */
export class ClosingLine implements Reporter {
  /** The lines are written as the process exits: only then have all workers ended, and their CPU time counts as this process's. */
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    process.once('exit', () => {
      process.stdout.write([...slowest(modules), cpuLine(), closingLine(modules, unhandledErrors), ''].join('\n'))
    })
  }
}

function slowest(modules: readonly TestModule[]): string[] {
  const files = modules.map((module) => ({ name: relative(process.cwd(), module.moduleId), ms: module.diagnostic().duration }))
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

function closingLine(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): string {
  const count = { passed: 0, failed: unhandledErrors.length, skipped: 0 }
  for (const module of modules) {
    if (module.errors().length > 0) count.failed += 1
    for (const test of module.children.allTests()) {
      const { state } = test.result()
      count[state === 'pending' ? 'skipped' : state] += 1
    }
    for (const suite of module.children.allSuites()) {
      if (suite.errors().length > 0) count.failed += 1
    }
  }
  const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
  return `${count.passed} passed, ${count.failed} failed${skipped}`
}
