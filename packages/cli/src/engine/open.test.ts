import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { bundle } from '../../../../test/bundle.js'
import type { Opened } from '../../test/opener.ts'
import {
  binary,
  childrenOn,
  cleanUp,
  enginesOn,
  freshFolder,
  itemOf,
  keepWord,
  keptWord,
  open,
  openByNpm,
  portToUse,
} from '../../test/processes.ts'
import { readLock } from './lock.ts'
import { openEngine } from './open.ts'
import { markOf } from './process-mark.ts'

let opener: string
beforeAll(async () => {
  opener = await bundle(join(import.meta.dirname, '../../test/opener.ts'))
})
afterEach(cleanUp)
afterAll(() => rmSync(opener))

const within = { timeout: 10_000, interval: 20 }
const lockOf = (directory: string): string => join(directory, 'engine.json')

/** The engine that the opener got. Throws if it got an error. */
async function engineOf(opened: Promise<Opened>): Promise<{ endpoint: string; engine: number; attached: boolean }> {
  const got = await opened
  if ('code' in got || got.engine === undefined) throw new Error(JSON.stringify(got))
  return { ...got, engine: got.engine }
}

describe('an engine that was opened', () => {
  test('answers, and leaves nothing but its data and its folder when it is stopped', async () => {
    const directory = freshFolder()
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    await keepWord(engine.endpoint, 'hello')
    expect(await keptWord(engine.endpoint)).toEqual(itemOf('hello'))
    expect(readLock(lockOf(directory))).toMatchObject({ endpoint: engine.endpoint, engine: { pid: engine.pid() }, state: 'running' })
    expect(enginesOn(directory)).toEqual([engine.pid()])
    await engine.stop()
    expect(await engine.exited).toEqual({ reason: 'stopped' })
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'freehold.db'])
    await expect.poll(() => childrenOn(directory), within).toEqual([])
  })

  test('keeps its folder and its lock from other users', async () => {
    const directory = freshFolder()
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    expect(statSync(directory).mode & 0o777).toBe(0o700)
    expect(statSync(lockOf(directory)).mode & 0o777).toBe(0o600)
    await engine.stop()
  })

  test('keeps its data from other users, also in a folder that they may look into', async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    await keepWord(engine.endpoint, 'mine')
    for (const name of readdirSync(directory)) expect([name, statSync(join(directory, name)).mode & 0o077]).toEqual([name, 0])
    await engine.stop()
  })

  test('finds its data again', async () => {
    const directory = freshFolder()
    const first = await openEngine({ binary, directory, role: 'guest', name: 'freehold create' })
    await keepWord(first.endpoint, 'again')
    await first.stop()
    const second = await openEngine({ binary, directory, role: 'guest', name: 'freehold query' })
    expect(await keptWord(second.endpoint)).toEqual(itemOf('again'))
    await second.stop()
  })

  test('in memory has no folder, and no other command finds it', async () => {
    const directory = freshFolder()
    const one = await openEngine({ binary, directory, memory: true, role: 'owner', name: 'freehold local' })
    const two = await openEngine({ binary, directory, memory: true, role: 'owner', name: 'freehold local' })
    expect(two.endpoint).not.toBe(one.endpoint)
    expect(() => readdirSync(directory)).toThrow('ENOENT')
    await Promise.all([one.stop(), two.stop()])
  })

  test('listens on the port that was asked for', async () => {
    const port = await portToUse()
    const engine = await openEngine({ binary, directory: freshFolder(), port, role: 'owner', name: 'freehold local' })
    expect(engine.endpoint).toBe(`http://127.0.0.1:${port}`)
    await engine.stop()
  })

  test('that cannot start leaves no lock', async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    writeFileSync(join(directory, 'freehold.db'), 'no database at all, and longer than a header of one would be'.repeat(20))
    const opening = openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    await expect(opening).rejects.toMatchObject({ code: 'Unavailable', message: expect.stringContaining('not a valid SQLite database') })
    expect(readdirSync(directory)).toEqual(['freehold.db'])
  })
})

