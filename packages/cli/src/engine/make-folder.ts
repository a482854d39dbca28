import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { hasCode } from './atomic-file.ts'

/**
 * Makes a folder and those above it that are missing. Node's own `recursive` never ends in a file system such as `/proc`, which answers "no such folder"
 * for a new folder in one that is there.
 * @returns true if it was not there
 * @throws the error of the file system: EEXIST for a file in its place
 */
export function makeFolder(path: string, mode?: number): boolean {
  const make = () => mkdirSync(path, mode === undefined ? {} : { mode })
  try {
    make()
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST') && statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return false
    const above = dirname(path)
    if (!hasCode(error, 'ENOENT') || existsSync(above)) throw error
    makeFolder(above, mode)
  }
  return makeFolder(path, mode)
}
