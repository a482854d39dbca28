import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { makeDataFolder, withoutData } from './data-folder.ts'
import { inMemory } from './engine-run.ts'
import { findFlock } from './folder-lock.ts'
import { guestsOf, noteGuest } from './guests.ts'
import { type EngineRole, type HeldLock, type LockRecord, readLock, takeLock } from './lock.ts'
import { endProcess, isRunning } from './process-mark.ts'
import { answers } from './ready.ts'
import { type Engine, startEngine } from './start.ts'
import { startAlone } from './start-alone.ts'

export interface OpenOptions {
  /** The path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** The data folder, created if it does not exist. Ignored with `memory`. */
  readonly directory: string
  readonly memory?: boolean
  readonly port?: number
  /** `owner` for a program that runs until it is stopped and needs its own engine, `guest` for one command. */
  readonly role: EngineRole
  /** The command's name for people: `freehold local`. */
  readonly name: string
  /** Receives sentences for stderr: restarts, waits and findings. */
  readonly log?: (sentence: string) => void
  /** Receives each line that the engine writes to stderr. */
  readonly onLine?: ((line: string) => void) | undefined
  /** How long to wait for another process's engine that starts or ends. */
  readonly wait_ms_max?: number
  /** See `StartOptions`. */
  readonly ready_ms_max?: number
  readonly restarts_max?: number
}

export interface OpenEngine extends Omit<Engine, 'stop'> {
  /** True if the engine belongs to another process, so that `stop` leaves it running. */
  readonly attached: boolean
  /**
   * Ends the engine, or detaches from another process's. A guest's engine waits for attached commands, unless it must end `now`, on a
   * signal.
   */
  stop(when?: 'now'): Promise<void>
}

const lockName = 'engine.json'
const dataName = 'freehold.db'
const poll_ms = 10
const orphan_ms_max = 2000

/**
 * Refuses a folder in which no engine has kept data, nor begins to, for a command that only reads: it would make an empty folder to answer from.
 * Of lost data the log or the lock is left, and the engine tells of it. Throws `InvalidInput`.
 */
export function refuseWithoutData(directory: string): void {
  const isFolder = statSync(directory, { throwIfNoEntry: false })?.isDirectory() ?? true
  const names = [dataName, `${dataName}-wal`, lockName]
  if (isFolder && !names.some((name) => existsSync(join(directory, name)))) throw withoutData(directory)
}

/**
 * Opens the embedded engine on a data folder: the running one, or a new one. A folder never has two engines.
 *
 * A guest attaches to the engine of another process. If none runs, it starts one, to which others may attach meanwhile, and its `stop`
 * waits for them. An owner that ends also ends the engine for its guests: their next request fails with Unavailable.
 *
 * An engine that outlived its killed owner is ended before a new one starts. It does not lose acknowledged writes.
 *
 * @throws Unavailable for an owner if an engine is already running, if data was lost, and if the engine cannot be started or reached;
 * InvalidInput for a folder or data file that another user owns or may write.
 */
export async function openEngine(options: OpenOptions): Promise<OpenEngine> {
  const { directory, role, name, log = () => {}, wait_ms_max = 15_000 } = options
  if (options.memory === true) return { ...(await startEngine({ ...options, data: inMemory })), attached: false }
  makeDataFolder(directory)
  const path = join(directory, lockName)
  const deadline = performance.now() + wait_ms_max
  const taker = { name, role, hasFolderLock: findFlock() !== undefined }
  let waitedFor: string | undefined
  for (;;) {
    const taking = takeLock(path, taker)
    if (taking.held !== undefined) return await startHeld(options, taking.held)
    const { holder } = taking
    const attached = role === 'guest' ? await attach(path, directory, holder) : undefined
    if (attached !== undefined) return attached
    const isTaken = role === 'owner' && holder.role === 'owner' && holder.state === 'running'
    if (isTaken || performance.now() > deadline) throw runningAlready(directory, holder)
    if (role === 'owner' && holder.role === 'guest' && holder.nonce !== waitedFor) {
      waitedFor = holder.nonce
      log(`Waiting for \`${holder.name}\` (process ${holder.owner.pid}) to finish with the data in ${directory}.`)
    }
    await setTimeout(poll_ms)
  }
}