describe('a second command on the same data', () => {
  test('is refused as an owner, with what runs, where, and what to do', async () => {
    const directory = freshFolder()
    const first = open(opener, { directory })
    const { endpoint } = await engineOf(first.opened)
    const opening = openEngine({ binary, directory, role: 'owner', name: 'freehold serve' })
    await expect(opening).rejects.toMatchObject({ code: 'Unavailable', details: { endpoint, pid: first.process.pid } })
    const words = `\`freehold local\` (process ${first.process.pid}`
    await expect(opening).rejects.toThrow(words)
    await expect(opening).rejects.toThrow(`Use it with DYNAMODB_ENDPOINT=${endpoint}, or end it with \`kill ${first.process.pid}\``)
    expect(enginesOn(directory)).toHaveLength(1)
  })

  test('attaches as a guest, and leaves the engine running', async () => {
    const directory = freshFolder()
    const first = open(opener, { directory })
    const { endpoint, engine } = await engineOf(first.opened)
    await keepWord(endpoint, 'shared')
    const guest = await openEngine({ binary, directory, role: 'guest', name: 'freehold query' })
    expect(guest).toMatchObject({ attached: true, endpoint })
    expect(guest.pid()).toBe(engine)
    await guest.stop()
    expect(await guest.exited).toEqual({ reason: 'stopped' })
    expect(await keptWord(endpoint)).toEqual(itemOf('shared'))
    expect(readdirSync(directory).filter((name) => name.startsWith('guest-'))).toEqual([])
  })

  test('that attached to a brief command is not left without an engine when that is done', async () => {
    const directory = freshFolder()
    const first = open(opener, { directory, role: 'guest', name: 'freehold create' })
    const { endpoint } = await engineOf(first.opened)
    await keepWord(endpoint, 'held')
    const guest = await openEngine({ binary, directory, role: 'guest', name: 'freehold import' })
    expect(guest.attached).toBe(true)
    first.tell('stop')
    await expect
      .poll(() => first.said.join(), within)
      .toContain(`waiting for other commands that use this engine (processes ${process.pid})`)
    expect(await keptWord(guest.endpoint)).toEqual(itemOf('held'))
    await guest.stop()
    expect(await first.ended).toEqual({ code: 0, signal: null })
    expect(enginesOn(directory)).toEqual([])
  })

  test.each(['exit', 'SIGKILL'] as const)('that attached to a brief command and ended by %s is not waited for', async (how) => {
    const directory = freshFolder()
    const brief = await openEngine({ binary, directory, role: 'guest', name: 'freehold create' })
    const guest = open(opener, { directory, role: 'guest', name: 'freehold import' })
    expect(await engineOf(guest.opened)).toMatchObject({ attached: true, endpoint: brief.endpoint })
    if (how === 'exit') guest.tell('exit')
    else guest.process.kill(how)
    await guest.ended
    expect(readdirSync(directory).filter((name) => name.startsWith('guest-'))).toHaveLength(how === 'exit' ? 0 : 1)
    await brief.stop()
    expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'freehold.db'])
  })

  test('waits as an owner until a brief command is done, and then has the engine', async () => {
    const directory = freshFolder()
    const brief = open(opener, { directory, role: 'guest', name: 'freehold create' })
    const { engine } = await engineOf(brief.opened)
    const owner = open(opener, { directory })
    await expect.poll(() => owner.said.join(), within).toContain('Waiting for `freehold create`')
    brief.tell('stop')
    const own = await engineOf(owner.opened)
    expect(own.attached).toBe(false)
    expect(own.engine).not.toBe(engine)
    expect(enginesOn(directory)).toEqual([own.engine])
  })

  test.each([2, 6])('of %i at once as guests, one starts the engine and the others attach', async (count) => {
    const directory = freshFolder()
    const guests = Array.from({ length: count }, () => open(opener, { directory, role: 'guest', name: 'freehold can' }))
    const opened = await Promise.all(guests.map((guest) => engineOf(guest.opened)))
    expect(new Set(opened.map(({ endpoint }) => endpoint)).size).toBe(1)
    expect(opened.filter(({ attached }) => !attached)).toHaveLength(1)
    expect(enginesOn(directory)).toHaveLength(1)
    for (const guest of guests) guest.tell('stop')
    for (const guest of guests) expect(await guest.ended).toEqual({ code: 0, signal: null })
    expect(enginesOn(directory)).toEqual([])
  })

  test('of 4 at once as owners, one has the engine and the others are told so', async () => {
    const directory = freshFolder()
    const owners = Array.from({ length: 4 }, () => open(opener, { directory }))
    const opened = await Promise.all(owners.map((owner) => owner.opened))
    expect(opened.filter((got) => 'endpoint' in got)).toHaveLength(1)
    expect(opened.filter((got) => 'code' in got && got.code === 'Unavailable' && got.message.includes('is already running'))).toHaveLength(
      3,
    )
    expect(enginesOn(directory)).toHaveLength(1)
  })
})

