import { chmodSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { type Engine, openEngine, StorageError } from '@freehold/engine'
import { FreeholdError } from '@freehold/table'
import { dataName, makeDataFolder, refuseFormer } from './data-folder.ts'
import type { Embedded } from './endpoint.ts'
import { checkRights } from './rights.ts'

/**
 * Opens the embedded engine in this process, in memory or on a data folder. Any number of processes may have the same folder open.
 *
 * @throws InvalidInput for a folder or data file that another user owns or may write; Unavailable if it cannot be opened
 */
export async function openData({ memory, directory }: Embedded): Promise<Engine> {
  if (memory) return openEngine({ memory })
  refuseFormer(directory)
  makeDataFolder(directory)
  const path = join(directory, dataName)
  checkRights(path, 'file')
  const isNew = !existsSync(path)
  const engine = await openEngine({ path }).catch((error: unknown) => {
    throw error instanceof StorageError ? new FreeholdError('Unavailable', error.message, {}, { cause: error }) : error
  })
  // A group may write what LMDB makes, if the user's own files are made so.
  if (isNew) chmodSync(path, 0o600)
  return engine
}
