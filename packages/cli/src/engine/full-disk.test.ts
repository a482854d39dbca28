import { execFile, execFileSync } from 'node:child_process'
import { appendFileSync, chmodSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.js'
import { childrenOn, cleanUp, freshFolder, open, portToUse } from '../../test/processes.ts'
import { bundleCommand, endSpawned, spawnCommand } from '../../test/spawned.ts'
import { isDiskFull } from './atomic-file.ts'
import { openEngine } from './open.ts'

let module: string
let opener: string
beforeAll(async () => {
  module = await bundleCommand()
  opener = await bundle(join(import.meta.dirname, '../../test/opener.ts'))
}, 60_000)
const mounts: string[] = []
afterEach(async () => {
  await endSpawned()
  for (const path of mounts.splice(0)) execFileSync('umount', ['-l', path])
  await cleanUp()
})
afterAll(() => {
  rmSync(module)
  rmSync(opener)
})

/** The limit of each test: an operator waits no longer for a start. */
const start_ms_max = 10_000

/** Serves in a folder, where no file may have more than so many blocks of 512 bytes: what is beyond is refused as by a full disk. */
function serveWithin(blocks: number, directory: string): Promise<{ code: unknown; err: string }> {
  const argv = [process.execPath, module, 'serve', '--port', '0', '--data', directory]
  const cwd = dirname(directory)
  return new Promise((resolve) => {
    execFile(
      '/bin/sh',
      ['-c', 'ulimit -f "$1"; shift; exec "$@"', 'sh', String(blocks), ...argv],
      { cwd, env: { PATH: process.env.PATH } },
      (error, _, err) => resolve({ code: error?.code, err }),
    )
  })
}

test('a lock that a full disk does not take leaves nothing behind', async () => {
  const directory = freshFolder()
  mkdirSync(directory, { mode: 0o700 })
  const { code, err } = await serveWithin(0, directory)
  const words = `The lock ${join(directory, 'engine.json')} cannot be written, since the disk is full: free some space, then try again.`
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(words) })
  expect(readdirSync(directory)).toEqual([])
})

/** 0: not even the lock. 4: the lock, and no engine. 100 and 600: an engine, and none or some of its tables. */
test.each([0, 4, 100, 600])(
  'a start that may write files of %i blocks ends with an error that says what to do',
  async (blocks) => {
    const directory = freshFolder()
    const { code, err } = await serveWithin(blocks, directory)
    expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/^freehold: .*\. \(Unavailable\)$/m) })
    expect(readdirSync(directory).filter((name) => name.endsWith('.tmp') || name === 'engine.json')).toEqual([])
    expect(childrenOn(directory)).toEqual([])
  },
  start_ms_max,
)

test(
  'an engine that begins and never answers ends in an error',
  async () => {
    const directory = freshFolder()
    mkdirSync(directory, { mode: 0o700 })
    const mute = join(directory, 'mute')
    writeFileSync(mute, '#!/bin/sh\nexec sleep 60\n')
    chmodSync(mute, 0o700)
    const opening = openEngine({ binary: mute, directory, role: 'owner', name: 'freehold serve' })
    await expect(opening).rejects.toThrow('The embedded engine does not answer after 6 s')
  },
  start_ms_max,
)

const limits = '/usr/bin/prlimit'

test.skipIf(!existsSync(limits))(
  'a command whose disk became full meanwhile ends its engine, and does not wait for ever',
  async () => {
    const directory = freshFolder()
    const brief = open(opener, { directory, role: 'guest', name: 'freehold create' })
    await brief.opened
    execFileSync(limits, ['--pid', String(brief.process.pid), '--fsize=0'])
    brief.tell('stop')
    expect(await brief.ended).toEqual({ code: 0, signal: null })
    expect(childrenOn(directory)).toEqual([])
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'freehold.db'])
  },
  start_ms_max,
)

/** Only an administrator may mount, and a container may keep even that one from it. */
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

test.for(['4k', '64k', '512k'])('a start on a disk of %s says that it is full', { timeout: start_ms_max }, async (size, { skip }) => {
  const directory = mounted(size) ?? skip('Nobody may mount a disk here.')
  const { code, err } = await serveWithin(1_000_000, directory)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringMatching(/is full: .*[Ff]ree some space, then try again\. \(Unavailable\)/) })
})

/** Writes until nothing more is taken. */
function fill(directory: string): string {
  const path = join(directory, 'full')
  for (const bytes of [65_536, 1]) {
    try {
      for (;;) appendFileSync(path, Buffer.alloc(bytes))
    } catch (error) {
      if (!isDiskFull(error)) throw error
    }
  }
  return path
}

test('a server whose disk becomes full reads and does not write, and says so of its health', { timeout: 30_000 }, async ({ skip }) => {
  const directory = mounted('8m') ?? skip('Nobody may mount a disk here.')
  const port = await portToUse()
  const argv = ['serve', '--design', 'rebac', '--port', String(port), '--data', directory]
  const served = spawnCommand(argv, { module, cwd: dirname(directory) })
  await served.says('In another terminal:')
  const health = async (): Promise<unknown> => (await fetch(`http://127.0.0.1:${port}/health`)).json()
  expect(await health()).toEqual({ status: 'ok', reading: 'ok', writing: 'ok' })
  const path = fill(directory)
  const within = { timeout: 10_000, interval: 100 }
  await expect.poll(health, within).toMatchObject({ status: 503, reading: 'ok', writing: 'failed' })
  expect(served.written.err).toMatch(/"route":"\/health","status":503.*"cause":\{.*disk is full/)
  rmSync(path)
  await expect.poll(health, within).toEqual({ status: 'ok', reading: 'ok', writing: 'ok' })
})
