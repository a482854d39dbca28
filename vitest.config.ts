import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'

/** Workspace packages resolve to their source, so that tests never see a stale build. */
const conditions = ['source', 'node', 'development|production']

const accounts = 'packages/designs/src/account-management/**/*.test.ts'
const flows = 'packages/designs/src/account-management/flows/*.test.ts'
const unrelated = ['**/node_modules/**', '**/dist/**']

/**
 * Each project has an engine of its own. The engine looks through the tokens of the last ten minutes with each transaction: one engine for all
 * would take three times the CPU at the end.
 */
const projects = [
  {
    extends: true as const,
    test: {
      name: 'table',
      include: ['packages/table/**/*.test.ts', 'test/**/*.test.ts'],
      typecheck: {
        enabled: true,
        include: ['packages/**/*.test-d.ts', 'test/**/*.test-d.ts'],
        tsconfig: 'tsconfig.test.json',
      },
    },
  },
  { extends: true as const, test: { name: 'flows', include: [flows] } },
  { extends: true as const, test: { name: 'accounts', include: [accounts], exclude: [...unrelated, flows] } },
  {
    extends: true as const,
    test: { name: 'faces', include: ['packages/{designs,service,cli}/**/*.test.ts'], exclude: [...unrelated, accounts] },
  },
]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects,
    exclude: unrelated,
    globalSetup: ['test/engine.ts'],
    reporters: ['default', new ClosingLine()],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    // The AWS SDK otherwise warns in every worker that it will want Node 22 in 2027.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
  },
})
