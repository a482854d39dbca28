import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FreeholdError } from '@freehold/table'
import { invalid } from '../input/invalid.ts'
import { cannotWrite, hasCode, isDiskFull } from './atomic-file.ts'
import { makeFolder } from './make-folder.ts'
import { checkRights } from './rights.ts'

/** The file of the embedded engine in the data folder. */
export const dataName = 'data.mdb'

/** The error for a command that only reads, where no data is. */
export function withoutData(directory: string): FreeholdError {
  const advice = 'name the folder of the data by --data, or begin it with `freehold serve`'
  return invalid(`There is no data in ${directory}: ${advice}.`)
}

/** The file of the former engine, which was another program. */
const formerName = 'freehold.db'

/** Refuses a folder that an engine before this one has written, which would look as if it had no data. Throws `InvalidInput`. */
export function refuseFormer(directory: string): void {
  if (existsSync(join(directory, dataName)) || !existsSync(join(directory, formerName))) return
  const message =
    `The data in ${directory} is that of an earlier engine: export each design with the version of Freehold that wrote it (\`freehold export DESIGN > FILE\`), ` +
    'then move the folder away and import the files with this version (`freehold import DESIGN FILE`). Nothing was changed.'
  throw invalid(message)
}

/** Refuses a folder without data for a command that only reads: it would make an empty one to answer from. Throws `InvalidInput`. */
export function refuseWithoutData(directory: string): void {
  refuseFormer(directory)
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? true
  if (isFolder && !existsSync(join(directory, dataName))) throw withoutData(directory)
}

/**
 * Creates the folder for the engine's data and the secret, readable only by its owner. An existing folder keeps its permissions.
 * The
 * `.gitignore` inside keeps data and secret out of a surrounding repository.
 *
 * @throws InvalidInput if the path is a file, or a folder that others may write; Unavailable if it cannot be created.
 */
export function makeDataFolder(directory: string): void {
  const ignoring = join(directory, '.gitignore')
  let isNew: boolean
  try {
    isNew = makeFolder(directory, 0o700)
  } catch (error) {
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOTDIR')) {
      throw invalid(`${directory} is a file, but the data needs a folder: name another path with --data.`)
    }
    if (isDiskFull(error)) throw cannotWrite(directory, error)
    throw new FreeholdError(
      'Unavailable',
      `The data folder ${directory} cannot be created: name another with --data.`,
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
