import { recentlyUsed } from '@freehold/frame/decision'
import type { Awaitable } from '@freehold/table/runtime'

/** The cached keys by id. Each is read again once it is `maxStalenessMs` old. */
export interface KeyCache<K> {
  keyOf(keyId: string): Awaitable<K | undefined>
  /** Removes a key from the cache, since it was created or revoked. */
  forget(keyId: string): void
}

type Read<K> = (keyId: string) => Promise<K | undefined>

export interface KeyCacheOptions<K> {
  /** Reads a known key. Undefined if it no longer exists. */
  readonly read: Read<K>
  /** Reads the key of any id. It may refuse, which bounds the cost of invalid ids. */
  readonly lookUp: Read<K>
  readonly now: () => Date
  readonly maxStalenessMs: number
  /** How long an id without a key is cached. */
  readonly unknownMs: number
  /** The largest number of cached keys, and of cached ids without a key. */
  readonly entries_max: number
  /** See `KeysOptions`. */
  readonly onKey?: ((age_ms: number | undefined) => void) | undefined
}

interface Entry<K> {
  readonly sentAt_ms: number
  /** A promise while it is being read. */
  readonly key: Awaitable<K | undefined>
}

/**
 * Caches found keys, and for a moment ids without a key. The two are separate, so that made-up ids do not displace keys. The age counts
 * from before the read was sent, as for definitions (spec rule 18). Simultaneous requests share one read.
 */
export function keyCache<K>({ read, lookUp, now, maxStalenessMs, unknownMs, entries_max, onKey }: KeyCacheOptions<K>): KeyCache<K> {
  const found = recentlyUsed<Entry<K>>(entries_max)
  const unknown = recentlyUsed<number>(entries_max)
  const lookups = new Map<string, Promise<K | undefined>>()

  let latest_ms = Number.NEGATIVE_INFINITY

  /** If the clock was set back, the ages of the entries are unknown, so the cache is cleared. */
  const time_ms = () => {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) for (const memory of [found, unknown, lookups]) memory.clear()
    latest_ms = now_ms
    return now_ms
  }

  const readAgain = (keyId: string, sentAt_ms: number, before: Entry<K>): Promise<K | undefined> => {
    const reading = read(keyId)
    const entry: Entry<K> = { sentAt_ms, key: reading }
    found.set(keyId, entry)
    const ifSame = (settle: () => void) => {
      if (found.get(keyId) === entry) settle()
    }
    reading.then(
      (key) => ifSame(() => (key === undefined ? found.delete(keyId) : found.set(keyId, { sentAt_ms, key }))),
      // The key probably still exists, but its entry is too old, so it is read again.
      () => ifSame(() => found.set(keyId, before)),
    )
    return reading
  }

  const lookUpOnce = (keyId: string, sentAt_ms: number): Promise<K | undefined> => {
    const under = lookups.get(keyId)
    if (under !== undefined) return under
    const key = lookUp(keyId)
    lookups.set(keyId, key)
    const settle = (remember: () => void) => {
      if (lookups.get(keyId) !== key) return
      lookups.delete(keyId)
      remember()
    }
    key.then(
      (value) => settle(() => (value === undefined ? unknown.set(keyId, sentAt_ms) : found.set(keyId, { sentAt_ms, key: value }))),
      () => settle(() => undefined),
    )
    return key
  }

  return {
    keyOf: (keyId) => {
      const now_ms = time_ms()
      const known = found.get(keyId)
      const isRecent = known !== undefined && now_ms - known.sentAt_ms < maxStalenessMs
      onKey?.(isRecent ? now_ms - known.sentAt_ms : undefined)
      if (known !== undefined) return isRecent ? known.key : readAgain(keyId, now_ms, known)
      const missed_ms = unknown.get(keyId)
      if (missed_ms !== undefined && now_ms - missed_ms < unknownMs) return undefined
      return lookUpOnce(keyId, now_ms)
    },
    forget: (keyId) => {
      for (const memory of [found, unknown, lookups]) memory.delete(keyId)
    },
  }
}
