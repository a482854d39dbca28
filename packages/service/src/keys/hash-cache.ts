import { recentlyUsed } from '@freehold/designs'

/** The hashes of keys by their ids, each read again once it is `maxStalenessMs` old. */
export interface HashCache {
  hashOf(keyId: string): Promise<string | undefined>
  forget(keyId: string): void
}

export interface HashCacheOptions {
  /** The stored hash; undefined where there is no such key. */
  readonly read: (keyId: string) => Promise<string | undefined>
  readonly now: () => Date
  readonly maxStalenessMs: number
  readonly entries_max: number
}

interface Entry {
  readonly sentAt_ms: number
  readonly hash: Promise<string | undefined>
}

/**
 * Remembers what was found, never what was not: a key works as soon as it is made, and ids that someone makes up do not pile up. The age counts
 * from when the read was sent, as for definitions (spec rule 18). Requests that ask at once share one read.
 */
export function hashCache({ read, now, maxStalenessMs, entries_max }: HashCacheOptions): HashCache {
  const entries = recentlyUsed<Entry>(entries_max)

  let latest_ms = Number.NEGATIVE_INFINITY

  /** Where the clock was set back, the ages of what is remembered are not to be known any more: all of it is forgotten. */
  const time_ms = () => {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) entries.clear()
    latest_ms = now_ms
    return now_ms
  }

  const dropIfSame = (keyId: string, entry: Entry) => {
    if (entries.get(keyId) === entry) entries.delete(keyId)
  }

  const readAnew = (keyId: string, sentAt_ms: number): Promise<string | undefined> => {
    const entry: Entry = { sentAt_ms, hash: read(keyId) }
    entries.set(keyId, entry)
    entry.hash.then(
      (hash) => {
        if (hash === undefined) dropIfSame(keyId, entry)
      },
      () => dropIfSame(keyId, entry),
    )
    return entry.hash
  }

  return {
    hashOf: (keyId) => {
      const now_ms = time_ms()
      const known = entries.get(keyId)
      return known !== undefined && now_ms - known.sentAt_ms < maxStalenessMs ? known.hash : readAnew(keyId, now_ms)
    },
    forget: (keyId) => entries.delete(keyId),
  }
}
