import { randomUUID } from 'node:crypto'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const root = dirname(import.meta.dirname)

/**
 * Bundles a TypeScript file of the workspace, so that a test can run it in a process of its own: Node 20 runs no TypeScript, and a
 * build may be stale. Libraries are left out, and found from where the bundle is written.
 *
 * @param entry path of the file, absolute.
 * @returns path of the JavaScript module.
 */
export async function bundle(entry: string): Promise<string> {
  const file = join(root, 'node_modules', '.cache', 'freehold-tests', `${randomUUID()}.mjs`)
  const build = await rolldown({
    input: entry,
    platform: 'node',
    external: (specifier) => !/^([./]|freehold$|@freehold\/)/.test(specifier),
    resolve: { conditionNames: ['source', 'import', 'node'] },
    logLevel: 'silent',
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  return file
}
