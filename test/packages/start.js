import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { followGuide, next } from './next.js'

// The packages as their users get them: packed, installed into an empty folder, and used by a module, by a bundler and by `require`. In each of these ways
// every face is typed and loaded, and the code of each README is compiled and prints what stands below it. Next.js runs the guide of a protected route.

const root = fileURLToPath(new URL('../../', import.meta.url))
const execute = promisify(execFile)
const run = (program, argv, cwd, env) => execute(program, argv, { cwd, env, maxBuffer: 64_000_000, timeout: 600_000 })

let passed = 0
let skipped = 0
const failures = []
async function check(what, work) {
  try {
    await work()
    passed++
    process.stdout.write(`ok ${what}\n`)
  } catch (error) {
    const told = `${error.stdout ?? ''}${error.stderr ?? ''}`.trim() || error.message
    failures.push([`FAILED ${what}`, ...told.split('\n').slice(0, 8)].join('\n  | '))
    process.stdout.write(`NOT OK ${what}\n${told}\n`)
  }
}
function none(found, message) {
  if (found.length > 0) throw new Error(`${message}: ${found.slice(0, 5).join(', ')}`)
}

// The console is a page, which has no face for programs.
const page = '@freehold/console'
const packages = readdirSync(join(root, 'packages')).flatMap((folder) => {
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  if (manifest.name === page) return []
  const readme = readFileSync(join(root, 'packages', folder, 'README.md'), 'utf8')
  const [, code, prints] = /^```ts\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```$/m.exec(readme) ?? []
  if (code === undefined) throw new Error(`The README of ${folder} shows no code and what it prints.`)
  // The entry of a function opens what its deployment names while it is loaded.
  const faces = Object.keys(manifest.exports).flatMap((face) => (face === './lambda' ? [] : [join(manifest.name, face)]))
  return [{ folder, name: manifest.name, exports: Object.values(manifest.exports), code, prints, faces }]
})

const licence = readFileSync(join(root, 'LICENSE'), 'utf8')

function checkFiles({ folder, exports: exported }, files) {
  const built = files.filter((path) => /^dist\/.*\.js$/.test(path))
  const wanted = ['LICENSE', 'README.md', ...exported.flatMap((face) => Object.values(face).map((path) => path.slice(2)))]
  wanted.push(...built.flatMap((path) => [`${path}.map`, path.replace(/js$/, 'd.ts'), path.replace(/js$/, 'd.ts.map')]))
  if (readFileSync(join(root, 'packages', folder, 'LICENSE'), 'utf8') !== licence) throw new Error('Its licence is not that of the project')
  none(
    wanted.filter((path) => !files.includes(path)),
    'These are missing',
  )
  none(
    files.filter((path) => /^(dist|src)\/.*\.test(-d)?\.|tsbuildinfo/.test(path)),
    'These are no part of it',
  )
  none(
    built.filter((path) => !files.includes(path.replace(/^dist(.*)js$/, 'src$1ts'))),
    'These have no source: remove dist, and build it anew',
  )
}

/** The code, where a module cannot wait: what follows its imports stands in a function. */
function waiting(code) {
  const [imports] = /^(?:import [^\n]*\n)+/.exec(code) ?? ['']
  return `${imports}async function program() {\n${code.slice(imports.length)}}\nvoid program()\n`
}

const tsc = join(createRequire(import.meta.url).resolve('typescript/package.json'), '..', 'bin', 'tsc')
const options = {
  ...{ target: 'es2023', lib: ['es2023', 'dom', 'dom.iterable', 'esnext.disposable'], strict: true, outDir: 'out' },
  ...{ types: ['node'], typeRoots: [join(root, 'node_modules', '@types')] },
}
const ways = [
  { way: 'nodenext', type: 'module', options: { module: 'nodenext' } },
  { way: 'bundler', type: 'module', options: { module: 'esnext', moduleResolution: 'bundler' } },
  { way: 'require', type: 'commonjs', options: { module: 'nodenext' } },
]

