import { recentlyUsed } from '@freehold/designs'

/** The hashes of keys by their ids, each read again once it is `maxStalenessMs` old. */
export interface HashCache {
  hashOf(keyId: string): Promise<string | undefined>
  /** From now on it is looked up anew: it was made, or revoked. */
  forget(keyId: string): void
}

type Read = (keyId: string) => Promise<string | undefined>

export interface HashCacheOptions {
  /** The stored hash of a key that was found before; undefined where there is no such key any more. */
  readonly read: Read
  /** The same for an id that may be anything: it may be refused, so that those cost no more than they may. */
  readonly lookUp: Read
  readonly now: () => Date
  readonly maxStalenessMs: number
  /** How long an id is remembered of which there is no key. */
  readonly unknownMs: number
  /** Of keys, and of ids of which there is none, each. */
  readonly entries_max: number
}

interface Entry {
  readonly sentAt_ms: number
  readonly hash: Promise<string | undefined>
}

/**
 * Remembers what was found, and for a moment what was not. Those are kept apart: ids that someone makes up drive no key out. The age counts from
 * when the read was sent or waited to be, as for definitions (spec rule 18). Requests that ask at once share one read.
 */
export function hashCache({ read, lookUp, now, maxStalenessMs, unknownMs, entries_max }: HashCacheOptions): HashCache {
  const found = recentlyUsed<Entry>(entries_max)
  const unknown = recentlyUsed<number>(entries_max)
  const lookups = new Map<string, Promise<string | undefined>>()

  let latest_ms = Number.NEGATIVE_INFINITY

  /** Where the clock was set back, the ages of what is remembered are not to be known any more: all of it is forgotten. */
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
      // It is still a key, as far as is known, and too old to be taken for one: it is read again.
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
