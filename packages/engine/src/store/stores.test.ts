import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { constants } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { open, type RootDatabaseOptionsWithPath } from 'lmdb'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { storageError } from './checked-file.ts'
import { LmdbStore } from './lmdb-store.ts'
import { MemoryStore } from './memory-store.ts'
import type { Row, Store } from './store.ts'

const opened: Store[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map((store) => store.close()))
})
function tracked<S extends Store>(store: S): S {
  opened.push(store)
  return store
}
const onDisk = (path = temporaryFolder()): LmdbStore => tracked(new LmdbStore(path))

describe.each([
  { name: 'on LMDB', store: () => onDisk() },
  { name: 'in memory', store: () => tracked(new MemoryStore()) },
])('a store $name', ({ store: make }) => {
  const bytes = fc
    .array(fc.constantFrom(0, 1, 97, 98, 127, 128, 254, 255), { minLength: 1, maxLength: 4 })
    .map((codes) => `k${String.fromCharCode(...codes)}`)
  const change = fc.record({ key: bytes, isPut: fc.boolean(), number: fc.nat() })

  test('gives the rows of every range in the order of their bytes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 20 }), bytes, bytes, async (changes, start, end) => {
        const store = make()
        const model = new Map<string, unknown>()
        await store.write((writing) => {
          for (const { key, isPut, number } of changes) {
            if (isPut) writing.put(key, [number])
            else writing.remove(key)
            if (isPut) model.set(key, [number])
            else model.delete(key)
          }
        })
        const expected: Row[] = [...model].filter(([key]) => key >= start && key < end).map(([key, value]) => ({ key, value }))
        expected.sort((a, b) => (a.key < b.key ? -1 : 1))
        const read = (isReverse: boolean) => store.read((reading) => [...reading.range({ start, end, isReverse })])
        expect(read(false)).toEqual(expected)
        expect(read(true)).toEqual(expected.toReversed())
        if (start <= end) expect(store.read((reading) => reading.count({ start, end }))).toBe(expected.length)
      }),
      { numRuns: 40 },
    )
  })

  test('reads within a write what the write has put, and writes nothing if the write throws first', async () => {
    const store = make()
    expect(
      await store.write((writing) => {
        writing.put('a', [1])
        return [writing.get('a'), [...writing.range({ start: 'a', end: 'b' })].length]
      }),
    ).toEqual([[1], 1])
    await expect(
      store.write(() => {
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(store.read((reading) => reading.get('a'))).toEqual([1])
  })

  test('keeps a member named __proto__, at any depth', async () => {
    const store = make()
    const value = JSON.parse('[5, {"a": {"M": {"__proto__": {"S": "x"}}}, "__proto__": {"N": "1"}}]')
    await store.write((writing) => writing.put('a', value))
    expect(JSON.stringify(store.read((reading) => reading.get('a')))).toBe(JSON.stringify(value))
  })

  test('is not changed by who changes what it gave', async () => {
    const store = make()
    await store.write((writing) => writing.put('a', [1, { b: { S: 'x' } }]))
    const change = (found: unknown): void => {
      Object.assign(Object(found)[1].b, { S: 'y' })
    }
    try {
      change(store.read((reading) => reading.get('a')))
    } catch (error) {
      expect(error).toBeInstanceOf(TypeError)
    }
    expect(store.read((reading) => reading.get('a'))).toEqual([1, { b: { S: 'x' } }])
  })
})

describe('a store on LMDB', () => {
  const filled = async (path: string): Promise<LmdbStore> => {
    const store = new LmdbStore(path)
    for (let at = 0; at < 50; at += 1) await store.write((writing) => writing.put(`k${at}`, ['x'.repeat(3_000)]))
    return store
  }

  test('keeps keys of the largest size, and its rows when it is opened anew', async () => {
    const path = temporaryFolder()
    const key = 'k'.repeat(2_700)
    const first = new LmdbStore(path)
    await first.write((writing) => writing.put(key, [1]))
    await first.close()
    expect(onDisk(path).read((reading) => reading.get(key))).toEqual([1])
  })

  test('is copied while it is written, and the copy is a store', async () => {
    const store = onDisk()
    await store.write((writing) => writing.put('a', [1]))
    const file = join(temporaryFolder(), 'copy.mdb')
    await Promise.all([store.backup(file), store.write((writing) => writing.put('b', [2]))])
    await expect(store.backup(file)).rejects.toThrow('exists. Give the name of a new file.')
    const elsewhere = join(file, 'copy.mdb')
    await expect(store.backup(elsewhere)).rejects.toMatchObject({ name: 'StorageError', file: elsewhere })
    expect(onDisk(file).read((reading) => reading.get('a'))).toEqual([1])
    const folder = temporaryFolder()
    await copyFile(file, join(folder, 'data.mdb'))
    expect(onDisk(folder).read((reading) => reading.get('a'))).toEqual([1])
  })

  test('of a later version is refused', async () => {
    const path = temporaryFolder()
    const store = new LmdbStore(path)
    await store.write((writing) => writing.put('\0format', 2))
    await store.close()
    expect(() => new LmdbStore(path)).toThrow(expect.objectContaining({ code: 'StorageNewer' }))
  })

  test.each([
    ['emptied', (file: string) => truncateSync(file, 0)],
    ['cut off within its first page', (file: string) => truncateSync(file, 100)],
    ['cut off after its first pages', (file: string) => truncateSync(file, 20_000)],
    ['cut in half', (file: string) => truncateSync(file, statSync(file).size / 2)],
    ['replaced by another', (file: string) => writeFileSync(file, Buffer.alloc(100_000, 'x'))],
  ])('whose file was %s is refused, and the file is left as it is', async (_, change) => {
    const path = temporaryFolder()
    const store = await filled(path)
    await store.close()
    const file = join(path, 'data.mdb')
    change(file)
    const found = readFileSync(file)
    expect(() => new LmdbStore(path)).toThrow(expect.objectContaining({ name: 'StorageError', code: 'StorageDamaged', file }))
    expect(readFileSync(file).equals(found)).toBe(true)
  })

  test('whose file lacks nothing but a free page at its end is opened', async () => {
    const path = temporaryFolder()
    const store = await filled(path)
    await store.close()
    const file = join(path, 'data.mdb')
    const { size } = statSync(file)
    truncateSync(file, size - 8192)
    expect(onDisk(path).read((reading) => reading.get('k49'))).toEqual(['x'.repeat(3_000)])
    expect(statSync(file).size).toBe(size)
  })
})

test.each([
  ['a full disk', constants.errno.ENOSPC, 'StorageFull'],
  ['a disk that is read-only', 'EROFS', 'StorageReadOnly'],
  ["a file of one's own that is read-only", constants.errno.EACCES, 'StorageReadOnly'],
  ['a page that is none', -30796, 'StorageDamaged'],
  ['too many readers', -30790, 'StorageFailed'],
])('%s is told as such', (_, code, told) => {
  const cause = Object.assign(new Error('failed'), { code })
  expect(storageError(join(temporaryFolder(), 'data.mdb'), cause)).toMatchObject({ code: told, cause })
})

test('writes that LMDB cannot even begin are told, and so are those that follow', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
  // lmdb's types lack its environment, which tells of a batch by a number. This is LMDB's own once it could not write one of its pages.
  type Env = { startWriting(address: unknown, done: (status: number) => void): unknown }
  let fails = false
  const failing = (options: RootDatabaseOptionsWithPath) => {
    const db = open(options)
    const { env } = db as unknown as { readonly env: Env }
    const start = env.startWriting
    const value: Env['startWriting'] = (address, done) => (fails ? setImmediate(() => done(-30795)) : start.call(env, address, done))
    Object.defineProperty(env, 'startWriting', { value, configurable: true })
    return db
  }
  // It takes the options of every `open`.
  const store = tracked(new LmdbStore(temporaryFolder(), failing as typeof open))
  const put = (key: string) =>
    store
      .write((writing) => writing.put(key, [1]))
      .then(
        () => 'written',
        ({ code }) => code,
      )
  expect(await put('a')).toBe('written')
  fails = true
  expect(await Promise.all([put('b'), put('c')])).toEqual(['StorageDamaged', 'StorageDamaged'])
  fails = false
  expect(await put('d')).toBe('StorageDamaged')
  expect(store.read((reading) => [reading.get('a'), reading.get('b')])).toEqual([[1], undefined])
  expect(printed).toHaveBeenCalled()
  printed.mockRestore()
})
