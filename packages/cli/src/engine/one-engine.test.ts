import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.js'
import { binary, cleanUp, enginesOn, freshFolder, itemOf, keepWord, keptWord, open, portToUse } from '../../test/processes.ts'
import { runEngine } from './engine-run.ts'
import { findFlock } from './folder-lock.ts'
import { holdersOf } from './holders.ts'
import { openEngine } from './open.ts'

let opener: string
beforeAll(async () => {
  opener = await bundle(join(import.meta.dirname, '../../test/opener.ts'))
})
const spawned: ChildProcess[] = []
afterEach(async () => {
  for (const child of spawned.splice(0)) child.kill('SIGKILL')
  await cleanUp()
})
afterAll(() => rmSync(opener))

const within = { timeout: 10_000, interval: 20 }
const lockOf = (directory: string): string => join(directory, 'engine.json')
const guest = { binary, role: 'guest', name: 'freehold query' } as const

/** An engine that another process runs, with a word in it. */
async function running(directory: string): Promise<{ endpoint: string; engine: number }> {
  const got = await open(opener, { directory }).opened
  if ('code' in got || got.engine === undefined) throw new Error(JSON.stringify(got))
  await keepWord(got.endpoint, 'only')
  return { endpoint: got.endpoint, engine: got.engine }
}

/** Damage to the lock by a person, a full disk or another program. */
const damages: readonly (readonly [string, (path: string) => void])[] = [
  ['is emptied', (path) => writeFileSync(path, '')],
  ['is cut', (path) => writeFileSync(path, readFileSync(path).subarray(0, 40))],
  ['holds no JSON', (path) => writeFileSync(path, '\u0000\u0000\u0000')],
  ['holds another shape', (path) => writeFileSync(path, '{"nonce":1}')],
  ['names an owner that is gone', (path) => writeFileSync(path, gone(path))],
  ['is deleted', (path) => rmSync(path)],
]

/** The record of an owner that died before it had an engine. */
function gone(path: string): string {
  const { engine: _, endpoint: __, ...record } = JSON.parse(readFileSync(path, 'utf8'))
  return JSON.stringify({ ...record, owner: { pid: process.pid, born: 'before this one' } })
}

describe('beside an engine that runs', () => {
  test.each(damages)('there is no second one when its lock %s', async (_, damage) => {
    const directory = freshFolder()
    const { endpoint, engine } = await running(directory)
    damage(lockOf(directory))
    const opening = openEngine({ ...guest, directory })
    await expect(opening).rejects.toMatchObject({ code: 'Unavailable', details: { pids: [engine] } })
    await expect(opening).rejects.toThrow(`end it with \`kill ${engine}\``)
    expect(enginesOn(directory)).toEqual([engine])
    expect(await keptWord(endpoint)).toEqual(itemOf('only'))
  })

  test('there is no second one when 4 owners start at once and its lock is damaged', async () => {
    const directory = freshFolder()
    const { engine } = await running(directory)
    writeFileSync(lockOf(directory), '{')
    const others = await Promise.all(Array.from({ length: 4 }, () => open(opener, { directory }).opened))
    expect(others.filter((got) => !('code' in got))).toEqual([])
    expect(enginesOn(directory)).toEqual([engine])
  })

  test('that nobody has on record there is no second one', async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    const data = join(directory, 'freehold.db')
    const byHand = spawn(binary, ['serve', '--port', String(await portToUse()), '--db-path', data], { stdio: 'ignore' })
    spawned.push(byHand)
    await expect.poll(() => holdersOf(`${data}-shm`), within).toEqual([byHand.pid])
    await expect(openEngine({ ...guest, directory })).rejects.toMatchObject({ details: { pids: [byHand.pid] } })
    expect(enginesOn(directory)).toEqual([byHand.pid])
  })
})

test('of 4 owners that start at once while someone damages the lock all the time, one has an engine', async () => {
  const directory = freshFolder()
  mkdirSync(directory)
  const path = lockOf(directory)
  const opening = Promise.all(Array.from({ length: 4 }, () => open(opener, { directory }).opened))
  let isEnded = false
  const all = opening.finally(() => {
    isEnded = true
  })
  for (let turn = 0; !isEnded; turn += 1) {
    if (turn % 2 === 0) writeFileSync(path, '{')
    else rmSync(path, { force: true })
    // The output of the others is read meanwhile.
    await new Promise((resolve) => setImmediate(resolve))
  }
  const opened = await all
  expect(opened.filter((got) => !('code' in got))).toHaveLength(1)
  expect(enginesOn(directory)).toHaveLength(1)
})

test.skipIf(findFlock() === undefined)(
  'an engine that has not opened its file yet keeps others out, though there is no lock file',
  async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    const slow = join(directory, 'slow')
    writeFileSync(slow, '#!/bin/sh\nexec sleep 60\n')
    chmodSync(slow, 0o700)
    const run = runEngine({ binary: slow, data: join(directory, 'freehold.db'), port: await portToUse() })
    await expect.poll(() => holdersOf(directory), within).toEqual([run.pid])
    await expect(openEngine({ ...guest, directory })).rejects.toMatchObject({ details: { pids: [run.pid] } })
    run.kill()
    await run.ended
    const engine = await openEngine({ ...guest, directory })
    expect(enginesOn(directory)).toEqual([engine.pid()])
    await engine.stop()
  },
)

test('an owner whose lock was damaged does not start its engine again: another may have the folder', async () => {
  const directory = freshFolder()
  const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
  writeFileSync(lockOf(directory), '{')
  process.kill(engine.pid() ?? 0, 'SIGKILL')
  expect(await engine.exited).toMatchObject({
    reason: 'failed',
    error: { code: 'Unavailable', message: expect.stringContaining('was deleted, damaged or replaced: start again.') },
  })
  expect(enginesOn(directory)).toEqual([])
})

test('an engine that dies with its owner is waited for, though the lock is gone', async () => {
  const directory = freshFolder()
  const killed = open(opener, { directory })
  await killed.opened
  killed.process.kill('SIGKILL')
  rmSync(lockOf(directory))
  const engine = await openEngine({ ...guest, directory })
  expect(enginesOn(directory)).toEqual([engine.pid()])
  await engine.stop()
})

/** The tools by which it is seen, of which this machine may lack one. */
const platforms = [
  ['linux', '/proc/self/fd'],
  ['darwin', '/usr/bin/lsof'],
] as const

test.for(platforms)('who has a file open is seen as on %s', async ([platform, tool], { skip }) => {
  skip(!existsSync(tool), `There is no ${tool}.`)
  const directory = freshFolder()
  mkdirSync(directory)
  const file = join(directory, 'open')
  writeFileSync(file, '')
  expect(holdersOf(file, platform)).toEqual([])
  const reader = spawn('/bin/sh', ['-c', 'exec 9<"$1"; echo open; exec sleep 60', 'sh', file], { stdio: ['ignore', 'pipe', 'ignore'] })
  spawned.push(reader)
  await once(reader.stdout, 'data')
  expect(holdersOf(file, platform)).toEqual([reader.pid])
})
