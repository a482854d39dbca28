import { recentlyUsed } from '@freehold/designs'

/** The cached hashes of keys by id. Each is read again once it is `maxStalenessMs` old. */
export interface HashCache {
  hashOf(keyId: string): Promise<string | undefined>
  /** Removes a key from the cache, since it was created or revoked. */
  forget(keyId: string): void
}

type Read = (keyId: string) => Promise<string | undefined>

export interface HashCacheOptions {
  /** Reads the hash of a known key. Undefined if the key no longer exists. */
  readonly read: Read
  /** Reads the hash for any id. It may refuse, which bounds the cost of invalid ids. */
  readonly lookUp: Read
  readonly now: () => Date
  readonly maxStalenessMs: number
  /** How long an id without a key is cached. */
  readonly unknownMs: number
  /** The largest number of cached keys, and of cached ids without a key. */
  readonly entries_max: number
}

interface Entry {
  readonly sentAt_ms: number
  readonly hash: Promise<string | undefined>
}

/**
 * Caches found keys, and for a moment ids without a key. The two are separate, so that made-up ids do not displace keys. The age counts
 * from before the read was sent, as for definitions (spec rule 18). Simultaneous requests share one read.
 */
export function hashCache({ read, lookUp, now, maxStalenessMs, unknownMs, entries_max }: HashCacheOptions): HashCache {
  const found = recentlyUsed<Entry>(entries_max)
  const unknown = recentlyUsed<number>(entries_max)
  const lookups = new Map<string, Promise<string | undefined>>()

  let latest_ms = Number.NEGATIVE_INFINITY

  /** If the clock was set back, the ages of the entries are unknown, so the cache is cleared. */
  const time_ms = () => {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) for (const memory of [found, unknown, lookups]) memory.clear()
    latest_ms = now_ms
    return now_ms
  }

  const readAgain = (keyId: string, sentAt_ms: number, before: Entry): Promise<string | undefined> => {
    const entry: Entry = { sentAt_ms, hash: read(keyId) }
    found.set(keyId, entry)
    const ifSame = (settle: () => void) => {
      if (found.get(keyId) === entry) settle()
    }
    entry.hash.then(
      (hash) => {
        if (hash === undefined) ifSame(() => found.delete(keyId))
      },
      // The key probably still exists, but its entry is too old, so it is read again.
      () => ifSame(() => found.set(keyId, before)),
    )
    return entry.hash
  }

  const lookUpOnce = (keyId: string, sentAt_ms: number): Promise<string | undefined> => {
    const under = lookups.get(keyId)
    if (under !== undefined) return under
    const hash = lookUp(keyId)
    lookups.set(keyId, hash)
    const settle = (remember: () => void) => {
      if (lookups.get(keyId) !== hash) return
      lookups.delete(keyId)
      remember()
    }
    hash.then(
      (text) => settle(() => (text === undefined ? unknown.set(keyId, sentAt_ms) : found.set(keyId, { sentAt_ms, hash }))),
      () => settle(() => undefined),
    )
    return hash
  }

  return {
    hashOf: async (keyId) => {
      const now_ms = time_ms()
      const known = found.get(keyId)
      if (known !== undefined) return now_ms - known.sentAt_ms < maxStalenessMs ? known.hash : readAgain(keyId, now_ms, known)
      const missed_ms = unknown.get(keyId)
      if (missed_ms !== undefined && now_ms - missed_ms < unknownMs) return undefined
      return lookUpOnce(keyId, now_ms)
    },
    forget: (keyId) => {
      for (const memory of [found, unknown, lookups]) memory.delete(keyId)
    },
  }
}
