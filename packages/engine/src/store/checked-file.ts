import { spawnSync } from 'node:child_process'
import { constants as access, accessSync, appendFileSync, closeSync, mkdirSync, openSync, readSync, statfsSync, statSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname } from 'node:path'
import { type StorageCode, StorageError, whatToDo } from './storage-error.ts'

// LMDB maps its files into memory. So a file that was cut off, or a full disk under a new lock file, would end the process by a signal
// instead of an error. What LMDB takes for granted is looked at before.

export const page_bytes = 8192

/** Where a meta page has these (`MDB_meta` in LMDB's mdb.c). Two of them begin the file. */
const at = { magic: 24, version: 28, pageSize: 48, lastPage: 144 }
const magic = 0xbeefc0de
const dataVersion = 2

/** Room for a new lock file and the first pages. */
const free_bytes_min = 256 * 1024

/**
 * Makes the folder of a file, if it is not there.
 * @throws StorageError for a file that LMDB would crash on
 */
export function checkFile(file: string): void {
  try {
    mkdirSync(dirname(file), { recursive: true })
    const bytes = statSync(file, { throwIfNoEntry: false })?.size
    if (bytes !== undefined) accessSync(file, access.R_OK | access.W_OK)
    if (!hasLock(file) && freeBytes(file) < free_bytes_min) throw new StorageError('StorageFull', file)
    if (bytes === undefined || (bytes === 0 && !wasWritten(file))) return
    const needed = bytesNeeded(file)
    if (needed === undefined)
      throw new StorageError('StorageDamaged', file, { detail: `the file is cut off, or none of an engine. ${whatToDo}` })
    if (bytes >= needed) return
    // LMDB leaves out free pages at the end. If those are all that is missing, zeros in their place spare this check the next time.
    if (!isReadable(file)) throw new StorageError('StorageDamaged', file, { detail: `the file is cut off. ${whatToDo}` })
    appendFileSync(file, Buffer.alloc(needed - bytes))
  } catch (error) {
    throw storageError(file, error)
  }
}

/** True for a lock file all of whose blocks have their place on the disk. */
function hasLock(file: string): boolean {
  const found = statSync(lockOf(file), { throwIfNoEntry: false })
  return found !== undefined && found.size > 0 && found.blocks * 512 >= found.size
}

function freeBytes(file: string): number {
  const { bavail, bsize } = statfsSync(dirname(file))
  return bavail * bsize
}

/** True if the lock file knows of a transaction: an empty file is new otherwise. */
function wasWritten(file: string): boolean {
  if (statSync(lockOf(file), { throwIfNoEntry: false }) === undefined) return false
  return beginningOf(lockOf(file), 16)?.readBigUInt64LE(8) !== 0n
}

/** Undefined for a file that does not begin as one of an engine. */
function bytesNeeded(file: string): number | undefined {
  const beginning = beginningOf(file, 2 * page_bytes)
  if (beginning === undefined) return undefined
  const metas = [beginning.subarray(0, page_bytes), beginning.subarray(page_bytes)]
  const isMeta = (page: Buffer): boolean =>
    page.readUInt32LE(at.magic) === magic && page.readUInt32LE(at.version) === dataVersion && page.readUInt32LE(at.pageSize) === page_bytes
  return metas.every(isMeta) ? (Math.max(...metas.map((page) => page.readUInt32LE(at.lastPage))) + 1) * page_bytes : undefined
}

function beginningOf(file: string, bytes: number): Buffer | undefined {
  const descriptor = openSync(file, 'r')
  try {
    const read = Buffer.alloc(bytes)
    return readSync(descriptor, read, 0, bytes, 0) === bytes ? read : undefined
  } finally {
    closeSync(descriptor)
  }
}

/** Reads everything in another process, since that ends by a signal if a page is missing. */
function isReadable(file: string): boolean {
  const source = `import { open } from ${JSON.stringify(import.meta.resolve('lmdb'))}
    const db = open({ path: process.argv[1], noSubdir: true, encoding: 'binary', keyEncoding: 'binary' })
    for (const _ of db.getRange({ snapshot: false })) {}`
  return spawnSync(process.execPath, ['--input-type=module', '-e', source, file], { stdio: 'ignore' }).status === 0
}

function lockOf(file: string): string {
  return `${file}-lock`
}

const { errno } = constants
const codes: readonly (readonly [StorageCode, readonly unknown[]])[] = [
  ['StorageFull', ['ENOSPC', errno.ENOSPC, 'EDQUOT', errno.EDQUOT, 'EFBIG', errno.EFBIG]],
  ['StorageReadOnly', ['EROFS', errno.EROFS]],
  ['StorageForbidden', ['EACCES', errno.EACCES, 'EPERM', errno.EPERM]],
  // LMDB's own: MDB_PAGE_NOTFOUND, MDB_CORRUPTED, MDB_PANIC, MDB_VERSION_MISMATCH, MDB_INVALID.
  ['StorageDamaged', [-30797, -30796, -30795, -30794, -30793]],
]

/** The error of a store for one of Node or LMDB, whose `code` is a name or a number. */
export function storageError(file: string, cause: unknown): StorageError {
  if (cause instanceof StorageError) return cause
  const found: unknown = typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined
  const [code = 'StorageFailed'] = codes.find(([, all]) => all.includes(found)) ?? []
  // LMDB tells a write that the disk took in part as EIO.
  if (found === errno.EIO && freeBytes(file) < free_bytes_min) return new StorageError('StorageFull', file, { cause })
  if (code === 'StorageFailed' && cause instanceof Error) return new StorageError(code, file, { detail: `${cause.message}.`, cause })
  return new StorageError(code === 'StorageForbidden' && isOwn(file) ? 'StorageReadOnly' : code, file, { cause })
}

/** True if the file, or else its folder, belongs to this user, who may then change what is permitted. */
function isOwn(file: string): boolean {
  try {
    return (statSync(file, { throwIfNoEntry: false }) ?? statSync(dirname(file))).uid === process.getuid?.()
  } catch {
    return false
  }
}