/** Attaches to a running engine. Undefined while it does not answer: it starts, ends or restarts. */
async function attach(path: string, directory: string, { endpoint, engine, nonce }: LockRecord): Promise<OpenEngine | undefined> {
  if (endpoint === undefined || !(await answers(endpoint))) return undefined
  const leave = noteGuest(directory)
  // The owner records that it ends, then looks for guests. We record the guest, then look at the owner. So at least one of us sees the
  // other.
  const now = readLock(path)
  if (now?.nonce !== nonce || now.state !== 'running') {
    leave()
    return undefined
  }
  let stop = (): void => {}
  const exited = new Promise<{ reason: 'stopped' }>((resolve) => {
    stop = () => resolve({ reason: 'stopped' })
  })
  return {
    endpoint,
    pid: () => readLock(path)?.engine?.pid ?? engine?.pid,
    attached: true,
    exited,
    stop: async () => {
      leave()
      stop()
    },
  }
}

async function startHeld(options: OpenOptions, lock: HeldLock): Promise<OpenEngine> {
  const { directory, log = () => {} } = options
  // Removes the records of killed guests. Otherwise only short-lived owners would.
  guestsOf(directory)
  const orphan = lock.record().engine
  if (orphan !== undefined) {
    if (isRunning(orphan)) log(`Ending an engine that was left behind (process ${orphan.pid}).`)
    // If it does not end, the lock stays and names its pid, so that no later start runs a second engine.
    await endProcess(orphan, orphan_ms_max)
  }
  let engine: Engine
  try {
    engine = await startAlone({ ...options, data: join(directory, dataName) }, lock)
  } catch (error) {
    lock.release()
    throw error
  }
  try {
    lock.update({ endpoint: engine.endpoint, state: 'running', isNew: false })
  } catch (error) {
    await engine.stop()
    lock.release()
    throw error
  }
  const exited = engine.exited.finally(lock.release)
  return {
    ...engine,
    attached: false,
    exited,
    stop: async (when) => {
      if (options.role === 'guest' && when !== 'now') await untilAlone(directory, lock, log)
      await engine.stop()
      await exited
    },
  }
}

/** Waits until no other command uses the engine, and marks the lock so that none begins to. */
async function untilAlone(directory: string, lock: HeldLock, log: (sentence: string) => void): Promise<void> {
  let isTold = false
  for (;;) {
    if (guestsOf(directory).length === 0) {
      noteEnding(lock)
      if (guestsOf(directory).length === 0) return
      lock.update({ state: 'running' })
    }
    if (!isTold) log(`Done; waiting for other commands that use this engine (processes ${guestsOf(directory).join(', ')}).`)
    isTold = true
    await setTimeout(poll_ms)
  }
}

/** Records in the lock that its holder ends. On a full disk the lock is deleted instead, which also keeps new guests away. */
function noteEnding(lock: HeldLock): void {
  try {
    lock.update({ state: 'ending' })
  } catch {
    lock.release()
  }
}

function runningAlready(directory: string, holder: LockRecord): FreeholdError {
  const { name, endpoint, owner, startedAt } = holder
  const what = `\`${name}\` (process ${owner.pid}, since ${startedAt})`
  const message =
    endpoint === undefined
      ? `${what} takes too long to start or end the engine on ${directory}: end that process, then try again.`
      : `An engine is already running on ${directory}: ${what} at ${endpoint}. Use it with DYNAMODB_ENDPOINT=${endpoint}, ` +
        `or end it with \`kill ${owner.pid}\`, or choose another folder with --data.`
  return new FreeholdError('Unavailable', message, { directory, pid: owner.pid, ...(endpoint !== undefined && { endpoint }) })
}
