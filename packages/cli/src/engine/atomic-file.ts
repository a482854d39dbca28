import { randomBytes } from 'node:crypto'
import { linkSync, renameSync, rmSync, writeFileSync } from 'node:fs'

/**
 * Creates a file that only its owner may read, whole or not at all: a reader never sees it half written, and of several
 * processes that create it at once exactly one is told `true`. A hard link does both, where exclusive opening would show an empty file first.
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

/** Replaces a file, or creates it: a reader sees the old content or the new. */
export function replaceAtomically(path: string, content: string): void {
  renameSync(written(path, content), path)
}

/** True for an error of the file system with this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}

function written(path: string, content: string): string {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  writeFileSync(temporary, content, { mode: 0o600, flag: 'wx', flush: true })
  return temporary
}
