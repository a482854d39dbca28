import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
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

/** In `node_modules`, since bundles import what stands there. `test/bundle.js` reads the variable. */
const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
mkdirSync(cache, { recursive: true })
const bundles = mkdtempSync(join(cache, 'freehold-tests-'))
process.env.TEST_BUNDLES = bundles

export function setup(project: TestProject): void {
  project.provide('folderOfRun', folder)
}

/** Removes also what a worker left that was killed. */
export function teardown(): void {
  for (const each of [folder, bundles]) rmSync(each, { recursive: true, force: true, maxRetries: 5 })
}
