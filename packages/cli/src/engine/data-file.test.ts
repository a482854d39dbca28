import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { binary, cleanUp, enginesOn, freshFolder, itemOf, keepWord, keptWord } from '../../test/processes.ts'
import { checkDataFile } from './data-file.ts'
import { openEngine } from './open.ts'

afterEach(cleanUp)

const owner = { binary, role: 'owner', name: 'freehold local' } as const

/** The path of a data file in a folder that holds these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const directory = freshFolder()
  mkdirSync(directory, { mode: 0o700 })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content, { mode: 0o600 })
  return join(directory, 'freehold.db')
}

/** A folder whose engine was stopped, with a word in its data. */
async function keptFolder(): Promise<string> {
  const directory = freshFolder()
  const engine = await openEngine({ ...owner, directory })
  await keepWord(engine.endpoint, 'kept')
  await engine.stop()
  return directory
}

const valid = 'SQLite format 3\0 and more'

describe('a data file', () => {
  test.each([
    ['does not exist', {}],
    ['is not there, and a secret is', { secret: 'x' }],
    ['is not there, and the lock of a dead owner is', { 'engine.json': '{}' }],
    ['is not there, and an empty log is', { 'freehold.db-wal': '' }],
  ])('that %s is new', (_, files) => {
    expect(checkDataFile(folderOf(files))).toBe(true)
  })

  test('that has the header of SQLite is not new', () => {
    expect(checkDataFile(folderOf({ 'freehold.db': valid }))).toBe(false)
  })

  test.each([
    ['is empty', { 'freehold.db': '' }, 'is empty, although it had data.'],
    ['is cut within its header', { 'freehold.db': 'SQLite' }, 'was overwritten'],
    ['holds something else', { 'freehold.db': 'no database at all' }, 'was overwritten'],
    ['is zeros', { 'freehold.db': '\0'.repeat(4096) }, 'was overwritten'],
    ['is gone from beside its log', { 'freehold.db-wal': 'frames' }, 'is gone, but its log'],
  ])('that %s is refused, with what to do', (_, files, words) => {
    const path = folderOf(files)
    expect(() => checkDataFile(path)).toThrow(words)
    expect(() => checkDataFile(path)).toThrow(`Restore the folder from a backup. To start without the data, move ${path} away`)
  })

  test('that a start was about to make may be empty', () => {
    expect(checkDataFile(folderOf({ 'freehold.db': '', 'freehold.db-wal': 'frames' }), { isBeingMade: true })).toBe(true)
  })

  test('that an engine has worked on must be there', () => {
    expect(() => checkDataFile(folderOf({}), { isThere: true })).toThrow('is gone.')
  })
})

test('an engine does not start on data that was emptied, and leaves everything as it is', async () => {
  const directory = await keptFolder()
  const path = join(directory, 'freehold.db')
  truncateSync(path)
  writeFileSync(`${path}-wal`, 'what was written last', { mode: 0o600 })
  await expect(openEngine({ ...owner, directory })).rejects.toMatchObject({ code: 'Unavailable', details: { path } })
  expect(readdirSync(directory).sort()).toEqual(['.gitignore', 'freehold.db', 'freehold.db-wal'])
  expect(readFileSync(`${path}-wal`, 'utf8')).toBe('what was written last')
})

test('an engine that dies is not started again on data that was emptied meanwhile', async () => {
  const directory = await keptFolder()
  const engine = await openEngine({ ...owner, directory })
  truncateSync(join(directory, 'freehold.db'))
  process.kill(engine.pid() ?? 0, 'SIGKILL')
  expect(await engine.exited).toMatchObject({ reason: 'failed', error: { message: expect.stringContaining('is empty') } })
  expect(enginesOn(directory)).toEqual([])
})

test('a first start that could not write the header leaves nothing that looks like lost data', async () => {
  const directory = freshFolder()
  mkdirSync(directory, { mode: 0o700 })
  const full = join(directory, 'full')
  // As the engine on a full disk: it makes the file, and cannot write to it.
  writeFileSync(full, '#!/bin/sh\nfor last; do :; done\n: > "$last"\necho "database or disk is full" >&2\nexit 1\n')
  chmodSync(full, 0o700)
  await expect(openEngine({ ...owner, binary: full, directory })).rejects.toThrow('database or disk is full')
  expect(readdirSync(directory)).toEqual(['full'])
  const engine = await openEngine({ ...owner, directory })
  await keepWord(engine.endpoint, 'first')
  expect(await keptWord(engine.endpoint)).toEqual(itemOf('first'))
  await engine.stop()
})

test('a first start that was killed before it wrote the header is done again', async () => {
  const record = {
    nonce: 'killed',
    name: 'freehold local',
    role: 'owner',
    owner: { pid: process.pid, born: 'before this one' },
    state: 'starting',
    startedAt: '2026-01-01T00:00:00Z',
  }
  const path = folderOf({ 'freehold.db': '', 'engine.json': JSON.stringify({ ...record, isNew: true }) })
  const directory = join(path, '..')
  const engine = await openEngine({ ...owner, directory })
  expect(statSync(path).size).toBeGreaterThan(0)
  await engine.stop()
  rmSync(path)
  writeFileSync(path, '', { mode: 0o600 })
  writeFileSync(join(directory, 'engine.json'), JSON.stringify(record), { mode: 0o600 })
  await expect(openEngine({ ...owner, directory })).rejects.toThrow('is empty')
})
