import { accessSync, constants } from 'node:fs'

/** The paths at which util-linux and BusyBox install flock(1). */
const places = ['/usr/bin/flock', '/bin/flock', '/usr/local/bin/flock', '/run/current-system/sw/bin/flock']

/** The exit code of the engine's shell if another process holds the lock of the folder: EX_TEMPFAIL of sysexits(3). */
export const heldCode = 75

/**
 * The path of flock(1), or undefined on a system without it. An engine holds the lock of its data folder from before its start until its
 * end. So the system itself prevents a second engine, whatever the files in the folder say.
 */
export function findFlock(): string | undefined {
  return places.find((path) => {
    try {
      accessSync(path, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}
