import { statfsSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'

/** The engine's log and its index, the lock, the secret, and the tables of all designs at their first start take about half of this. */
const room_bytes_min = 1_048_576

/** What a file system says of itself, as `statfs` gives it. */
export interface Room {
  readonly bsize: number
  readonly blocks: number
  readonly bavail: number
}

/**
 * Refuses a start on a disk that is full: an engine may begin there, and its first write then fails without saying why. A file system that
 * tells no size is taken at its word when it refuses to write.
 *
 * @throws Unavailable when less is free than a start takes
 */
export function checkRoom(directory: string, roomOf: (path: string) => Room = statfsSync): void {
  const { bsize, blocks, bavail } = roomOf(directory)
  const free_bytes = bavail * bsize
  if (blocks === 0 || free_bytes >= room_bytes_min) return
  throw new FreeholdError(
    'Unavailable',
    `The disk of ${directory} is full: it has ${Math.floor(free_bytes / 1024)} KB left, and an engine needs ${room_bytes_min / 1024} KB to start. Make room on it, then try again.`,
    { free_bytes },
  )
}
