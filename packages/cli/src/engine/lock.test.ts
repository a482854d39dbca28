import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { cleanUp, freshFolder } from '../../test/processes.ts'
import { makeDataFolder } from './data-folder.ts'
import { type HeldLock, readLock, takeLock } from './lock.ts'
import { markOf } from './process-mark.ts'

afterEach(cleanUp)

function freshLock(): string {
  const directory = freshFolder()
  makeDataFolder(directory)
  return join(directory, 'engine.json')
}

const owner = { name: 'freehold local', role: 'owner', hasFolderLock: true } as const
const gone = { pid: process.pid, born: 'before this one' }

function taken(path: string): HeldLock {
  const { held } = takeLock(path, owner)
  if (held === undefined) throw new Error('The lock is held.')
  return held
}

test('a lock that is held is not taken, and tells who holds it', () => {
  const path = freshLock()
  const held = taken(path)
  held.update({ endpoint: 'http://127.0.0.1:8000', state: 'running' })
  expect(takeLock(path, owner)).toEqual({ held: undefined, holder: held.record() })
  expect(held.record()).toMatchObject({ owner: markOf(process.pid), endpoint: 'http://127.0.0.1:8000', state: 'running' })
})

test('a lock that was released is taken again', () => {
  const path = freshLock()
  taken(path).release()
  expect(readLock(path)).toBeUndefined()
  taken(path)
})

test('who takes over from a dead owner learns of its engine, and keeps it on record until there is another', () => {
  const path = freshLock()
  const first = taken(path)
  first.update({ engine: { pid: 4, born: 'then' }, endpoint: 'http://127.0.0.1:8000', state: 'running' })
  writeFileSync(path, JSON.stringify({ ...first.record(), owner: gone }))
  const heir = taken(path)
  expect(heir.record()).toMatchObject({ state: 'starting', engine: { pid: 4, born: 'then' } })
  expect(heir.record()).not.toHaveProperty('endpoint')
  expect(readLock(path)).toEqual(heir.record())
  expect(readdirSync(join(path, '..')).sort()).toEqual(['.gitignore', 'engine.json'])
})

test('a lock is taken over also when an earlier taking over was killed midway', () => {
  const path = freshLock()
  const left = JSON.stringify({ ...taken(path).record(), owner: gone })
  writeFileSync(path, left)
  writeFileSync(`${path}.next`, left)
  expect(taken(path).record().owner).toEqual(markOf(process.pid))
  expect(readdirSync(join(path, '..')).sort()).toEqual(['.gitignore', 'engine.json'])
})

test('while another takes a dead lock over, it is not taken', () => {
  const path = freshLock()
  const other = taken(`${path}.next`)
  writeFileSync(path, JSON.stringify({ ...other.record(), nonce: 'dead', owner: gone }))
  expect(takeLock(path, owner)).toEqual({ held: undefined, holder: other.record() })
})

test('a lock that someone else put in the place of ours is neither changed nor removed', () => {
  const path = freshLock()
  const held = taken(path)
  const other = JSON.stringify({ ...held.record(), nonce: 'of another' })
  writeFileSync(path, other)
  held.update({ state: 'running' })
  held.release()
  expect(readFileSync(path, 'utf8')).toBe(other)
})

test('a lock that leads to another machine is none: it came with a folder that someone else made', () => {
  const path = freshLock()
  for (const endpoint of ['http://evil.example:8000', 'http://127.0.0.1.evil.example:8000', 'http://127.0.0.1:8000@evil.example']) {
    writeFileSync(
      path,
      JSON.stringify({ ...owner, nonce: 'theirs', owner: { pid: process.pid }, state: 'running', startedAt: '', endpoint }),
    )
    expect(readLock(path)).toBeUndefined()
    taken(path).release()
  }
})

test.each(['', '{', 'null', '{"nonce":1}'])('a lock that is damaged to %j is kept where the folder has no other lock', (content) => {
  const path = freshLock()
  writeFileSync(path, content)
  expect(() => takeLock(path, { ...owner, hasFolderLock: false })).toThrow(`The lock ${path} is damaged`)
  expect(readFileSync(path, 'utf8')).toBe(content)
})

test('who takes over from an owner that died while it made the data file learns that there was none', () => {
  const path = freshLock()
  const first = taken(path)
  first.update({ isNew: true })
  writeFileSync(path, JSON.stringify({ ...first.record(), owner: gone }))
  expect(taken(path).record().isNew).toBe(true)
})

test('a lock knows that it was deleted, damaged or replaced', () => {
  const path = freshLock()
  const held = taken(path)
  expect(held.isMine()).toBe(true)
  writeFileSync(path, '{')
  expect(held.isMine()).toBe(false)
})

test('a lock in a folder that is not there is Unavailable', () => {
  expect(() => takeLock(join(freshFolder(), 'engine.json'), owner)).toThrow(expect.objectContaining({ code: 'Unavailable' }))
})
