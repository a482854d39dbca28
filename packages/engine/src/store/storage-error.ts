/**
 * Why a store cannot be opened, read or written:
 * - `StorageFull`: its disk or quota has no room. The write that failed was not applied
 * - `StorageReadOnly`: its file or disk cannot be written by anyone
 * - `StorageForbidden`: it belongs to another user of this machine
 * - `StorageDamaged`: its file was cut off, or is none of an engine
 * - `StorageNewer`: a later version wrote it
 * - `StorageFailed`: anything else, as `cause` tells. A write may have been applied
 */
export type StorageCode = 'StorageFull' | 'StorageReadOnly' | 'StorageForbidden' | 'StorageDamaged' | 'StorageNewer' | 'StorageFailed'

/** What `openEngine` and requests to an engine on disk reject with, if it is the disk that fails. `file` has the data. */
export class StorageError extends Error {
  override readonly name = 'StorageError'
  readonly code: StorageCode
  readonly file: string

  constructor(code: StorageCode, file: string, { detail = sentences[code], cause }: { detail?: string; cause?: unknown } = {}) {
    super(`${file}: ${detail}`, cause === undefined ? undefined : { cause })
    this.code = code
    this.file = file
  }
}

/** Of a file that has lost data. */
export const whatToDo = 'Nothing was changed: restore it from a backup, or move it away to begin anew.'

const sentences: Readonly<Record<StorageCode, string>> = {
  StorageFull: 'the disk is full: free some space, then try again.',
  StorageReadOnly: 'the file or its disk is read-only: give yourself permission to write, or move it to another disk.',
  StorageForbidden: 'this user may not read and write it: ask its owner, or use a folder of your own.',
  StorageDamaged: `the file is damaged. ${whatToDo}`,
  StorageNewer: 'a later version of Freehold wrote it: install that version. Nothing was changed.',
  StorageFailed: 'it cannot be read or written.',
}
