import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'
import { cannotWrite, createAtomically, hasCode, replaceAtomically } from './atomic-file.ts'
import { isRunning, markOf, type ProcessMark } from './process-mark.ts'

/** An `owner` runs until it is stopped (`local`, `serve`), a `guest` only as long as its command. */
export type EngineRole = 'owner' | 'guest'

/** The content of the lock file: the engine on the data of its folder. */
export interface LockRecord {
  /** Different for each lock, so that two locks of one process can be told apart. */
  readonly nonce: string
  /** The process that started the engine and ends it. */
  readonly owner: ProcessMark
  /** The owner's name for people: `freehold local`. */
  readonly name: string
  readonly role: EngineRole
  readonly state: 'starting' | 'running' | 'ending'
  /** The instant at which the lock was taken, ISO 8601. */
  readonly startedAt: string
  /** The engine on this data. Until a new one runs, it is the engine that a dead owner left behind. */
  readonly engine?: ProcessMark
  readonly endpoint?: string
  /** True while the first engine on this data creates the data file. */
  readonly isNew?: boolean
}

/** A lock that this process holds. */
export interface HeldLock {
  readonly record: () => LockRecord
  /** False once the file was deleted, damaged or replaced. */
  readonly isMine: () => boolean
  /** Throws `Unavailable` if the file cannot be written. */
  readonly update: (change: Partial<Pick<LockRecord, 'state' | 'engine' | 'endpoint' | 'isNew'>>) => void
  readonly release: () => void
}

export type Taking = { readonly held: HeldLock } | { readonly held: undefined; readonly holder: LockRecord }

/** The number of attempts at a file that appears and disappears. Others hold it only for microseconds. */
const attempts_max = 1000

/** The process that takes a lock. */
export interface Taker {
  readonly name: string
  readonly role: EngineRole
  /** The system itself prevents a second engine on the folder: see `findFlock`. */
  readonly hasFolderLock: boolean
}

/**
 * Takes the lock, or returns its holder. The file of a dead owner is taken over. Of several processes that take the lock at once exactly
 * one gets it. An unreadable file may belong to a running engine. It is taken over only if the system's lock of the folder decides which
 * engine may start.
 *
 * @throws Unavailable if the file cannot be written, or if it is damaged and the folder has no other lock.
 */
export function takeLock(path: string, { hasFolderLock, ...as }: Taker): Taking {
  const owner = markOf(process.pid) ?? { pid: process.pid }
  const own: LockRecord = { ...as, nonce: randomUUID(), owner, state: 'starting', startedAt: new Date().toISOString() }
  try {
    return take(path, own, hasFolderLock)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw cannotWrite(`The lock ${path}`, error)
  }
}

/** The record in a lock file. Undefined if there is no file, or an unreadable one. */
export function readLock(path: string): LockRecord | undefined {
  return parse(readRaw(path))
}

function take(path: string, own: LockRecord, hasFolderLock: boolean): Taking {
  for (let attempt = 0; attempt < attempts_max; attempt += 1) {
    if (createAtomically(path, JSON.stringify(own))) return { held: held(path, own) }
    const found = readRaw(path)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && isRunning(holder.owner)) return { held: undefined, holder }
    if (holder === undefined && !hasFolderLock) throw damaged(path)
    // Only the holder of this second lock replaces a dead one. It reads the file again first, since it may have been replaced.
    const succession = take(`${path}.next`, own, hasFolderLock)
    if (succession.held === undefined) return succession
    try {
      if (readRaw(path) !== found) continue
      const heir = {
        ...own,
        ...(holder?.engine !== undefined && { engine: holder.engine }),
        ...(holder?.isNew !== undefined && { isNew: holder.isNew }),
      }
      replaceAtomically(path, JSON.stringify(heir))
      return { held: held(path, heir) }
    } finally {
      succession.held.release()
    }
  }
  throw new FreeholdError('Unavailable', `The lock ${path} appears and disappears: end the programs that use its folder, then try again.`)
}

function damaged(path: string): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `The lock ${path} is damaged, so it is not known whether an engine is running: end each engine on its folder, delete the file, then try again.`,
  )
}

function held(path: string, first: LockRecord): HeldLock {
  let record = first
  /** False if the file was deleted and another engine was started: that lock must not be touched. */
  const isMine = (): boolean => readLock(path)?.nonce === record.nonce
  return {
    record: () => record,
    isMine,
    update: (change) => {
      record = { ...record, ...change }
      if (!isMine()) return
      try {
        replaceAtomically(path, JSON.stringify(record))
      } catch (error) {
        throw cannotWrite(`The lock ${path}`, error)
      }
    },
    release: () => {
      if (isMine()) rmSync(path, { force: true })
    },
  }
}

function readRaw(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function parse(text: string | undefined): LockRecord | undefined {
  if (text === undefined) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return isRecord(value) ? value : undefined
}

function isRecord(value: unknown): value is LockRecord {
  if (typeof value !== 'object' || value === null) return false
  const is = (field: string, test: (content: unknown) => boolean): boolean => test((value as Record<string, unknown>)[field])
  const isText = (content: unknown): boolean => typeof content === 'string'
  const isAbsentOr = (test: (content: unknown) => boolean) => (content: unknown) => content === undefined || test(content)
  return (
    is('nonce', isText) &&
    is('owner', isMark) &&
    is('name', isText) &&
    is('role', (role) => role === 'owner' || role === 'guest') &&
    is('state', (state) => state === 'starting' || state === 'running' || state === 'ending') &&
    is('startedAt', isText) &&
    is('engine', isAbsentOr(isMark)) &&
    is('endpoint', isAbsentOr(isOfThisMachine)) &&
    is(
      'isNew',
      isAbsentOr((isNew) => typeof isNew === 'boolean'),
    )
  )
}

/**
 * True for an endpoint of this machine, where the engine listens. A folder from a foreign repository must not lead a command to another
 * server.
 */
function isOfThisMachine(content: unknown): boolean {
  return typeof content === 'string' && /^http:\/\/127(?:\.\d{1,3}){3}:\d{1,5}$/.test(content) && URL.canParse(content)
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null || !('pid' in value)) return false
  return Number.isSafeInteger(value.pid) && Number(value.pid) > 0 && (!('born' in value) || typeof value.born === 'string')
}
