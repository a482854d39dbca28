import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { bundle } from '../bundle.js'

// The tests that the guide shows run here, as they do for a program under Vitest, and again under Node's own runner.

const example = join(import.meta.dirname, '..', '..', 'docs', 'concepts', 'example-testing.ts')

vi.mock('node:test', async () => ({ test: (await import('vitest')).test }))
await import(example)

test("the tests of the guide pass under Node's own runner", async () => {
  const told = execFileSync(process.execPath, ['--test', '--test-reporter=tap', await bundle(example)], { encoding: 'utf8' })
  expect(told).toMatch(/^# pass 4\n# fail 0$/m)
})
