import { type HowTaken, lastsMax_ms } from './question.ts'
import { accessFormat, type SnapshotData } from './snapshot/snapshot-data.ts'
import type { Sources } from './sources.ts'

/**
 * Begins a snapshot of access. It is called before anything is read, so that a change meanwhile is never hidden for longer than the snapshot lasts.
 * @returns the head of the snapshot: of whom it is, and when it holds, by the instants at which something in it ends, in milliseconds since the epoch
 */
export function takenDuring(
  { runtime }: Sources,
  { lasts_ms }: HowTaken,
): <U extends object>(user: U, ends_ms: readonly number[]) => U & Pick<SnapshotData, 'format' | 'issued_at' | 'expires_at'> {
  const issued_ms = runtime.now().getTime()
  return (user, ends_ms) => {
    const expires_ms = ends_ms.reduce((first, end_ms) => Math.min(first, end_ms), issued_ms + Math.min(lasts_ms, lastsMax_ms))
    return { format: accessFormat, ...user, issued_at: new Date(issued_ms).toISOString(), expires_at: new Date(expires_ms).toISOString() }
  }
}
