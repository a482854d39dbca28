import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cannotWrite, createAtomically } from './atomic-file.ts'
import { isRunning, markOf } from './process-mark.ts'

const prefix = 'guest-'

/**
 * Records next to the lock that this process uses another's engine, so that a short-lived owner does not end it meanwhile.
 *
 * @returns a function that removes the record. The end of the process removes it, too.
 * @throws Unavailable if the record cannot be written.
 */
export function noteGuest(directory: string): () => void {
  const path = join(directory, `${prefix}${randomUUID()}.json`)
  try {
    createAtomically(path, JSON.stringify(markOf(process.pid) ?? { pid: process.pid }))
  } catch (error) {
    throw cannotWrite(path, error)
  }
  const leave = (): void => {
    process.off('exit', leave)
    rmSync(path, { force: true })
  }
  process.on('exit', leave)
  return leave
}

/** The pids of other commands that use the engine of this folder. Records of killed processes are removed. */
export function guestsOf(directory: string): number[] {
  return readdirSync(directory).flatMap((name) => {
    if (!name.startsWith(prefix) || !name.endsWith('.json')) return []
    const path = join(directory, name)
    const mark = readMark(path)
    if (mark !== undefined && isRunning(mark)) return [mark.pid]
    rmSync(path, { force: true })
    return []
  })
}

function readMark(path: string): { pid: number; born?: string } | undefined {
  try {
    const value: unknown = JSON.parse(readFileSync(path, 'utf8'))
    if (typeof value !== 'object' || value === null || !('pid' in value) || typeof value.pid !== 'number') return undefined
    return { pid: value.pid, ...('born' in value && typeof value.born === 'string' && { born: value.born }) }
  } catch {
    return undefined
  }
}
