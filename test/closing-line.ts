import type { Reporter, TestModule } from 'vitest/node'

/**
 * Ends a run with `N passed, N failed` alone on a line, which CI reads. A file that fails outside its tests, or an error that
 * no test caught, counts as one failure: otherwise a run that broke would close with `0 failed`.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
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
    process.stdout.write(`${count.passed} passed, ${count.failed} failed${skipped}\n`)
  }
}
