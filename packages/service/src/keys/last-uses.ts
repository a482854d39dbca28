import { recentlyUsed } from '@freehold/frame/decision'

export interface LastUsesOptions {
  readonly now: () => Date
  /** A key in use costs one write in this time. */
  readonly interval_ms: number
  write(keyId: string, at: string): Promise<unknown>
  /** The largest number of keys whose last use is remembered. */
  readonly entries_max: number
}

/** Further writes are left out: a later use of the key is written instead. */
const atOnceMax = 16

/**
 * Writes when a key was last used, beside its request: a write that fails is left out, and no request waits for one.
 * @returns a function that takes the id of a key in use, and its last use as it is stored
 */
export function lastUses({ now, interval_ms, write, entries_max }: LastUsesOptions): (keyId: string, stored: string | undefined) => void {
  const written = recentlyUsed<number>(entries_max)
  let underWay = 0
  return (keyId, stored) => {
    const at = now()
    const isRecent = (use_ms: number) => at.getTime() - use_ms < interval_ms
    if (isRecent(written.get(keyId) ?? 0) || (stored !== undefined && isRecent(Date.parse(stored))) || underWay >= atOnceMax) return
    written.set(keyId, at.getTime())
    underWay++
    write(keyId, at.toISOString())
      .catch(() => undefined)
      .finally(() => {
        underWay--
      })
  }
}
