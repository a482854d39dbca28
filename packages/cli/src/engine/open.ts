import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { makeDataFolder } from './data-folder.ts'
import { inMemory } from './engine-run.ts'
import { findFlock } from './folder-lock.ts'
import { guestsOf, noteGuest } from './guests.ts'
import { type EngineRole, type HeldLock, type LockRecord, readLock, takeLock } from './lock.ts'
import { endProcess, isRunning } from './process-mark.ts'
import { answers } from './ready.ts'
import { type Engine, startEngine } from './start.ts'
import { startAlone } from './start-alone.ts'

export interface OpenOptions {
  /** Path of the engine's binary, from `findEngine`. */
  readonly binary: string
  /** The data folder, made if it is not there; ignored with `memory`. */
  readonly directory: string
  readonly memory?: boolean
  readonly port?: number
  /** `owner` for what runs until it is told to end, and wants the engine for itself; `guest` for one command. */
  readonly role: EngineRole
  /** What the command is, in a person's words: `freehold local`. */
  readonly name: string
  /** Told in sentences of restarts, of what is waited for and of what was found; for stderr. */
  readonly log?: (sentence: string) => void
  /** How long an engine of another process that starts or ends is waited for. */
  readonly wait_ms_max?: number
}

export interface OpenEngine extends Omit<Engine, 'stop'> {
  /** True when the engine is another process's, and `stop` leaves it running. */
  readonly attached: boolean
  /** Ends the engine, or leaves that of another process. A guest's waits for those who attached to it, unless it is to end `now`: on a signal. */
  stop(when?: 'now'): Promise<void>
}

const lockName = 'engine.json'
const dataName = 'freehold.db'
const poll_ms = 10
const orphan_ms_max = 2000

/**
 * The embedded engine on a data folder: the one that runs on it, or a new one. There is never a second on one folder.
 *
 * A guest attaches to the engine that another process runs. Where none runs it starts one, to which others may attach meanwhile, and
 * its `stop` waits for those. An owner that ends takes the engine from its guests: their next request fails with Unavailable.
 *
 * An engine that outlived its killed owner is ended before a new one starts; it loses nothing that it acknowledged.
 *
 * @throws Unavailable for an owner when an engine runs already, when the data was lost, and when the engine cannot be started or reached;
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

/** Undefined while that engine does not answer: it starts, ends, or is being started again. */
async function attach(path: string, directory: string, { endpoint, engine, nonce }: LockRecord): Promise<OpenEngine | undefined> {
  if (endpoint === undefined || !(await answers(endpoint))) return undefined
  const leave = noteGuest(directory)
  // The owner notes that it ends and then looks for guests; we note the guest and then look at the owner. One of us sees the other.
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
  // Clears the notes of guests that were killed: only brief owners look at them again.
  guestsOf(directory)
  const orphan = lock.record().engine
  if (orphan !== undefined) {
    if (isRunning(orphan)) log(`Ending an engine that was left behind (process ${orphan.pid}).`)
    // Should it not end, the lock stays with its pid on record, so that no later start runs a second one beside it.
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

/** Waits until no other command uses the engine, and leaves the lock so that none begins to. */
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

/** On a full disk the lock cannot say that its holder ends: then it goes, which keeps new guests away as well. */
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
      ? `The engine on ${directory} is being started or ended by ${what}, and that takes too long: end that process, then try again.`
      : `An engine runs already on ${directory}: ${what} at ${endpoint}. Use it with DYNAMODB_ENDPOINT=${endpoint}, ` +
        `or end it with \`kill ${owner.pid}\`, or choose another folder with --data.`
  return new FreeholdError('Unavailable', message, { directory, pid: owner.pid, ...(endpoint !== undefined && { endpoint }) })
}
