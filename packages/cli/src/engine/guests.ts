import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cannotWrite, createAtomically } from './atomic-file.ts'
import { isRunning, markOf } from './process-mark.ts'

const prefix = 'guest-'

/**
 * Notes beside the lock that this process uses another's engine, so that a brief owner does not end it underneath.
 *
 * @returns what to call when it uses it no more; the end of the process does so too.
 * @throws Unavailable when the note cannot be written.
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

/** The pids of other commands that use the engine of this folder. Notes of processes that were killed are cleared away. */
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
