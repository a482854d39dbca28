import { statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { temporaryFolder } from '../../../../test/folders/temporary-folder.ts'
import { makeFolder } from './make-folder.ts'

let folder: string
beforeEach(() => {
  folder = temporaryFolder()
})

test('a folder is made with those above it, and only once', () => {
  const path = join(folder, 'a', 'b', 'c')
  expect(makeFolder(path, 0o700)).toBe(true)
  expect(statSync(path).mode & 0o777).toBe(0o700)
  expect(makeFolder(path, 0o700)).toBe(false)
  symlinkSync(path, join(folder, 'link'))
  expect(makeFolder(join(folder, 'link'))).toBe(false)
})

test.each([
  ['a file in its place', 'file', 'EEXIST'],
  ['a file above it', 'file/below', 'ENOTDIR'],
  ['a link that leads nowhere', 'nowhere', 'EEXIST'],
])('%s is refused', (_, name, code) => {
  writeFileSync(join(folder, 'file'), '')
  symlinkSync(join(folder, 'gone'), join(folder, 'nowhere'))
  expect(() => makeFolder(join(folder, name))).toThrow(expect.objectContaining({ code }))
})

test.runIf(process.platform === 'linux')('a file system that refuses every new folder is no endless wait', () => {
  expect(() => makeFolder('/proc/freehold/data')).toThrow(expect.objectContaining({ code: 'ENOENT' }))
})
