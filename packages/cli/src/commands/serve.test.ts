import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { designModules } from '@freehold/designs'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { freshFolder } from '../../test/processes.ts'
import { freehold } from '../../test/recorded-shell.ts'
import { bundleCommand, endSpawned, runCommand, type Spawned, spawnCommand } from '../../test/spawned.ts'

const module = await bundleCommand()
afterEach(endSpawned)

/** The welcome is written at once, and ends with these and the commands. */
const lastWords = 'In another terminal:'

interface Served extends Spawned {
  readonly directory: string
  readonly port: number
}

/** Serves with a data folder `.freehold` in an empty working folder. */
async function serve(directory: string, ...flags: string[]): Promise<Served> {
  const port = await freePort()
  const spawned = spawnCommand(['serve', '--port', String(port), ...flags], { module, cwd: dirname(directory) })
  await spawned.says(lastWords)
  return { ...spawned, directory, port }
}

/** The first line that begins with curl. */
function curlLine({ written }: Spawned): string {
  return /^ +(curl .*)$/m.exec(written.out)?.[1] ?? ''
}

/** The lines of its log, each of which is an object of JSON. */
function linesOf({ written }: Spawned): Readonly<Record<string, unknown>>[] {
  return written.err.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]))
}

/** The key that the first start has kept, since its output is no terminal. */
function firstKey(directory: string): string {
  return readFileSync(join(directory, 'first-key'), 'utf8').trim()
}

async function sh(line: string, env: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH, ...env } })
  return JSON.parse(stdout)
}

