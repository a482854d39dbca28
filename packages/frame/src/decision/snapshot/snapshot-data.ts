// A browser loads this folder as it stands: it imports nothing of Node and nothing of a table.

/** Goes up when the data of a snapshot changes its form; data of another form is refused. */
export const accessFormat = 1

/** What the data of every design's snapshots has: plain data, for JSON. */
export type SnapshotData<G = unknown> = {
  readonly format: typeof accessFormat
  /** From when until just before when it holds, ISO 8601 in UTC. */
  readonly issued_at: string
  readonly expires_at: string
  readonly grants: readonly G[]
  /** Why nothing is allowed; of kind `fault` also where a malformed record was left out that might have allowed more. */
  readonly reason?: { readonly kind: 'policy' | 'unknown' | 'fault'; readonly code: string; readonly message: string }
}

/**
 * Answers whether a snapshot holds now. Its own code makes no value; the clock makes one.
 * @param now_ms the clock by which the snapshot was issued: milliseconds since the epoch
 */
export function inTime({ issued_at, expires_at }: SnapshotData, now_ms: () => number): () => boolean {
  const [issued_ms, expires_ms] = [Date.parse(issued_at), Date.parse(expires_at)]
  return () => {
    const at_ms = now_ms()
    return at_ms >= issued_ms && at_ms < expires_ms
  }
}
