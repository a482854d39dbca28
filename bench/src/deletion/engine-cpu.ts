import { readFileSync } from 'node:fs'

/** What Linux shows a process its times in, on every machine that Node runs on. */
const ticks_per_s = 100

/** CPU seconds that a process has taken, user and system; undefined where the system does not tell it as Linux does. */
export function cpuSecondsOf(pid: number | undefined): number | undefined {
  if (pid === undefined || process.platform !== 'linux') return undefined
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // After the name, which may hold spaces and brackets: state first, user and system time as the twelfth and thirteenth.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks_per_s
}