describe('serve', () => {
  test('on an empty table loads the sample organisation, and prints a curl line that works as it stands', async () => {
    const served = await serve(freshFolder())
    expect(served.written.out).toContain(`Freehold answers at http://127.0.0.1:${served.port}, with its data in ${served.directory}.`)
    for (const name of designModules.keys()) expect(served.written.out).toMatch(new RegExp(`^It serves .*\\b${name}\\b`, 'm'))
    expect(served.written.out).toContain('sample organisation was loaded')
    expect(served.written.out).not.toContain('fhk_')
    const file = join(served.directory, 'first-key')
    expect(served.written.out).toContain(`The first API key is in ${file}, which only you can read`)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    const lines = [...served.written.out.matchAll(/^ +(curl .*)$/gm)].map(([, line = '']) => line)
    expect(served.written.out).toContain('\nFive things to try:\n')
    const answers = await Promise.all(lines.map((line) => sh(line)))
    const yes = { allowed: true }
    expect(answers).toEqual([
      yes,
      yes,
      yes,
      yes,
      expect.objectContaining({ allowed: false, reason: expect.objectContaining({ kind: 'policy' }) }),
    ])
    const page = await fetch(`http://127.0.0.1:${served.port}/`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<title>Freehold</title>')])
    const viewer = await fetch(`http://127.0.0.1:${served.port}/docs/viewer.js`)
    expect([viewer.status, await viewer.text()]).toEqual([200, expect.stringContaining('createApiReference')])
    served.process.kill('SIGINT')
    expect(await served.ended).toEqual({ code: 0, signal: null })
  })

  test('ends when the npm that started it is killed outright', async () => {
    const directory = freshFolder()
    const port = await freePort()
    // As npm does it: a parent that starts the command, and marks its environment.
    const start = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(module)}, 'serve', '--port', '${port}', '--design', 'rebac'], { stdio: 'inherit' })`
    const npm = spawn(process.execPath, ['-e', start], {
      cwd: dirname(directory),
      env: { PATH: process.env.PATH, npm_command: 'run-script' },
    })
    let out = ''
    npm.stdout.on('data', (text) => {
      out += text
    })
    await expect.poll(() => out).toContain(lastWords)
    npm.kill('SIGKILL')
    await expect
      .poll(() =>
        fetch(`http://127.0.0.1:${port}/health`).then(
          () => 'served',
          () => 'gone',
        ),
      )
      .toBe('gone')
  })

  test('prints $FREEHOLD_API_KEY at later starts, with which the first key still works, and another key with --new-key', async () => {
    const directory = freshFolder()
    const first = await serve(directory, '--design', 'rebac')
    const key = firstKey(directory)
    first.process.kill('SIGTERM')
    expect(await first.ended).toEqual({ code: 0, signal: null })

    const second = await serve(directory, '--design', 'rebac')
    expect(curlLine(second)).toContain('"Authorization: Bearer $FREEHOLD_API_KEY"')
    expect(second.written.out).not.toContain('fhk_')
    expect(second.written.out).not.toContain('sample organisation was loaded')
    expect(await sh(curlLine(second), { FREEHOLD_API_KEY: key })).toEqual({ allowed: true })
    second.process.kill('SIGTERM')
    await second.ended

    const third = await serve(directory, '--design', 'rebac', '--new-key')
    expect(curlLine(third)).toContain('fhk_')
    expect(curlLine(third)).not.toContain(key)
    expect(await sh(curlLine(third))).toEqual({ allowed: true })
  })

  test('shares its data with a second server and with commands, which write at once', async () => {
    const first = await serve(freshFolder(), '--design', 'rebac')
    const { directory } = first
    const beside = await serve(directory, '--design', 'rebac')
    const key = firstKey(directory)
    const names = Array.from({ length: 60 }, (_, at) => `User ${at}`)
    const created = names.map(async (displayName, at) => {
      if (at % 3 === 0)
        return (await freehold(['do', 'rebac', 'createUser', JSON.stringify({ displayName }), '--data', directory], { env: {} })).exit
      const { port } = at % 3 === 1 ? first : beside
      const answer = await fetch(`http://127.0.0.1:${port}/v1/rebac/flows/createUser`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
        body: JSON.stringify({ displayName }),
      })
      return answer.status === 200 ? 0 : answer.status
    })
    expect(new Set(await Promise.all(created))).toEqual(new Set([0]))
    const { out } = await freehold(['query', 'rebac', 'users', '--all', '--json', '--data', directory], { env: {} })
    const found = [...out.matchAll(/"displayName":"(User \d+)"/g)].map(([, name = '']) => name)
    expect(found.sort()).toEqual(names.toSorted())
  })

  test('on a port that is in use exits with 2, says so, and leaves nothing behind', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const directory = freshFolder()
    const ran = await runCommand(['serve', '--port', port], { module, cwd: dirname(directory) })
    expect(ran).toMatchObject({ code: 2, signal: null, out: '', err: expect.stringContaining(`Port ${port} of 127.0.0.1 is in use`) })
    taken.close()
  })

  test('in memory keeps no folder, and tells how another terminal reaches it', async () => {
    const served = await serve(freshFolder(), '--memory', '--design', 'rebac')
    expect(served.written.out).toContain('with its data in memory')
    expect(existsSync(served.directory)).toBe(false)
    const [, file = ''] = /The first API key is in (\S+),/.exec(served.written.out) ?? []
    expect(await sh(curlLine(served))).toEqual({ allowed: true })
    const [, url = ''] = /FREEHOLD_URL=(\S+) FREEHOLD_API_KEY=\$\(cat \S+\) npx freehold why/.exec(served.written.out) ?? []
    const env = { FREEHOLD_URL: url, FREEHOLD_API_KEY: readFileSync(file, 'utf8').trim() }
    expect(await freehold(['query', 'rebac', 'users', '{}'], { env })).toMatchObject({ exit: 0, out: expect.stringContaining('Ada') })
    served.process.kill('SIGINT')
    expect(await served.ended).toEqual({ code: 0, signal: null })
    expect(existsSync(file)).toBe(false)
  })

  test('beyond loopback warns that it has no TLS', async () => {
    const served = await serve(freshFolder(), '--design', 'authorization', '--host', '0.0.0.0')
    const warnings = linesOf(served).filter(({ level }) => level === 'warn')
    expect(warnings).toEqual([
      expect.objectContaining({ source: 'server', message: expect.stringMatching(/ 0\.0\.0\.0, .*it has no TLS/) }),
    ])
    const quiet = await serve(freshFolder(), '--design', 'authorization')
    expect(quiet.written.err).not.toContain('Warning')
  })

  test('prints JSON for a program, and a line of JSON on stderr for each request', async () => {
    const directory = freshFolder()
    const port = await freePort()
    const served = spawnCommand(['serve', '--port', String(port), '--json'], { module, cwd: dirname(directory) })
    await served.says('\n')
    const told: { readonly keyFile: string } = JSON.parse(served.written.out)
    expect(told).toEqual({
      address: `http://127.0.0.1:${port}`,
      designs: [...designModules.keys()],
      keyFile: join(directory, 'first-key'),
      hasSample: true,
    })
    const response = await fetch(`http://127.0.0.1:${port}/health`)
    expect(response.status).toBe(200)
    await response.text()
    await expect.poll(() => served.written.err).toContain('"route":"/health"')
    expect(served.written.err).not.toContain(firstKey(directory))
  })
})

