import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'
import { checkDataFile, removeIfEmpty } from './data-file.ts'
import { checkRoom } from './disk-room.ts'
import { holdersOf } from './holders.ts'
import type { HeldLock } from './lock.ts'
import { markOf } from './process-mark.ts'
import { isKeptOut } from './ready.ts'
import { type Engine, type StartOptions, startEngine } from './start.ts'

/** How long an unrecorded engine may take to end: its owner was killed, so its subshell kills it. */
const ending_ms_max = 1000
const poll_ms = 50

/**
 * Starts the engine on a data file for the holder of the lock, if the file is intact and no other process uses it. A person may have
 * deleted or damaged the lock. So the system is asked, too: which processes have the file open, and which holds the lock of the folder.
 *
 * @throws Unavailable if another process uses the data, the data was lost, the disk is full, or the engine does not start.
 */
export async function startAlone(options: StartOptions, lock: HeldLock): Promise<Engine> {
  const { data } = options
  const deadline = performance.now() + ending_ms_max
  for (;;) {
    let others = holdersOfLog(data)
    if (others.length === 0) {
      const engine = await tryStart(options, lock)
      if (engine !== undefined) return engine
      others = [...holdersOf(dirname(data)), ...holdersOf(data)]
    }
    if (performance.now() > deadline) throw occupied(dirname(data), [...new Set(others)])
    await setTimeout(poll_ms)
  }
}

/** Starts the engine. Undefined if another process holds the lock of the folder. */
async function tryStart(options: StartOptions, lock: HeldLock): Promise<Engine | undefined> {
  const { data } = options
  const isNew = checkDataFile(data, { isBeingMade: lock.record().isNew === true })
  checkRoom(dirname(data))
  lock.update({ isNew })
  try {
    return await startEngine({
      ...options,
      onProcess: (pid) => lock.update({ engine: markOf(pid) ?? { pid } }),
      beforeRestart: () => checkStillOurs(data, lock),
    })
  } catch (error) {
    if (isKeptOut(error)) return undefined
    if (isNew) removeIfEmpty(data)
    throw error
  }
}

/**
 * The processes that have the file open. A running engine always has a log, so without one there are none, which makes the usual start
 * fast.
 */
function holdersOfLog(data: string): number[] {
  return existsSync(`${data}-wal`) || existsSync(`${data}-shm`) ? holdersOf(data) : []
}

/**
 * Checks that the lock and the file are unchanged: another process may have taken the folder, and an emptied file would be treated as new.
 */
function checkStillOurs(data: string, lock: HeldLock): void {
  if (!lock.isMine()) {
    throw new FreeholdError('Unavailable', `The lock engine.json in ${dirname(data)} was deleted, damaged or replaced: start again.`)
  }
  checkDataFile(data, { isThere: true })
}

function occupied(directory: string, pids: readonly number[]): FreeholdError {
  const who = pids.length === 0 ? 'Another process, which this user cannot see,' : `Process ${pids.join(' and ')}`
  const how =
    pids.length === 0 ? `find it with \`fuser ${directory}\` as an administrator and end it` : `end it with \`kill ${pids.join(' ')}\``
  return new FreeholdError(
    'Unavailable',
    `${who} uses the data in ${directory}, but the lock engine.json does not name it: the lock was deleted or damaged. ` +
      `A second engine would destroy the data: ${how}, then try again.`,
    { directory, pids },
  )
}
