import type { ConnectOptions } from '../run/connect.ts'

/** Ids in the order in which they are made, the same in each run. Two sources make the same ids. */
export function countedIds(): NonNullable<ConnectOptions['ids']> {
  let count = 0
  return {
    ulid: () => `01J${String(++count).padStart(23, '0')}`,
    uuid: () => `00000000-0000-4000-8000-${String(++count).padStart(12, '0')}`,
  }
}
