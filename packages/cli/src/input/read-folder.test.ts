import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { folder } from '../../test/recorded-shell.ts'
import { readFolder } from './read-folder.ts'

const takes = (name: string) => name.endsWith('.cedar')
const read = (path: string) => readFolder({ cwd: '/' }, path, takes)

test('reads the texts of the files that are asked for, in the order of their names', async () => {
  const path = folder({ 'b.cedar': 'b', 'a.cedar': '\ufeffé', 'c.txt': 'c', '.d.cedar': 'd' })
  expect([...(await read(path))]).toEqual([
    ['a.cedar', 'é'],
    ['b.cedar', 'b'],
  ])
})

test('follows links, of files and of the folder', async () => {
  const [path, elsewhere] = [folder(), folder({ text: 'linked' })]
  symlinkSync(join(elsewhere, 'text'), join(path, 'a.cedar'))
  const link = join(elsewhere, 'folder')
  symlinkSync(path, link)
  expect([...(await read(link))]).toEqual([['a.cedar', 'linked']])
})

describe('refuses, without waiting', () => {
  test.each([
    ['a folder that is not there', () => '/nowhere/at/all', /^The folder \/nowhere\/at\/all cannot be read: it does not exist\.$/],
    ['a folder without a name', () => '', /no valid name/],
    ['a name with NUL', () => 'a\0b', /no valid name/],
    ['a file in place of the folder', () => join(folder({ a: '' }), 'a'), /cannot be read: it is a file, or lies in one\.$/],
    [
      'a file that is longer than a mebibyte',
      () => {
        const path = folder({ 'a.cedar': '' })
        truncateSync(join(path, 'a.cedar'), 1_048_577)
        return path
      },
      /a\.cedar is longer than 1048576 bytes/,
    ],
    [
      'files that have too many bytes together',
      () => folder(Object.fromEntries(Array.from({ length: 5 }, (_, index) => [`${index}.cedar`, ' '.repeat(1_000_000)]))),
      /more than 4194304 bytes/,
    ],
    [
      'too many files',
      () => folder(Object.fromEntries(Array.from({ length: 1_001 }, (_, index) => [`${index}.cedar`, '']))),
      /more than 1000 such files/,
    ],
    [
      'a pipe',
      () => {
        const path = folder()
        execFileSync('mkfifo', [join(path, 'a.cedar')])
        return path
      },
      /a\.cedar is no file/,
    ],
    [
      'a device behind a link',
      () => {
        const path = folder()
        symlinkSync('/dev/zero', join(path, 'a.cedar'))
        return path
      },
      /a\.cedar is no file/,
    ],
    [
      'a link to itself',
      () => {
        const path = folder()
        symlinkSync('a.cedar', join(path, 'a.cedar'))
        return path
      },
      /a\.cedar is a symbolic link that leads to itself/,
    ],
    [
      'a folder in place of a file',
      () => {
        const path = folder()
        mkdirSync(join(path, 'a.cedar'))
        return path
      },
      /a\.cedar (is no file|cannot be read)/,
    ],
    [
      'bytes that are not UTF-8',
      () => {
        const path = folder()
        writeFileSync(join(path, 'a.cedar'), Buffer.from([0x70, 0x0a, 0xff, 0xfe]))
        return path
      },
      /a\.cedar is not UTF-8 \(line 2\)/,
    ],
  ])('%s', async (_, made, message) => {
    await expect(read(made())).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringMatching(message) })
  })
})
