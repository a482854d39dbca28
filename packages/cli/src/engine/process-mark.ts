import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'

/** A process, and what tells it from a later one that was given the same pid. */
export interface ProcessMark {
  readonly pid: number
  /** When it was born, in the words of the system; absent where the system does not say (Windows). */
  readonly born?: string
}

/** The mark of a process, or undefined when there is none that runs. */
export function markOf(pid: number): ProcessMark | undefined {
  if (!exists(pid)) return undefined
  const born = birthOf(pid)
  if (born === 'dead') return undefined
  return born === undefined ? { pid } : { pid, born }
}

/** True while the very process that was marked runs. */
export function isRunning(mark: ProcessMark): boolean {
  const now = markOf(mark.pid)
  return now !== undefined && (mark.born === undefined || now.born === undefined || now.born === mark.born)
}

/**
 * Ends a marked process: SIGTERM, and SIGKILL when that has not ended it after `grace_ms`.
 *
 * @throws Unavailable when it cannot be told from another process of the same pid, may not be ended, or does not end.
 */
export async function endProcess(mark: ProcessMark, grace_ms: number): Promise<void> {
  if (!isRunning(mark)) return
  if (mark.born === undefined) {
    throw new FreeholdError(
      'Unavailable',
      `Process ${mark.pid} may be an engine that was left behind: end it if it is, else delete engine.json in the data folder; then try again.`,
      {
        pid: mark.pid,
      },
    )
  }
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    send(mark.pid, signal)
    const deadline = performance.now() + grace_ms
    while (performance.now() < deadline) {
      if (!isRunning(mark)) return
      await setTimeout(5)
    }
  }
  throw new FreeholdError('Unavailable', `The engine that was left behind as process ${mark.pid} does not end: end it, then try again.`, {
    pid: mark.pid,
  })
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It ended meanwhile, or belongs to someone else: the caller looks whether it still runs.
  }
}

/** A process of another user refuses the signal, and is there all the same. */
function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

function birthOf(pid: number): string | 'dead' | undefined {
  if (process.platform === 'linux') return birthOnLinux(pid)
  if (process.platform === 'win32') return undefined
  return birthByPs(pid)
}

/** Date and time to the second, on macOS and the BSDs; in one language and zone, whatever those of the processes that compare them. */
function birthByPs(pid: number): string | 'dead' {
  try {
    const env = { LC_ALL: 'C', TZ: 'UTC' }
    const line = execFileSync('/bin/ps', ['-o', 'stat=', '-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env, stdio: 'pipe' })
    const [state, ...born] = line.trim().split(/\s+/)
    return state?.startsWith('Z') ? 'dead' : born.join(' ')
  } catch {
    return 'dead'
  }
}

/** Ticks since boot, with the boot that they are since: proc(5), field 22. A zombie has ended, though nobody has waited for it. */
function birthOnLinux(pid: number): string | 'dead' | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses, which may hold spaces and parentheses itself.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead'
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return exists(pid) ? undefined : 'dead'
  }
}
