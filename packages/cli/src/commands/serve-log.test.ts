import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { freshFolder } from '../../test/processes.ts'
import { freehold } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand, type Spawned, spawnCommand } from '../../test/spawned.ts'

const module = await bundleCommand()
afterEach(endSpawned)

/** The lines of its log so far, each of which is an object of JSON. */
function linesOf({ written }: Spawned): Readonly<Record<string, unknown>>[] {
  return written.err.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

async function serve(env: Readonly<Record<string, string>>, ...flags: string[]) {
  const directory = freshFolder()
  const port = await freePort()
  const served = spawnCommand(['serve', '--port', String(port), ...flags], { module, cwd: dirname(directory), env })
  await served.says('In another terminal:')
  const key = readFileSync(join(directory, 'first-key'), 'utf8').trim()
  const call = (path: string, body?: object) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    }).then(async (response) => ({ status: response.status, text: await response.text() }))
  return { ...served, directory, key, call }
}

test('every line that serve logs is JSON: of requests, flows, settings and the server', async () => {
  const served = await serve({ FREEHOLD_WORKRES: 'hunter2' }, '--design', 'rebac')
  const { call, key } = served
  const asked = { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' }
  expect((await call('/v1/rebac/can', asked)).status).toBe(200)
  expect((await call('/v1/rebac/flows/createUser', { displayName: 'Grace', nonsense: 'hunter2' })).status).toBe(400)
  expect((await call('/v1/rebac/flows/createUser', { displayName: 'Grace' })).status).toBe(200)
  served.process.kill('SIGTERM')
  expect(await served.ended).toEqual({ code: 0, signal: null })
  const lines = linesOf(served)
  for (const line of lines) expect(line).toMatchObject({ level: expect.any(String), time: expect.stringMatching(/^\d{4}-.*Z$/) })
  const of = (members: object) => expect(lines).toContainEqual(expect.objectContaining(members))
  of({ source: 'server', message: expect.stringMatching(/^Listening at http/) })
  of({ route: '/v1/rebac/can', status: 200, level: 'info' })
  of({ design: 'rebac', flow: 'createUser' })
  of({
    source: 'settings',
    level: 'warn',
    message: 'FREEHOLD_WORKRES is no setting. Did you mean FREEHOLD_WORKERS? `freehold config` lists all.',
  })
  expect(served.written.err).not.toContain(key)
  expect(served.written.err).not.toMatch(/ada@example\.org|hunter2|NYC001/)
})

test('a server that ends has logged each of its requests', async () => {
  const served = await serve({}, '--design', 'rebac')
  const count = 200
  const answers = await Promise.all(Array.from({ length: count }, () => served.call('/v1')))
  served.process.kill('SIGTERM')
  expect(await served.ended).toEqual({ code: 0, signal: null })
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(count)
  expect(linesOf(served).filter(({ route }) => route === '/v1')).toHaveLength(count)
})

test('FREEHOLD_LOG_LEVEL and --log-level say what is logged, and an unknown level is refused', async () => {
  const served = await serve({ FREEHOLD_LOG_LEVEL: 'info' }, '--design', 'rebac', '--log-level', 'error')
  expect((await served.call('/v1')).status).toBe(200)
  served.process.kill('SIGTERM')
  await served.ended
  expect(served.written.err).toBe('')
  const cwd = dirname(freshFolder())
  const refused = await runCommand(['serve', '--port', '0'], { module, cwd, env: { FREEHOLD_LOG_LEVEL: 'loud' } })
  expect(refused).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining("FREEHOLD_LOG_LEVEL is 'loud'. It is one of trace, debug, info"),
  })
  expect(await freehold(['serve', '--log-level', 'loud'], { env: {} })).toMatchObject({ exit: 2, err: expect.stringContaining('loud') })
})

test('--metrics-port serves what is counted, on loopback, and a port that is taken stops the start', async () => {
  const port = await freePort()
  const served = await serve({}, '--design', 'rebac', '--metrics-port', String(port))
  expect((await served.call('/v1/rebac/can', { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' })).status).toBe(200)
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  expect(metrics).toContain('\nfreehold_decisions_total{design="rebac",question="can",outcome="allowed",reason="none"} 1\n')
  expect(metrics).toMatch(/\nfreehold_dynamodb_requests_total\{operation="BatchGetItem",outcome="ok"\} \d/)
  expect(metrics).toContain('\nfreehold_oldest_job_age_seconds{design="rebac"} 0\n')
  expect(linesOf(served)).toContainEqual(expect.objectContaining({ message: `Metrics are at http://127.0.0.1:${port}/metrics.` }))
  const second = { module, cwd: dirname(freshFolder()), env: { FREEHOLD_METRICS_PORT: String(port) } }
  expect(await runCommand(['serve', '--port', '0', '--memory'], second)).toMatchObject({
    code: 2,
    out: '',
    err: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`),
  })
  const malformed = await runCommand(['serve', '--port', '0', '--memory'], { ...second, env: { FREEHOLD_METRICS_PORT: 'x' } })
  expect(malformed).toMatchObject({ code: 2, err: expect.stringContaining('FREEHOLD_METRICS_PORT') })
  served.process.kill('SIGTERM')
  expect(await served.ended).toEqual({ code: 0, signal: null })
})

test('examples/tracing.js, imported before serve, prints the spans of a request, and the log stays as it is', async () => {
  const tracing = pathToFileURL(join(import.meta.dirname, '../../../../examples/tracing.js')).href
  const served = await serve({ NODE_OPTIONS: `--import ${tracing}` }, '--design', 'rebac')
  expect((await served.call('/v1/rebac/can', { user: 'ada@example.org', location: 'NYC001', page: 'dashboard' })).status).toBe(200)
  await served.says("name: 'POST /v1/rebac/can'")
  expect(served.written.out).toContain("name: 'question can'")
  expect(served.written.out).toContain("'db.system': 'dynamodb'")
  expect(served.written.out).not.toContain("ada@example.org'")
  served.process.kill('SIGTERM')
  expect(await served.ended).toEqual({ code: 0, signal: null })
  expect(linesOf(served).length).toBeGreaterThan(0)
})
