import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cannotWrite, replaceAtomically } from '../engine/atomic-file.ts'
import { makeDataFolder } from '../engine/data-folder.ts'
import type { Closing } from './closing.ts'

/** A folder that goes when the server ends, as data in memory does. */
export function temporaryFolder(opened: Closing): string {
  const folder = mkdtempSync(join(tmpdir(), 'freehold-'))
  opened.add(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/**
 * Keeps the first key in a file that only this user may read, and returns its path. Where stdout is no terminal it is a log, which lives longer than
 * the key should and which others read.
 *
 * @param directory the data folder, or undefined without one (`--memory`): the file then goes when the server ends, as the key does.
 * @throws Unavailable if the file cannot be written: `serve --new-key` makes another key.
 */
export function keepFirstKey(text: string, directory: string | undefined, opened: Closing): string {
  const folder = directory ?? temporaryFolder(opened)
  const path = join(folder, 'first-key')
  try {
    if (directory !== undefined) makeDataFolder(directory)
    replaceAtomically(path, `${text}\n`)
    return path
  } catch (error) {
    throw cannotWrite(`The first key in ${path}`, error)
  }
}
