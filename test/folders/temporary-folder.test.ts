import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { expect, inject, test } from 'vitest'
import { beginFolders, temporaryFolder } from './temporary-folder.ts'

test('folders go with their test file, each time that one ends', () => {
  for (const name of ['one', 'next']) {
    const end = beginFolders(inject('folderOfRun'))
    const folder = temporaryFolder({ [`below/${name}`]: name })
    expect(readFileSync(join(folder, 'below', name), 'utf8')).toBe(name)
    end()
    expect(existsSync(folder)).toBe(false)
  }
})

test("a test file fails by what it leaves in the system's temporary folder, also in another process", () => {
  const before = tmpdir()
  const end = beginFolders(inject('folderOfRun'))
  const left = [mkdtempSync(join(tmpdir(), 'left-')), join(tmpdir(), 'said')]
  execFileSync(process.execPath, ['-e', "require('node:fs').writeFileSync(require('node:os').tmpdir() + '/said', '')"])
  expect(end).toThrow(/^Left in the system's temporary folder: left-\w{6}, said\./)
  expect(left.filter(existsSync)).toEqual([])
  expect(tmpdir()).toBe(before)
})

test('the folders of a test file stand in that of the run', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'kept'), '')
  expect(folder.startsWith(inject('folderOfRun') + sep)).toBe(true)
  expect(readdirSync(tmpdir())).toEqual([])
})
