import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  export interface ProvidedContext {
    /** The folder of the run, in which each test file has its own. */
    readonly folderOfRun: string
  }
}

const folder = mkdtempSync(join(tmpdir(), 'freehold-test-'))

export function setup(project: TestProject): void {
  project.provide('folderOfRun', folder)
}

/** Removes also what a worker left that was killed. */
export function teardown(): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
}
