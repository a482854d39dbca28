import { statfsSync } from 'node:fs'
import { FreeholdError } from '@freehold/table'

/** The first start needs about half of this: the engine's log and its index, the lock, the secret, and the tables of all designs. */
const room_bytes_min = 1_048_576

/** The free space of a file system, as `statfs` reports it. */
export interface Room {
  readonly bsize: number
  readonly blocks: number
  readonly bavail: number
}

/**
 * Refuses a start on a full disk: an engine might start, and its first write would then fail without a reason. A file system that reports
 * no size is not checked.
 *
 * @throws Unavailable if a start needs more than the free space
 */
export function checkRoom(directory: string, roomOf: (path: string) => Room = statfsSync): void {
  const { bsize, blocks, bavail } = roomOf(directory)
  const free_bytes = bavail * bsize
  if (blocks === 0 || free_bytes >= room_bytes_min) return
  throw new FreeholdError(
    'Unavailable',
    `The disk of ${directory} is full: it has ${Math.floor(free_bytes / 1024)} KB left, and an engine needs ${room_bytes_min / 1024} KB to start. Free some space, then try again.`,
    { free_bytes },
  )
}
