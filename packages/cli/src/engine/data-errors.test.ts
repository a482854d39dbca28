import { execFileSync } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../test/free-port.ts'
import { freshFolder } from '../../test/processes.ts'
import { bundleCommand, endSpawned, runCommand, spawnCommand } from '../../test/spawned.ts'
import { isDiskFull } from './atomic-file.ts'

const module = await bundleCommand()
const mounts: string[] = []
afterEach(async () => {
  await endSpawned()
  for (const path of mounts.splice(0)) execFileSync('umount', ['-l', path])
})

const command = (argv: readonly string[], directory: string) =>
  runCommand([...argv, '--data', directory], { module, cwd: dirname(directory) })
const query = (directory: string) => command(['query', 'rebac', 'users'], directory)

/** What a folder has, byte by byte. */
const contentOf = (directory: string) =>
  readdirSync(directory)
    .filter((name) => !name.endsWith('-lock'))
    .map((name) => [name, readFileSync(join(directory, name), 'base64')])

/** A folder with data. */
async function filled(): Promise<{ readonly directory: string; readonly file: string }> {
  const directory = freshFolder()
  expect(await command(['do', 'rebac', 'createUser', '{"displayName":"Ada"}'], directory)).toMatchObject({ code: 0 })
  return { directory, file: join(directory, 'data.mdb') }
}

describe('a data folder that cannot be opened is left as it is, and the error says what to do', () => {
  test.each<[string, (file: string) => void, string]>([
    ['was cut off', (file) => truncateSync(file, 16_384), 'Nothing was changed: restore it from a backup, or move it away'],
    ['was emptied', (file) => truncateSync(file, 0), 'Nothing was changed: restore it from a backup, or move it away'],
    ['was overwritten', (file) => writeFileSync(file, 'mine'), 'Nothing was changed: restore it from a backup, or move it away'],
  ])('whose file %s', async (_, damage, words) => {
    const { directory, file } = await filled()
    damage(file)
    const before = contentOf(directory)
    expect(await query(directory)).toMatchObject({ code: 2, signal: null, out: '', err: expect.stringContaining(words) })
    expect(contentOf(directory)).toEqual(before)
  })

  test.each(['query', 'serve'])('that an earlier engine wrote, by %s', async (name) => {
    const directory = freshFolder()
    mkdirSync(directory, { mode: 0o700 })
    writeFileSync(join(directory, 'freehold.db'), 'SQLite format 3\0')
    const ran = await (name === 'query' ? query(directory) : command(['serve', '--port', '0'], directory))
    const words =
      /export each design with the version of Freehold that wrote it \(`freehold export DESIGN > FILE`\), then move the folder away and import/
    expect(ran).toMatchObject({ code: 2, err: expect.stringMatching(words) })
    expect(readdirSync(directory)).toEqual(['freehold.db'])
  })
})

/** A file system of its own. Only an administrator may mount, and a container may keep even that one from it. */
function mounted(size: string): string | undefined {
  const directory = freshFolder()
  mkdirSync(directory, { mode: 0o700 })
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', directory], { stdio: 'ignore' })
  } catch {
    return undefined
  }
  mounts.push(directory)
  return directory
}

describe('a disk', () => {
  test.for(['4k', '64k'])('of %s is too full to begin, which the error says', async (size, { skip }) => {
    const directory = mounted(size) ?? skip('Nobody may mount a disk here.')
    const ran = await command(['serve', '--port', '0', '--design', 'rebac'], directory)
    expect(ran).toMatchObject({ code: 2, signal: null, err: expect.stringMatching(/full: free some space, then try again\./) })
  })

  test('that is read-only is told', async ({ skip }) => {
    const directory = mounted('8m') ?? skip('Nobody may mount a disk here.')
    expect(await command(['setup', 'rebac'], directory)).toMatchObject({ code: 0 })
    execFileSync('mount', ['-o', 'remount,ro', directory])
    expect(await query(directory)).toMatchObject({
      code: 2,
      err: expect.stringContaining('is read-only: give yourself permission to write'),
    })
  })

  test('that becomes full is read and not written until there is room, and has each acknowledged write', async ({ skip }) => {
    const directory = mounted('8m') ?? skip('Nobody may mount a disk here.')
    const port = await freePort()
    const argv = ['serve', '--design', 'rebac', '--port', String(port), '--data', directory]
    const served = spawnCommand(argv, { module, cwd: dirname(directory) })
    await served.says('In another terminal:')
    const key = readFileSync(join(directory, 'first-key'), 'utf8').trim()
    const call = async (path: string, body?: object): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/v1/rebac/${path}`, {
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      })
    // Names of so many characters take new pages.
    const create = async (name: string) => (await call('flows/createUser', { displayName: `${name} ${'x'.repeat(200)}` })).status
    fill(join(directory, 'full'))
    const created: string[] = []
    let status = 200
    for (let count = 0; status === 200 && count < 2_000; count += 1) {
      status = await create(`User ${count}`)
      if (status === 200) created.push(`User ${count}`)
    }
    expect(status).toBe(503)
    expect(served.written.err).toMatch(/"status":503.*disk is full/)
    expect((await call('patterns/users?limit=1')).status).toBe(200)
    rmSync(join(directory, 'full'))
    expect(await create('After')).toBe(200)
    const { out } = await command(['query', 'rebac', 'users', '--all', '--json'], directory)
    expect([...created, 'After'].filter((name) => !out.includes(`"${name} x`))).toEqual([])
  })
})

/** Writes until nothing more is taken. */
function fill(path: string): void {
  for (const bytes of [65_536, 4_096, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes))
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }
}
