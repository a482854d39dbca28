import { closeSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'
import { hasCode } from './atomic-file.ts'
import { checkRights } from './rights.ts'

/** The first bytes of every SQLite file. The engine writes them when it creates the file. */
const header = Buffer.from('SQLite format 3\0', 'latin1')

/** Facts that are known of a data file before it is checked. */
export interface Expecting {
  /** An interrupted start may have created the file without its header. */
  readonly isBeingMade?: boolean
  /** An engine has used the file, so it must exist. */
  readonly isThere?: boolean
}

/**
 * Checks the data file before an engine opens it. The engine would treat a missing or empty file as new, and would discard its log, which
 * may hold the last writes.
 *
 * @returns true if there is no data yet
 * @throws Unavailable for a file that has lost its content, InvalidInput for one that others may write
 */
export function checkDataFile(path: string, { isBeingMade = false, isThere = false }: Expecting = {}): boolean {
  const file = statIfThere(path)
  if (file === undefined) {
    const log = `${path}-wal`
    if (isThere) throw lost(`The data file ${path} is gone.`, path)
    if (!isBeingMade && (statIfThere(log)?.size ?? 0) > 0) throw lost(`The data file ${path} is gone, but its log ${log} exists.`, path)
    return true
  }
  checkRights(path, 'file')
  if (file.size === 0) {
    if (isBeingMade) return true
    throw lost(`The data file ${path} is empty, although it had data.`, path)
  }
  if (!firstBytes(path).equals(header)) throw lost(`The data file ${path} is not a valid SQLite database: it was overwritten.`, path)
  return false
}

/** Removes the empty file of a first start that could not write the header. The next start would otherwise report lost data. */
export function removeIfEmpty(path: string): void {
  if (statIfThere(path)?.size === 0) rmSync(path, { force: true })
}

function lost(what: string, path: string): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `${what} Nothing was changed. Restore the folder from a backup. To start without the data, move ${path} away with its \`-wal\` and \`-shm\`.`,
    { path },
  )
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw new FreeholdError('Unavailable', `${path} cannot be inspected: give yourself permission.`, {}, { cause: error })
  }
}

function firstBytes(path: string): Buffer {
  const bytes = Buffer.alloc(header.length)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } catch (error) {
    throw new FreeholdError('Unavailable', `${path} cannot be read: give yourself permission.`, {}, { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
