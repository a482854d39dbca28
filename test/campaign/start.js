import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { rolldown } from 'rolldown'

// `npm run campaign`: Node 20 runs no TypeScript, so that the campaign and its worker are bundled first, as test/bundle.ts does for tests.

const cache = join(import.meta.dirname, '../../node_modules/.cache/freehold-tests')

async function bundled(name) {
  const file = join(cache, `${randomUUID()}.mjs`)
  const build = await rolldown({
    input: join(import.meta.dirname, name),
    platform: 'node',
    external: (specifier) => !/^([./]|freehold$|@freehold\/)/.test(specifier),
    resolve: { conditionNames: ['source', 'import', 'node'] },
    logLevel: 'silent',
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  return file
}

const [main, worker] = await Promise.all([bundled('main.ts'), bundled('worker.ts')])
const { campaign } = await import(main)
process.exitCode = await campaign(process.argv.slice(2), worker)
