import { isFreeholdError } from '@freehold/table'
import { type Awaitable, whenThere } from '@freehold/table/runtime'
import { keyCache } from './key-cache.ts'
import { hashOf, isSecretOf } from './key-text.ts'
import { lastUses } from './last-uses.ts'
import { type LookupLimits, limitedLookups } from './lookups.ts'

/** Text that lets its bearer in until then. It is not available later. */
export interface Opened {
  readonly text: string
  readonly expiresAt: string
}

/** A session of a browser as it is stored. Nothing in it lets anybody in. */
export interface StoredSession {
  readonly sessionId: string
  readonly createdAt: string
  /** To a few minutes. */
  readonly usedAt: string
  readonly expiresAt: string
  readonly agent?: string | undefined
}

/** The items of one kind of session. Each has a holder: a key, or a person. */
export interface SessionItems<N, S extends StoredSession> {
  create(
    holder: string,
    session: N & Pick<StoredSession, 'usedAt' | 'expiresAt' | 'agent'> & { readonly secretHash: string },
  ): Promise<{ readonly sessionId: string }>
  /** With the hash of its secret. */
  read(holder: string, sessionId: string): Promise<(S & { readonly secretHash?: string }) | undefined>
  used(holder: string, sessionId: string, usedAt: string): Promise<unknown>
  /** The oldest first. */
  all(holder: string): AsyncIterable<S>
  /** Throws `NotFound`. */
  remove(holder: string, sessionId: string): Promise<unknown>
}

export interface BrowserSessionsOptions {
  readonly now: () => Date
  readonly lookups: LookupLimits
  readonly maxStalenessMs: number
  readonly unknownMs: number
  readonly entries_max: number
  readonly secretOf: () => string
}

/** Sessions of one kind. */
export interface BrowserSessions<N, S> {
  /** Begins one, whose end is that of a day's work, or `until`. Ends what the holder has beyond its most. */
  open(
    holder: string,
    session: N & { readonly agent?: string | undefined },
    until?: string,
  ): Promise<{ readonly id: string; readonly secret: string; readonly expiresAt: string }>
  /** A live one, by its secret, which counts as a use of it once `accept` has not refused it. */
  find<R>(holder: string, sessionId: string, secret: string, accept: (session: S) => Awaitable<R | undefined>): Awaitable<R | undefined>
  /** The live ones, the oldest first. */
  list(holder: string): Promise<readonly S[]>
  /** Ends one: this process refuses it at once, others within `maxStalenessMs`. Throws `NotFound`. */
  end(holder: string, sessionId: string): Promise<void>
}

const minute_ms = 60_000
/** A day's work, and a long lunch. Of more than `most` sessions of a holder, or links, the oldest end: each sign-in reads them all. */
export const sessionBounds = { whole_ms: 12 * 60 * minute_ms, idle_ms: 60 * minute_ms, link_ms: 10 * minute_ms, most: 50 } as const
/** A session in use costs one write in this time, by which it may end early. */
const use_ms = 5 * minute_ms

/** Another process has removed it. */
export function unlessGone(error: unknown): void {
  if (!isFreeholdError(error, 'NotFound')) throw error
}

/** Those that have ended, and the oldest of the others beyond what is kept with one more. */
export function overOf<T>(all: readonly T[], hasEnded: (each: T) => boolean): readonly T[] {
  const live = all.filter((each) => !hasEnded(each))
  return [...all.filter(hasEnded), ...live.slice(0, 1 - sessionBounds.most)]
}

/** Sessions that lie as items in the table of the keys. */
export function browserSessions<N, S extends StoredSession>(
  items: SessionItems<N, S>,
  { now, lookups, maxStalenessMs, unknownMs, entries_max, secretOf }: BrowserSessionsOptions,
): BrowserSessions<N, S> {
  const after = (ms: number) => new Date(now().getTime() + ms).toISOString()
  const isOver = (instant: string, more_ms = 0) => now().getTime() >= Date.parse(instant) + more_ms
  const hasEnded = ({ usedAt, expiresAt }: StoredSession) => isOver(expiresAt) || isOver(usedAt, sessionBounds.idle_ms)
  // Neither part has a space.
  const nameOf = (holder: string, sessionId: string) => `${holder} ${sessionId}`
  const parts = (name: string) => {
    const [holder = '', sessionId = ''] = name.split(' ')
    return [holder, sessionId] as const
  }
  const read = (name: string) => items.read(...parts(name))
  const cache = keyCache({ read, lookUp: limitedLookups(read, lookups), now, maxStalenessMs, unknownMs, entries_max })
  const noteUse = lastUses({ now, interval_ms: use_ms, entries_max, write: (name, usedAt) => items.used(...parts(name), usedAt) })
  const all = async (holder: string) => {
    const sessions: S[] = []
    for await (const session of items.all(holder)) sessions.push(session)
    return sessions
  }
  const end = async (holder: string, sessionId: string) => {
    await items.remove(holder, sessionId)
    // An id is stored in upper case, however a caller spells it.
    cache.forget(nameOf(holder, sessionId.trim().toUpperCase()))
  }
  return {
    open: async (holder, { agent, ...session }, until) => {
      // Nothing else removes those that have ended.
      for (const { sessionId } of overOf(await all(holder), hasEnded)) await end(holder, sessionId).catch(unlessGone)
      const own = after(sessionBounds.whole_ms)
      const expiresAt = until !== undefined && Date.parse(until) < Date.parse(own) ? until : own
      const secret = secretOf()
      const told = { agent: agent?.slice(0, 200).trim() || undefined, secretHash: hashOf(secret), usedAt: after(0), expiresAt }
      // The rest of what was given is the session's own.
      const { sessionId: id } = await items.create(holder, { ...(session as unknown as N), ...told })
      cache.forget(nameOf(holder, id))
      return { id, secret, expiresAt }
    },
    find: (holder, sessionId, secret, accept) =>
      whenThere(cache.keyOf(nameOf(holder, sessionId)), (session) => {
        if (!isSecretOf(secret, session?.secretHash) || session === undefined || hasEnded(session)) return undefined
        return whenThere(accept(session), (accepted) => {
          if (accepted !== undefined) noteUse(nameOf(holder, sessionId), session.usedAt)
          return accepted
        })
      }),
    list: async (holder) => (await all(holder)).filter((session) => !hasEnded(session)),
    end,
  }
}
