import { execFileSync } from 'node:child_process'
import { readdirSync, type Stats, statSync } from 'node:fs'

/**
 * The pids of other processes that have a file or folder open, as far as this user may see them: on Linux by /proc, elsewhere by lsof(8).
 * Empty on Windows, and without lsof.
 */
export function holdersOf(path: string, platform: string = process.platform): number[] {
  if (platform === 'win32') return []
  const holders = platform === 'linux' ? holdersByProc(path) : holdersByLsof(path)
  return holders.filter((pid) => pid !== process.pid)
}

function holdersByProc(path: string): number[] {
  const file = statIfThere(path)
  if (file === undefined) return []
  return namesIn('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    const folder = `/proc/${name}/fd`
    return namesIn(folder).some((descriptor) => isSame(file, statIfThere(`${folder}/${descriptor}`))) ? [Number(name)] : []
  })
}

function isSame(one: Stats, other: Stats | undefined): boolean {
  return other !== undefined && one.ino === other.ino && one.dev === other.dev
}

/** The names in a folder. Empty if its process has ended meanwhile, or belongs to another user. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function statIfThere(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch {
    return undefined
  }
}

/** `-t` prints only pids. lsof exits with 1 if there are none. */
function holdersByLsof(path: string): number[] {
  try {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' }
    const pids = execFileSync('lsof', ['-t', '--', path], { encoding: 'utf8', env, stdio: ['ignore', 'pipe', 'ignore'] })
    return pids.split('\n').filter(Boolean).map(Number)
  } catch {
    return []
  }
}