describe('serve with --design', () => {
  test('has these designs only, on a table of another name, and says how the other terminal reaches that', async () => {
    const directory = freshFolder()
    const served = await serve(directory, '--design', 'rebac', '--table', 'rebac-dev')
    expect(served.written.out).toContain('\nIt serves rebac.\n')
    expect(await sh(curlLine(served))).toEqual({ allowed: true })
    const [, line = ''] = /^ +npx freehold (why .*)$/m.exec(served.written.out) ?? []
    const argv = [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
    expect(await freehold([...argv, '--data', directory], { env: {} })).toMatchObject({ exit: 0, out: expect.stringMatching(/^yes/) })
    const key = firstKey(directory)
    const listing = await sh(`curl -s http://127.0.0.1:${served.port}/v1 -H 'Authorization: Bearer ${key}'`)
    expect(listing).toMatchObject({ designs: [{ name: 'rebac' }] })
    // The keys have their own table all the same.
    const keys = await freehold(['api-keys', '--data', directory], { env: {} })
    expect(keys).toMatchObject({ exit: 0, out: expect.stringContaining('first key') })
  })

  test('without rebac asks about what there is', async () => {
    const served = await serve(freshFolder(), '--design', 'authorization')
    expect(served.written.out).not.toMatch(/rebac|New York/)
    expect(await sh(curlLine(served))).toEqual({ allowed: true })
  })

  test.each([
    [['--table', 'one'], `--table names one table, but ${designModules.size} designs need one each`, 'InvalidInput'],
    [['--table', 'one', '--design', 'rebac', 'authorization'], '--table names one table, but 2 designs need one each', 'InvalidInput'],
    [['--table', 'freehold_service', '--design', 'rebac'], 'The table freehold_service has the API keys', 'InvalidInput'],
    [['--design', 'rebak'], "There is no design 'rebak'. Did you mean rebac?", 'UnknownName'],
    [['--design', 'rebac,platform'], "There is no design 'rebac,platform'.", 'UnknownName'],
    [['--design'], "Option '--design <name...>' argument missing.", 'InvalidInput'],
  ])('%j exits with 2 before anything is opened', async (flags, sentence, code) => {
    const cwd = dirname(freshFolder())
    const ran = await freehold(['serve', '--port', '0', ...flags], { env: {}, cwd })
    expect(ran).toEqual({ exit: 2, out: '', err: expect.stringContaining(sentence) })
    expect(ran.err).toContain(`(${code})`)
    expect(existsSync(join(cwd, '.freehold'))).toBe(false)
  })
})

describe('local', () => {
  test('gives the data to any client of AWS that signs with the pair that it prints', async () => {
    const directory = freshFolder()
    const port = await freePort()
    const endpoint = `http://127.0.0.1:${port}`
    const spawned = spawnCommand(['local', '--port', String(port)], { module, cwd: dirname(directory) })
    await spawned.says('npx freehold')
    const env = Object.fromEntries(
      [...spawned.written.out.matchAll(/^ +export (\w+)=(\S+)$/gm)].map(([, name = '', value = '']) => [name, value]),
    )
    expect(env).toMatchObject({ AWS_ENDPOINT_URL_DYNAMODB: endpoint, AWS_REGION: 'us-east-1' })
    const asked = (own: Readonly<Record<string, string>>) =>
      runCommand(['do', 'rebac', 'createRole', '{"roleName":"r"}'], { module, cwd: dirname(directory), env: own })
    const unsigned = await asked({ ...env, AWS_SECRET_ACCESS_KEY: 'x' })
    expect(unsigned).toMatchObject({ code: 2, err: expect.stringContaining('refused our credentials') })
    expect(await asked(env)).toMatchObject({ code: 0 })
    expect(await freehold(['get', 'rebac', 'Role', '{"roleName":"r"}', '--data', directory], { env: {} })).toMatchObject({ exit: 0 })
    spawned.process.kill('SIGINT')
    expect(await spawned.ended).toEqual({ code: 0, signal: null })
  })

  test('on a port that is in use exits with 2', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const address = taken.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const ran = await runCommand(['local', '--memory', '--port', port], { module, cwd: dirname(freshFolder()) })
    expect(ran).toMatchObject({ code: 2, out: '', err: expect.stringContaining(port) })
    taken.close()
  })
})

describe('a command in a process of its own', () => {
  test('keeps what it wrote for the next one', async () => {
    const directory = freshFolder()
    const spawning = { module, cwd: dirname(directory) }
    const created = await runCommand(['do', 'rebac', 'createUser', '-', '--json'], { ...spawning, stdin: '{"displayName":"Ada"}' })
    expect(created).toMatchObject({ code: 0, err: '' })
    const { userId } = JSON.parse(created.out)
    const got = await runCommand(['get', 'rebac', 'User', JSON.stringify({ userId }), '--json'], spawning)
    expect(JSON.parse(got.out)).toMatchObject({ displayName: 'Ada', version: 1 })
  })

  test('exits with 1 for no, and with 2 for what is malformed', async () => {
    const cwd = dirname(freshFolder())
    expect(await runCommand(['setup', 'rebac'], { module, cwd })).toMatchObject({ code: 0 })
    expect(await runCommand(['get', 'rebac', 'Role', '{"roleName":"none"}'], { module, cwd })).toMatchObject({ code: 1, out: '' })
    expect(await runCommand(['get', 'rebac', 'Role', '{'], { module, cwd })).toMatchObject({ code: 2, out: '' })
    expect(await runCommand(['nothing'], { module, cwd })).toMatchObject({ code: 2, out: '' })
  })

  test('ends quietly when the reader of its output goes away', async () => {
    const cwd = dirname(freshFolder())
    const line = `"${process.execPath}" "${module}" patterns rebac | head -1; echo "$?"`
    const { stdout, stderr } = await promisify(execFile)('/bin/sh', ['-c', line], { cwd })
    expect({ stdout, stderr }).toEqual({ stdout: expect.stringMatching(/^name +request[^\n]*\n0\n$/), stderr: '' })
  })
})
