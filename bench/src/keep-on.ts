import { execFileSync } from 'node:child_process'

/** Keeps a process with all its threads on one core, where the system can. */
export function keepOn(core: number, pid: number | undefined): void {
  if (process.platform === 'linux') execFileSync('taskset', ['-apc', String(core), String(pid)], { stdio: 'ignore' })
}
