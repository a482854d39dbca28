import { accessSync, constants } from 'node:fs'

/** Where util-linux and BusyBox install flock(1). */
const places = ['/usr/bin/flock', '/bin/flock', '/usr/local/bin/flock', '/run/current-system/sw/bin/flock']

/** The engine's shell ends with this code when another process holds the lock of the folder: EX_TEMPFAIL of sysexits(3). */
export const heldCode = 75

/**
 * The path of flock(1), or undefined on a system without it. An engine holds the lock of its data folder from before its start until the
 * system has ended it, so that the files in the folder may say what they like: the system itself keeps a second engine out.
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
