import { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { freshFolder } from '../../test/processes.ts'
import { openData } from './open-data.ts'
import { readSecret } from './secret.ts'

const secret = 'a secret of more than 16 characters\n'
const isRoot = process.getuid?.() === 0
const hasModes = process.getuid !== undefined

/** A folder with a data file, or with a secret. */
function folderWith(name: string, content: string): { directory: string; path: string } {
  const directory = freshFolder()
  mkdirSync(directory, { mode: 0o700 })
  const path = join(directory, name)
  writeFileSync(path, content, { mode: 0o600 })
  return { directory, path }
}

const openOn = (directory: string) => openData({ directory, memory: false })

describe.skipIf(!hasModes)('what others may change', () => {
  test.each(['770', '702', '777'])('a folder of mode %s is refused, with its data and for its secret', async (mode) => {
    const { directory } = folderWith('secret', secret)
    chmodSync(directory, Number.parseInt(mode, 8))
    const words = `may be written by others (mode 0${mode}): correct that with \`chmod go-w ${directory}\`.`
    await expect(openOn(directory)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringContaining(words) })
    expect(() => readSecret({}, directory)).toThrow(words)
  })

  test('a folder that others may only look into is not refused', async () => {
    const { directory } = folderWith('secret', secret)
    chmodSync(directory, 0o755)
    await (await openOn(directory)).close()
    expect(readSecret({}, directory)).toBe(secret.trim())
  })

  test.each(['660', '602'])('a data file of mode %s is refused', async (mode) => {
    const { directory, path } = folderWith('data.mdb', '')
    chmodSync(path, Number.parseInt(mode, 8))
    await expect(openOn(directory)).rejects.toMatchObject({ code: 'InvalidInput', message: expect.stringContaining(`chmod go-w ${path}`) })
  })

  test('what is made is written by its owner alone, whatever files of the user are', async () => {
    const before = process.umask(0o002)
    try {
      const directory = freshFolder()
      await (await openOn(directory)).close()
      expect(statSync(directory).mode & 0o777).toBe(0o700)
      expect(statSync(join(directory, 'data.mdb')).mode & 0o777).toBe(0o600)
      await (await openOn(directory)).close()
    } finally {
      process.umask(before)
    }
  })

  test.each(['640', '604', '620', '602', '610'])('a secret of mode %s is refused, and kept', (mode) => {
    const { directory, path } = folderWith('secret', secret)
    chmodSync(path, Number.parseInt(mode, 8))
    expect(() => readSecret({}, directory)).toThrow(
      expect.objectContaining({ code: 'InvalidInput', message: expect.stringContaining(`correct that with \`chmod 600 ${path}\``) }),
    )
    expect((statSync(path).mode & 0o777).toString(8)).toBe(mode)
  })
})

// Only the administrator may give a file away.
describe.skipIf(!isRoot)('what belongs to another user', () => {
  const other = 4711

  test('a folder is refused, with its data and for its secret', async () => {
    const { directory } = folderWith('secret', secret)
    chownSync(directory, other, other)
    const words = `The data folder ${directory} belongs to another user (uid ${other}): make it yours with \`chown 0 ${directory}\``
    await expect(openOn(directory)).rejects.toThrow(words)
    expect(() => readSecret({}, directory)).toThrow(words)
  })

  test('a data file is refused', async () => {
    const { directory, path } = folderWith('data.mdb', '')
    chownSync(path, other, other)
    await expect(openOn(directory)).rejects.toThrow(`chown 0 ${path}`)
  })

  test('a secret is refused', () => {
    const { directory, path } = folderWith('secret', secret)
    chownSync(path, other, other)
    expect(() => readSecret({}, directory)).toThrow(`The secret in ${path} belongs to another user (uid ${other})`)
  })
})
