import { closeSync, openSync, readSync, rmSync, type Stats, statSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'
import { hasCode } from './atomic-file.ts'
import { checkRights } from './rights.ts'

/** The first bytes of each file of SQLite, by its file format. The engine writes them as soon as it makes the file. */
const header = Buffer.from('SQLite format 3\0', 'latin1')

/** What is known of a data file before it is looked at. */
export interface Expecting {
  /** A start that was cut short had just begun to make the file: it may be there without its header. */
  readonly isBeingMade?: boolean
  /** An engine has worked on it: it must be there. */
  readonly isThere?: boolean
}

/**
 * Looks at the data file before an engine opens it. The engine would take an empty file, or none, for a new one, and would throw away the log
 * beside it, which may hold all that was written last.
 *
 * @returns true where there is no data yet
 * @throws Unavailable for a file that has lost its content, InvalidInput for one that others may write
 */
export function checkDataFile(path: string, { isBeingMade = false, isThere = false }: Expecting = {}): boolean {
  const file = statIfThere(path)
  if (file === undefined) {
    const log = `${path}-wal`
    if (isThere) throw lost(`The data file ${path} is gone.`, path)
    if (!isBeingMade && (statIfThere(log)?.size ?? 0) > 0)
      throw lost(`The data file ${path} is gone, though its log ${log} is there.`, path)
    return true
  }
  checkRights(path, 'file')
  if (file.size === 0) {
    if (isBeingMade) return true
    throw lost(`The data file ${path} is empty: it held data, and was emptied.`, path)
  }
  if (!firstBytes(path).equals(header)) throw lost(`The data file ${path} is not a valid SQLite database: it was overwritten.`, path)
  return false
}

/** Removes what a first start left that could not even write the header: else the next start took it for data that was lost. */
export function removeIfEmpty(path: string): void {
  if (statIfThere(path)?.size === 0) rmSync(path, { force: true })
}

function lost(what: string, path: string): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `${what} Nothing was changed. Restore the folder from a backup; or, to begin anew, move ${path} away with its \`-wal\` and \`-shm\`.`,
    { path },
  )
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined
    throw new FreeholdError('Unavailable', `${path} cannot be looked at: give yourself the right to.`, {}, { cause: error })
  }
}

function firstBytes(path: string): Buffer {
  const bytes = Buffer.alloc(header.length)
  let file: number | undefined
  try {
    file = openSync(path, 'r')
    return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, 0))
  } catch (error) {
    throw new FreeholdError('Unavailable', `${path} cannot be read: give yourself the right to.`, {}, { cause: error })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}
