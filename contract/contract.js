import { execFile, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

// Serves the four designs with their samples, and puts tools of other makers to the document of each: two linters, and two generators of TypeScript, whose
// clients are compiled; the typed one makes eight calls a design. It ends with 1 at what they find.

const designs = ['account-management', 'authorization', 'platform', 'rebac']
const bytesMax = 300_000
const warningsMax = 20

const here = fileURLToPath(new URL('.', import.meta.url))
const run = promisify(execFile)
const bin = (name) => join(here, 'node_modules', '.bin', name)
/** What a tool prints, whether it ends with 0 or not: linters end with 1 at what they find. */
const printed = async (name, ...argv) => {
  const { stdout } = await run(bin(name), argv, { cwd: here, maxBuffer: 64_000_000 }).catch((failure) => failure)
  return String(stdout)
}

let passed = 0
const failures = []
function check(what, isGood, detail = '') {
  if (isGood) passed++
  else failures.push([`FAILED ${what}`, ...detail.split('\n').slice(0, 8)].join('\n  | '))
  process.stdout.write(`${isGood ? 'ok' : 'NOT OK'} ${what} ${detail}\n`)
}

/** The service on a port of its own, with its data in memory. */
async function serve(folder) {
  const command = join(here, '..', 'packages', 'cli', 'bin', 'freehold.js')
  const child = spawn(process.execPath, [command, 'serve', '--memory', '--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'ignore'] })
  let out = ''
  for await (const piece of child.stdout) {
    out += piece
    const [, url] = /answers at (\S+),/.exec(out) ?? []
    const [, file] = /first API key is in (\S+),/.exec(out) ?? []
    if (url !== undefined && file !== undefined) return { url, key: readFileSync(file, 'utf8').trim(), end: () => child.kill() }
  }
  throw new Error(`The service has not begun: ${out}`)
}

async function lint(design, file) {
  const redocly = JSON.parse(await printed('redocly', 'lint', '--extends=recommended', '--format=json', file))
  const { errors, warnings } = redocly.totals
  check(`${design}: Redocly`, errors === 0 && warnings <= warningsMax, `${errors} errors, ${warnings} warnings`)
  const found = JSON.parse((await printed('spectral', 'lint', '--ruleset', join(here, 'spectral.json'), '-f', 'json', '-q', file)) || '[]')
  const wrong = found.filter(({ severity }) => severity === 0).length
  check(`${design}: Spectral`, wrong === 0 && found.length <= warningsMax, `${wrong} errors, ${found.length - wrong} warnings`)
}

const folder = mkdtempSync(join(tmpdir(), 'freehold-contract-'))
const service = await serve(folder)
try {
  const generated = join(here, 'dist', 'generated')
  rmSync(generated, { recursive: true, force: true })
  mkdirSync(generated, { recursive: true })
  for (const design of designs) {
    const text = await (await fetch(`${service.url}/openapi/${design}.json`)).text()
    check(`${design}: size`, Buffer.byteLength(text) <= bytesMax, `${Buffer.byteLength(text)} bytes`)
    const file = join(generated, `${design}.json`)
    writeFileSync(file, text)
    await lint(design, file)
    await run(bin('openapi-typescript'), [file, '-o', join(generated, `${design}.ts`)], { cwd: here })
    await run(bin('openapi-ts'), ['-i', file, '-o', join(generated, design), '-c', '@hey-api/client-fetch'], { cwd: here })
  }
  const wrong = await printed('tsc', '-p', here)
  check('openapi-typescript: its types compile, with the calls', wrong === '', wrong.slice(0, 2000))
  const clients = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  const other = await printed(
    'tsc',
    ...clients,
    '--lib',
    'es2022,dom,dom.iterable',
    ...designs.map((design) => join(generated, design, 'index.ts')),
  )
  check('@hey-api/openapi-ts: its clients compile', other === '', other.slice(0, 2000))
  const calls = await run(process.execPath, [join(here, 'dist', 'src', 'calls.js'), service.url, service.key]).catch((failure) => failure)
  for (const line of String(calls.stdout).trim().split('\n'))
    check(line.replace(/^(NOT )?ok /i, ''), line.startsWith('ok '), calls.stderr ?? '')
} finally {
  service.end()
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write('Left out, since their tools are no packages of npm: clients of Python, Go and Java, and Schemathesis.\n')
process.stdout.write(`${['', ...failures, `${passed} passed, ${failures.length} failed`].join('\n')}\n`)
process.exitCode = failures.length === 0 ? 0 : 1
