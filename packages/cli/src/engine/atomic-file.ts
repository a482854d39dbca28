import { randomBytes } from 'node:crypto'
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'

/**
 * Creates a file that only its owner may read. A reader never sees it half written, and of several processes that create it at once exactly
 * one gets `true`. A hard link gives both guarantees; exclusive opening would show an empty file first.
 */
export function createAtomically(path: string, content: string): boolean {
  const temporary = written(path, content)
  try {
    linkSync(temporary, path)
    return true
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

/** Replaces or creates a file. A reader sees either the old content or the new. */
export function replaceAtomically(path: string, content: string): void {
  const temporary = written(path, content)
  try {
    renameSync(temporary, path)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** The code of an error of the file system, such as ENOENT; an empty text for another error. */
export const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** True for an error of the file system with this code. */
export const hasCode = (error: unknown, code: string): boolean => codeOf(error) === code

/** The limit of the disk, of a user's quota, or of the size of one process's files. */
const fullCodes = ['ENOSPC', 'EDQUOT', 'EFBIG']

export function isDiskFull(error: unknown): boolean {
  return fullCodes.some((code) => hasCode(error, code))
}

/** The error for a file that could not be written, with advice. */
export function cannotWrite(what: string, cause: unknown): FreeholdError {
  const message = isDiskFull(cause)
    ? `${what} cannot be written, since the disk is full: free some space, then try again.`
    : `${what} cannot be written: its folder must be on a writable disk.`
  return new FreeholdError('Unavailable', message, {}, { cause })
}

/** Writes a file. On a full disk the file may be created without its content, so it is deleted again. */
function written(path: string, content: string): string {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  try {
    writeFileSync(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
  return temporary
}
