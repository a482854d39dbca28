import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'
import { cannotWrite, createAtomically, hasCode, replaceAtomically } from './atomic-file.ts'
import { isRunning, markOf, type ProcessMark } from './process-mark.ts'

/** `owner` runs until it is told to end (`local`, `serve`); `guest` only for as long as its one command takes. */
export type EngineRole = 'owner' | 'guest'

/** What the lock file says of the engine on the data beside it. */
export interface LockRecord {
  /** Made at each taking, so that two of one process are told apart. */
  readonly nonce: string
  /** The process that started the engine and ends it. */
  readonly owner: ProcessMark
  /** What it is, in a person's words: `freehold local`. */
  readonly name: string
  readonly role: EngineRole
  readonly state: 'starting' | 'running' | 'ending'
  /** Instant of the taking, ISO 8601. */
  readonly startedAt: string
  /** The engine on this data: until a new one runs, that which a dead owner left behind. */
  readonly engine?: ProcessMark
  readonly endpoint?: string
  /** True while the first engine on this data makes the data file. */
  readonly isNew?: boolean
}

/** A lock that this process holds. */
export interface HeldLock {
  readonly record: () => LockRecord
  /** False from when someone deleted, damaged or replaced the file. */
  readonly isMine: () => boolean
  /** Throws `Unavailable` when the file cannot be written. */
  readonly update: (change: Partial<Pick<LockRecord, 'state' | 'engine' | 'endpoint' | 'isNew'>>) => void
  readonly release: () => void
}

export type Taking = { readonly held: HeldLock } | { readonly held: undefined; readonly holder: LockRecord }

/** How often a file that comes and goes is tried before it is called broken: others hold it for microseconds. */
const attempts_max = 1000

/** Who takes a lock. */
export interface Taker {
  readonly name: string
  readonly role: EngineRole
  /** The system itself keeps a second engine out of the folder: see `findFlock`. */
  readonly hasFolderLock: boolean
}

/**
 * Takes the lock, or tells who holds it. The file of an owner that died is taken over; of several processes that take at once exactly one
 * gets it. A file that cannot be read as a record may be that of an engine that runs. It is taken over where the lock of the folder, which
 * no file can contradict, decides on who may start.
 *
 * @throws Unavailable when the file cannot be written, and when it is damaged and the folder has no other lock.
 */
export function takeLock(path: string, { hasFolderLock, ...as }: Taker): Taking {
  const owner = markOf(process.pid) ?? { pid: process.pid }
  const mine: LockRecord = { ...as, nonce: randomUUID(), owner, state: 'starting', startedAt: new Date().toISOString() }
  try {
    return take(path, mine, hasFolderLock)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw cannotWrite(`The lock ${path}`, error)
  }
}

/** The record in a lock file; undefined when there is no file, or none that can be read as a record. */
export function readLock(path: string): LockRecord | undefined {
  return parse(readRaw(path))
}

function take(path: string, mine: LockRecord, hasFolderLock: boolean): Taking {
  for (let attempt = 0; attempt < attempts_max; attempt += 1) {
    if (createAtomically(path, JSON.stringify(mine))) return { held: held(path, mine) }
    const found = readRaw(path)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && isRunning(holder.owner)) return { held: undefined, holder }
    if (holder === undefined && !hasFolderLock) throw damaged(path)
    // Only the holder of this second lock replaces a dead one, and looks again first: it may have been replaced since it was read.
    const succession = take(`${path}.next`, mine, hasFolderLock)
    if (succession.held === undefined) return succession
    try {
      if (readRaw(path) !== found) continue
      const heir = {
        ...mine,
        ...(holder?.engine !== undefined && { engine: holder.engine }),
        ...(holder?.isNew !== undefined && { isNew: holder.isNew }),
      }
      replaceAtomically(path, JSON.stringify(heir))
      return { held: held(path, heir) }
    } finally {
      succession.held.release()
    }
  }
  throw new FreeholdError('Unavailable', `The lock ${path} comes and goes: end the programs that use its folder, then try again.`)
}

function damaged(path: string): FreeholdError {
  return new FreeholdError(
    'Unavailable',
    `The lock ${path} is damaged, so that it does not tell whether an engine runs: end each engine on its folder, delete the file, then try again.`,
  )
}

function held(path: string, first: LockRecord): HeldLock {
  let record = first
  /** Someone may have deleted the file and started another engine: that one's lock is not ours to touch. */
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

/** The engine listens nowhere else. A folder that came with someone's repository must not lead a command to their server. */
function isOfThisMachine(content: unknown): boolean {
  return typeof content === 'string' && /^http:\/\/127\.0\.0\.1:\d{1,5}$/.test(content)
}

function isMark(value: unknown): value is ProcessMark {
  if (typeof value !== 'object' || value === null || !('pid' in value)) return false
  return Number.isSafeInteger(value.pid) && Number(value.pid) > 0 && (!('born' in value) || typeof value.born === 'string')
}
