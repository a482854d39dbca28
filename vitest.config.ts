import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/closing-line.ts'
import { seedOfRun } from './test/properties/seed-of-run.ts'

/** Workspace packages resolve to their source, so that tests never see a stale build. */
const conditions = ['source', 'node', 'development|production']

const seed = seedOfRun()

/** The command, and what holds of all packages together, in processes, browsers and under loads: most of the time of all tests. */
const ofProduct = ['packages/cli/**/*.test.ts', 'test/**/*.test.ts']
// Node's own runner runs what `freehold init` writes.
const exclude = ['**/node_modules/**', '**/dist/**', 'packages/cli/starter/**']

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'library',
          include: ['packages/**/*.test.ts'],
          exclude: [...exclude, ...ofProduct],
          typecheck: {
            enabled: true,
            include: ['packages/**/*.test-d.ts', 'test/**/*.test-d.ts'],
            // `npm run types` checks all others.
            tsconfig: 'tsconfig.test-d.json',
          },
        },
      },
      { extends: true, test: { name: 'product', include: ofProduct, exclude } },
    ],
    globalSetup: 'test/folders/folder-of-run.ts',
    setupFiles: ['test/folders/folders-of-file.ts', 'test/properties/one-seed.ts', 'test/engine/new-engine.ts'],
    provide: { propertySeed: seed },
    reporters: ['default', new ClosingLine(seed)],
    pool: 'forks',
    maxWorkers: 2,
    // Answers of thousands of questions are young at once: with V8's own 16 MB a fifth of the time went to moving them.
    execArgv: ['--max-semi-space-size=128'],
    // Files share the modules of their worker: loading the SDK and the designs anew for each took a third of the time.
    isolate: false,
    // They end what hangs, on a machine that is busy with other things, too. None is a test's own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    expect: { poll: { timeout: 120_000, interval: 20 } },
    // The AWS SDK otherwise warns in every worker that it will want Node 22 in 2027, and a developer's own profile is no part of a test.
    env: {
      AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
      AWS_CONFIG_FILE: '/dev/null',
      AWS_SHARED_CREDENTIALS_FILE: '/dev/null',
    },
  },
})
