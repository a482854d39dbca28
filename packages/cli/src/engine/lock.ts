import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'
import { createAtomically, hasCode, replaceAtomically } from './atomic-file.ts'
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
}

/** A lock that this process holds. */
export interface HeldLock {
  readonly record: () => LockRecord
  readonly update: (change: Partial<Pick<LockRecord, 'state' | 'engine' | 'endpoint'>>) => void
  readonly release: () => void
}

export type Taking = { readonly held: HeldLock } | { readonly held: undefined; readonly holder: LockRecord }

/** How often a file that comes and goes is tried before it is called broken: others hold it for microseconds. */
const attempts_max = 1000

/**
 * Takes the lock, or tells who holds it. The file of an owner that died, and one that cannot be read as a record, is taken over;
 * of several processes that take at once exactly one gets it.
 *
 * @throws Unavailable when the file cannot be written.
 */
export function takeLock(path: string, as: { readonly name: string; readonly role: EngineRole }): Taking {
  const owner = markOf(process.pid) ?? { pid: process.pid }
  const mine: LockRecord = { ...as, nonce: randomUUID(), owner, state: 'starting', startedAt: new Date().toISOString() }
  try {
    return take(path, mine)
  } catch (error) {
    if (error instanceof FreeholdError) throw error
    throw new FreeholdError(
      'Unavailable',
      `The lock ${path} cannot be written: its folder must be on a writable disk.`,
      {},
      { cause: error },
    )
  }
}

/** The record in a lock file; undefined when there is no file, or none that can be read as a record. */
export function readLock(path: string): LockRecord | undefined {
  return parse(readRaw(path))
}

function take(path: string, mine: LockRecord): Taking {
  for (let attempt = 0; attempt < attempts_max; attempt += 1) {
    if (createAtomically(path, JSON.stringify(mine))) return { held: held(path, mine) }
    const found = readRaw(path)
    if (found === undefined) continue
    const holder = parse(found)
    if (holder !== undefined && isRunning(holder.owner)) return { held: undefined, holder }
    // Only the holder of this second lock replaces a dead one, and looks again first: it may have been replaced since it was read.
    const succession = take(`${path}.next`, mine)
    if (succession.held === undefined) return succession
    try {
      if (readRaw(path) !== found) continue
      const heir = holder?.engine === undefined ? mine : { ...mine, engine: holder.engine }
      replaceAtomically(path, JSON.stringify(heir))
      return { held: held(path, heir) }
    } finally {
      succession.held.release()
    }
  }
  throw new FreeholdError('Unavailable', `The lock ${path} comes and goes: end the programs that use its folder, then try again.`)
}

function held(path: string, first: LockRecord): HeldLock {
  let record = first
  /** Someone may have deleted the file and started another engine: that one's lock is not ours to touch. */
  const isMine = (): boolean => readLock(path)?.nonce === record.nonce
  return {
    record: () => record,
    update: (change) => {
      record = { ...record, ...change }
      if (isMine()) replaceAtomically(path, JSON.stringify(record))
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
    is('endpoint', isAbsentOr(isOfThisMachine))
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