describe('the end of the process', () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('by %s ends the engine, and tells the parent of the signal', async (signal) => {
    const directory = freshFolder()
    const owner = open(opener, { directory })
    await engineOf(owner.opened)
    owner.process.kill(signal)
    expect(await owner.ended).toEqual({ code: null, signal })
    expect(enginesOn(directory)).toEqual([])
    expect(readLock(lockOf(directory))).toBeUndefined()
    await expect.poll(() => childrenOn(directory), within).toEqual([])
  })

  test.each([
    ['exit', 3],
    ['throw', 1],
  ] as const)('by %s ends the engine', async (order, code) => {
    const directory = freshFolder()
    const owner = open(opener, { directory })
    await engineOf(owner.opened)
    owner.tell(order)
    expect(await owner.ended).toEqual({ code, signal: null })
    await expect.poll(() => childrenOn(directory), within).toEqual([])
  })

  test.each(['SIGINT', 'SIGKILL'] as const)('by %s that it does not handle ends the engine', async (signal) => {
    const directory = freshFolder()
    const owner = open(opener, { directory, handlesSignals: false })
    await engineOf(owner.opened)
    owner.process.kill(signal)
    await owner.ended
    await expect.poll(() => childrenOn(directory), within).toEqual([])
  })

  test('by SIGTERM while it waits for others to be done with its engine ends both at once', async () => {
    const directory = freshFolder()
    const brief = open(opener, { directory, role: 'guest', name: 'freehold create' })
    await engineOf(brief.opened)
    const guest = await openEngine({ binary, directory, role: 'guest', name: 'freehold import' })
    brief.tell('stop')
    await expect.poll(() => brief.said.join(), within).toContain('waiting for other commands')
    brief.process.kill('SIGTERM')
    expect(await brief.ended).toEqual({ code: null, signal: 'SIGTERM' })
    expect(enginesOn(directory)).toEqual([])
    await guest.stop()
  })

  test('by the kill of npm, which runs it, ends the engine', async () => {
    const directory = freshFolder()
    const { process: npm, opened } = openByNpm(opener, { directory })
    const { engine } = await engineOf(opened)
    const ended = once(npm, 'close')
    npm.kill('SIGTERM')
    await ended
    await expect.poll(() => childrenOn(directory), within).toEqual([])
    expect(() => process.kill(engine, 0)).toThrow('ESRCH')
  })

  test('by SIGKILL loses no data, and the next start runs the only engine', async () => {
    const directory = freshFolder()
    const killed = open(opener, { directory })
    const { endpoint, engine } = await engineOf(killed.opened)
    await keepWord(endpoint, 'safe')
    killed.process.kill('SIGKILL')
    await killed.ended
    const next = open(opener, { directory })
    const own = await engineOf(next.opened)
    expect(own.engine).not.toBe(engine)
    expect(enginesOn(directory)).toEqual([own.engine])
    expect(await keptWord(own.endpoint)).toEqual(itemOf('safe'))
  })
})

describe('what was left behind', () => {
  const nobody = { pid: 2 ** 22 - 1, born: 'long ago' }
  const left = { nonce: 'n', owner: nobody, name: 'freehold local', role: 'owner', state: 'running', startedAt: '2026-01-01T00:00:00Z' }

  test('an engine whose owner was killed is ended before another starts on its data', async () => {
    const directory = freshFolder()
    const killed = open(opener, { directory })
    const { endpoint } = await engineOf(killed.opened)
    await keepWord(endpoint, 'left')
    killed.tell('stop')
    await killed.ended
    // Started without us, as where no shell watches over it.
    const port = await portToUse()
    const orphan = spawn(binary, ['serve', '--port', String(port), '--db-path', join(directory, 'freehold.db')], { stdio: 'ignore' })
    const ended = once(orphan, 'exit')
    writeFileSync(lockOf(directory), JSON.stringify({ ...left, endpoint, engine: markOf(orphan.pid ?? 0) }))
    const said: string[] = []
    const engine = await openEngine({ binary, directory, role: 'guest', name: 'freehold query', log: (line) => said.push(line) })
    await ended
    expect(said).toEqual([`Ending an engine that was left behind (process ${orphan.pid}).`])
    expect(enginesOn(directory)).toEqual([engine.pid()])
    expect(await keptWord(engine.endpoint)).toEqual(itemOf('left'))
    await engine.stop()
  })

  test('a lock of a dead owner is taken over by one of 6 that start at once', async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    writeFileSync(lockOf(directory), JSON.stringify({ ...left, endpoint: 'http://127.0.0.1:1' }))
    const guests = Array.from({ length: 6 }, () => open(opener, { directory, role: 'guest', name: 'freehold can' }))
    const opened = await Promise.all(guests.map((guest) => engineOf(guest.opened)))
    expect(opened.filter(({ attached }) => !attached)).toHaveLength(1)
    expect(enginesOn(directory)).toHaveLength(1)
  })

  test('a process that was given the pid of such an engine is left alone', async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    writeFileSync(lockOf(directory), JSON.stringify({ ...left, engine: { pid: process.pid, born: 'before this one' } }))
    const said: string[] = []
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local', log: (line) => said.push(line) })
    expect(said).toEqual([])
    await engine.stop()
  })

  test("a lock whose owner's pid is another process now is taken over", async () => {
    const directory = freshFolder()
    mkdirSync(directory)
    writeFileSync(
      lockOf(directory),
      JSON.stringify({ ...left, owner: { pid: process.pid, born: 'before this one' }, endpoint: 'http://127.0.0.1:1' }),
    )
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    expect(readLock(lockOf(directory))).toMatchObject({ owner: { pid: process.pid }, endpoint: engine.endpoint })
    await engine.stop()
  })

  test.each(['', '{', 'null', '{"nonce":1}', '\u0000\u0000\u0000'])('a lock that is damaged to %j is taken over', async (content) => {
    const directory = freshFolder()
    mkdirSync(directory)
    writeFileSync(lockOf(directory), content)
    const engine = await openEngine({ binary, directory, role: 'owner', name: 'freehold local' })
    expect(readLock(lockOf(directory))?.endpoint).toBe(engine.endpoint)
    await engine.stop()
    expect(readLock(lockOf(directory))).toBeUndefined()
  })
})
