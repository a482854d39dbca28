import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { goClients } from './clients/go.js'
import { pythonClients } from './clients/python.js'
import { typescriptClients } from './clients/typescript.js'
import { judged } from './judged.js'
import { testedBySchemathesis } from './schemathesis.js'
import { here, npm, withoutGo, withoutJava, withoutPython } from './tools.js'

// Serves the four designs with their samples, and puts tools of other makers to the document of each: two linters, generators of clients in three languages,
// which are compiled and make the calls of a table, and Schemathesis, which makes requests of its own. It ends with 1 at what they find.

const designs = ['account-management', 'authorization', 'platform', 'rebac']
const bytesMax = 300_000
const warningsMax = 20
/** How many requests Schemathesis makes for each operation. CI has the time for a few. */
const examples = process.argv.includes('--whole') ? 40 : 4
const table = JSON.parse(readFileSync(join(here, 'calls.json'), 'utf8'))

let passed = 0
const failures = []
let skipped = 0
function check(what, detail, isGood = detail === '') {
  if (isGood) passed++
  else failures.push([`FAILED ${what}`, ...detail.split('\n').slice(0, 8)].join('\n  | '))
  process.stdout.write(`${isGood ? 'ok' : 'NOT OK'} ${what} ${detail.slice(0, 4000)}\n`)
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
  const redocly = JSON.parse((await npm('redocly', 'lint', '--extends=recommended', '--format=json', file)).stdout)
  const { errors, warnings } = redocly.totals
  check(`${design}: Redocly`, `${errors} errors, ${warnings} warnings`, errors === 0 && warnings <= warningsMax)
  const found = JSON.parse(
    (await npm('spectral', 'lint', '--ruleset', join(here, 'spectral.json'), '-f', 'json', '-q', file)).stdout || '[]',
  )
  const wrong = found.filter(({ severity }) => severity === 0).length
  check(`${design}: Spectral`, `${wrong} errors, ${found.length - wrong} warnings`, wrong === 0 && found.length <= warningsMax)
}

/** Generates a client of a design, compiles it, and lets it make the calls of the table. */
async function called(client, at, told, service) {
  const place = `${told.design}-${at}`.replaceAll('-', '_')
  const folder = join(here, 'dist', 'clients', place)
  mkdirSync(folder, { recursive: true })
  const calls = table[told.design]
  await client.make({ ...told, folder, place, calls, client: place.replaceAll('_', '-') })
  check(`${told.design}, ${client.name}: compiles`, await client.compile({ folder }))
  const { stdout, stderr } = await client.call({ folder }, service.url, service.key)
  const answers = stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
  for (const [index, call] of calls.entries())
    check(`${told.design}, ${client.name}: ${index + 1}. ${call.call}`, judged(call, answers[index], place.replaceAll('_', '-'), stderr))
}

const [noPython, noGo, noJava] = await Promise.all([withoutPython(), withoutGo(), withoutJava()])
const clients = [...typescriptClients, ...pythonClients, ...goClients]
const folder = mkdtempSync(join(tmpdir(), 'freehold-contract-'))
const service = await serve(folder)
try {
  const documents = join(here, 'dist', 'documents')
  for (const each of [documents, join(here, 'dist', 'clients')]) rmSync(each, { recursive: true, force: true })
  mkdirSync(documents, { recursive: true })
  for (const design of designs) {
    const text = await (await fetch(`${service.url}/openapi/${design}.json`)).text()
    check(`${design}: size`, `${Buffer.byteLength(text)} bytes`, Buffer.byteLength(text) <= bytesMax)
    const file = join(documents, `${design}.json`)
    writeFileSync(file, text)
    await lint(design, file)
    for (const [at, client] of clients.entries()) {
      const why = client.needs.map((need) => ({ python: noPython, go: noGo, java: noJava })[need]).find((each) => each !== undefined)
      if (why === undefined) await called(client, at, { design, file, document: JSON.parse(text) }, service)
      else process.stdout.write(`Left out: ${design}, ${client.name}, since ${why}.\n`)
      if (why !== undefined) skipped++
    }
  }
  // Two at a time, as many as CI has processors.
  for (const pair of noPython === undefined ? [designs.slice(0, 2), designs.slice(2)] : []) {
    const found = pair.map((design) => testedBySchemathesis(design, join(documents, `${design}.json`), service, examples))
    for (const each of await Promise.all(found)) check(...each)
  }
  if (noPython !== undefined) skipped += designs.length
} finally {
  service.end()
  rmSync(folder, { recursive: true, force: true })
}
if (noPython !== undefined) process.stdout.write(`Left out: Schemathesis, since ${noPython}.\n`)
process.stdout.write(`${['', ...failures, `${passed} passed, ${failures.length} failed, ${skipped} skipped`].join('\n')}\n`)
process.exitCode = failures.length === 0 ? 0 : 1
