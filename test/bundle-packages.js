import { randomUUID } from 'node:crypto'
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'
import { bundles } from './bundle.js'

const root = dirname(import.meta.dirname)
const manifestOf = (folder) => JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))

// The packages as somebody installs them, made of their sources: no test sees a stale build. They share their modules, as installed packages do.

export async function bundlePackages() {
  const directory = join(bundles, randomUUID())
  const home = (name) => join('node_modules', name)
  const packages = readdirSync(join(root, 'packages')).map((folder) => ({ folder, manifest: manifestOf(folder) }))
  const input = packages.flatMap(({ folder, manifest: { name, exports } }) =>
    // The console is a page: it has no face that a program imports.
    Object.values(exports).flatMap(({ source, default: built }) =>
      source === undefined ? [] : [[join(home(name), built.replace(/\.js$/, '')), join(root, 'packages', folder, source)]],
    ),
  )
  const build = await rolldown({
    input: Object.fromEntries(input),
    platform: 'node',
    external: ['@cedar-policy/cedar-wasm/nodejs', '@node-rs/argon2', '@node-rs/bcrypt', 'lmdb', 'sorted-btree'],
    resolve: { conditionNames: ['source', 'import', 'node'] },
    logLevel: 'silent',
  })
  // As deep as the built files, since some name others beside their package.
  const chunkFileNames = join(home('freehold'), 'dist', 'chunks', '[name]-[hash].js')
  await build.write({ dir: directory, format: 'esm', entryFileNames: '[name].js', chunkFileNames })
  await build.close()
  for (const { folder, manifest } of packages) {
    mkdirSync(join(directory, home(manifest.name)), { recursive: true })
    writeFileSync(join(directory, home(manifest.name), 'package.json'), JSON.stringify(manifest))
    for (const beside of ['bin', 'starter'].filter((each) => manifest.files.includes(each)))
      cpSync(join(root, 'packages', folder, beside), join(directory, home(manifest.name), beside), { recursive: true })
  }
  return directory
}
