import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { FreeholdError } from '@freehold/table'

/** A process, with its start time, which tells it from a later process with the same pid. */
export interface ProcessMark {
  readonly pid: number
  /** The start time in the system's own format. Absent on Windows, which does not report it. */
  readonly born?: string
}

/** The mark of a running process, or undefined. */
export function markOf(pid: number): ProcessMark | undefined {
  if (!exists(pid)) return undefined
  const born = birthOf(pid)
  if (born === 'dead') return undefined
  return born === undefined ? { pid } : { pid, born }
}

/** True while the marked process itself is running. */
export function isRunning(mark: ProcessMark): boolean {
  const now = markOf(mark.pid)
  return now !== undefined && (mark.born === undefined || now.born === undefined || now.born === mark.born)
}

/**
 * Ends a marked process: with SIGTERM, and with SIGKILL after `grace_ms`.
 *
 * @throws Unavailable if it cannot be told from another process with the same pid, may not be ended, or does not end.
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
    // It has ended meanwhile, or belongs to another user. The caller checks whether it is still running.
  }
}

/** True if a process exists. One of another user refuses the signal, but exists. */
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

/** The start time to the second, on macOS and the BSDs, in a fixed language and zone, so that all processes compare the same text. */
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

/** The start time in ticks since boot, with the id of the boot: proc(5), field 22. A zombie counts as dead. */
function birthOnLinux(pid: number): string | 'dead' | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name in parentheses. It may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[0] === 'Z' || fields[0] === 'X') return 'dead'
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${fields[19]}`
  } catch {
    return exists(pid) ? undefined : 'dead'
  }
}
