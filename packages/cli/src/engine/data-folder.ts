import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import { cannotWrite, hasCode, isDiskFull } from './atomic-file.ts'
import { checkRights } from './rights.ts'

/**
 * Makes the folder that holds the engine's data, its lock and the secret, readable by its owner only. One that is there
 * keeps its rights. The `.gitignore` inside keeps data and secret out of a repository that the folder stands in.
 *
 * @throws InvalidInput when the path is a file, or a folder that others may write, Unavailable when it cannot be made.
 */
export function makeDataFolder(directory: string): void {
  const ignoring = join(directory, '.gitignore')
  let isNew: boolean
  try {
    isNew = mkdirSync(directory, { recursive: true, mode: 0o700 }) !== undefined
  } catch (error) {
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOTDIR')) {
      throw new FreeholdError('InvalidInput', `${directory} is a file, and data is kept in a folder: name another path with --data.`)
    }
    if (isDiskFull(error)) throw cannotWrite(directory, error)
    throw new FreeholdError(
      'Unavailable',
      `The data folder ${directory} cannot be made: name one that can with --data.`,
      {},
      { cause: error },
    )
  }
  checkRights(directory, 'folder')
  if (!isNew) return
  try {
    writeFileSync(ignoring, '*\n')
  } catch (error) {
    throw cannotWrite(ignoring, error)
  }
}