async function bundle(folder) {
  const build = await rolldown({
    input: Object.fromEntries(packages.map(({ folder: name }) => [name, join(folder, 'out', `${name}.js`)])),
    platform: 'node',
    // These have parts that are no JavaScript.
    external: ['@cedar-policy/cedar-wasm/nodejs', '@node-rs/argon2', '@node-rs/bcrypt', 'lmdb'],
    logLevel: 'silent',
  })
  await build.write({ dir: join(folder, 'out'), entryFileNames: '[name].js', chunkFileNames: 'chunks/[name]-[hash].js' })
  await build.close()
}

async function tryWay(place, { way, type, options: own }) {
  const folder = join(place, way)
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type }))
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: { ...options, ...own }, include: ['*.ts'] }))
  for (const { folder: name, code } of packages) writeFileSync(join(folder, `${name}.ts`), type === 'module' ? code : waiting(code))
  const faces = packages.flatMap((each) => each.faces)
  const loaded = faces.map((face, at) => `import * as face${at} from '${face}'\n`).join('')
  writeFileSync(join(folder, 'faces.ts'), `${loaded}console.log(${faces.map((_, at) => `face${at}`).join(', ')})\n`)
  await check(`${way}: types`, () => run(process.execPath, [tsc, '-p', folder]))
  if (way === 'bundler') await check(`${way}: bundles`, () => bundle(folder))
  else await check(`${way}: every face`, () => run(process.execPath, [join(folder, 'out', 'faces.js')], folder))
  for (const { folder: name, name: of, prints } of packages)
    await check(`${way}: the code of the README of ${of}`, async () => {
      const { stdout } = await run(process.execPath, [join(folder, 'out', `${name}.js`)], folder)
      if (stdout.trim() !== prints.trim()) throw new Error(`It printed\n${stdout}`)
    })
}

const place = mkdtempSync(join(tmpdir(), 'freehold-packages-'))
try {
  const packing = ['pack', '--workspaces', '--ignore-scripts', '--json', '--pack-destination', place]
  const packed = new Map(JSON.parse((await run('npm', packing, root)).stdout).map((each) => [each.name, each]))
  for (const each of packages) {
    const files = packed.get(each.name).files.map(({ path }) => path)
    await check(`${each.name}: has its licence, its README, its faces, and types and maps of each file`, () => checkFiles(each, files))
  }
  await check(`${page}: has its licence, its README and what it loads`, () => {
    const files = packed.get(page).files.map(({ path }) => path)
    const lacks = ['LICENSE', 'README.md', 'dist/index.html'].filter((path) => !files.includes(path))
    none(files.some((path) => /^dist\/assets\/.*\.js$/.test(path)) ? lacks : ['dist/assets', ...lacks], 'These are missing')
  })
  const dependencies = Object.fromEntries([...packed].map(([name, { filename }]) => [name, `file:${filename}`]))
  writeFileSync(join(place, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await check('all are installed', () => run('npm', ['install', '--ignore-scripts', '--no-package-lock', '--prefer-offline'], place))
  await check('the command is there', () => run(join(place, 'node_modules', '.bin', 'freehold'), ['prove', 'rebac'], place))
  await Promise.all(ways.map((way) => tryWay(place, way)))
  const isThere = await run('npm', ['view', next, 'name'], place).catch(() => false)
  if (isThere)
    await followGuide({ archives: new Map([...packed].map(([name, { filename }]) => [name, join(place, filename)])), run, check })
  else {
    skipped++
    process.stdout.write(`The guide of a protected route is left out: the registry does not give ${next}.\n`)
  }
} finally {
  rmSync(place, { recursive: true, force: true })
}
process.stdout.write(
  `${[...failures, `${passed} passed, ${failures.length} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`].join('\n')}\n`,
)
process.exitCode = failures.length === 0 ? 0 : 1
