import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import { rolldown } from 'rolldown'

// In JavaScript, since scripts that run on Node 20 begin with it: that runs no TypeScript.

const root = dirname(import.meta.dirname)

/** A run of the tests removes what they have bundled. */
export const bundles = process.env.TEST_BUNDLES ?? join(root, 'node_modules', '.cache', 'freehold-tests')

const made = new Map()

export function bundle(entry, change) {
  if (change !== undefined) return make(entry, change)
  if (!made.has(entry)) made.set(entry, make(entry))
  return made.get(entry)
}

async function make(entry, change) {
  const file = join(bundles, `${randomUUID()}.mjs`)
  const changed = {
    name: 'changed',
    load: async (id) => {
      const path = relative(root, id).split(sep).join('/')
      return path.startsWith('packages/') ? change(path, await readFile(id, 'utf8')) : undefined
    },
  }
  const build = await rolldown({
    input: entry,
    platform: 'node',
    // These have parts that are no JavaScript.
    external: ['rolldown', '@cedar-policy/cedar-wasm/nodejs', '@node-rs/argon2', '@node-rs/bcrypt', 'lmdb', 'sorted-btree'],
    resolve: { conditionNames: ['source', 'import', 'node'] },
    logLevel: 'silent',
    plugins: change === undefined ? [] : [changed],
  })
  await build.write({ file, format: 'esm', codeSplitting: false })
  await build.close()
  return file
}
