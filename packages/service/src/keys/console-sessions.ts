import { type Item, isFreeholdError, type Table } from '@freehold/table'
import { type Awaitable, whenThere } from '@freehold/table/runtime'
import type { ConsoleLink, ConsoleSession, serviceDesign } from './design.ts'
import { keyCache } from './key-cache.ts'
import { formatBoundText, hashOf, isSecretOf, parseBoundText } from './key-text.ts'
import { lastUses } from './last-uses.ts'
import { type LookupLimits, limitedLookups } from './lookups.ts'
import type { VerifiedKey, VerifiedSession } from './purpose.ts'

/** A session in a list. Nothing in it lets anybody in. */
export type SessionEntry = Pick<Item<typeof ConsoleSession>, 'keyId' | 'sessionId' | 'createdAt' | 'usedAt' | 'expiresAt'> & {
  readonly agent?: string
}

/** Text that lets its bearer in until then. It is not available later. */
export interface Opened {
  readonly text: string
  readonly expiresAt: string
}

/** Sessions of browsers. A browser holds the text of a session in a cookie that no script reads, and never a key. */
export interface ConsoleSessions {
  /** Begins a session of a key that was verified. */
  open(key: VerifiedKey, agent?: string): Promise<Opened>
  /** Makes a link by which one session of this key is opened within ten minutes. @throws NotFound if there is no such key */
  newLink(keyId: string): Promise<Opened>
  /** The key of a link, which no one uses again. Undefined for one that is unknown, used or over. */
  useLink(text: string): Promise<VerifiedKey | undefined>
  /** The key of a session. Undefined for one that is unknown, ended, idle for too long or over, and for one whose key is not accepted. */
  identify(text: string): Awaitable<(VerifiedKey & { readonly session: VerifiedSession }) | undefined>
  /** The live sessions of a key, the oldest first. */
  list(keyId: string): Promise<readonly SessionEntry[]>
  /** Ends a session: this process refuses it at once, others within `maxStalenessMs`. Throws `NotFound`. */
  end(keyId: string, sessionId: string): Promise<void>
}

export interface SessionsOptions {
  /** The live key with this id. */
  readonly keyOf: (keyId: string) => Awaitable<VerifiedKey | undefined>
  readonly lookups: LookupLimits
  readonly maxStalenessMs: number
  readonly unknownMs: number
  readonly entries_max: number
  readonly secretOf: () => string
}

const minute_ms = 60_000
/** A day's work, and a long lunch. Of more than `most` sessions of a key, or links, the oldest end: each sign-in reads them all. */
export const sessionBounds = { whole_ms: 12 * 60 * minute_ms, idle_ms: 60 * minute_ms, link_ms: 10 * minute_ms, most: 50 } as const
/** A session in use costs one write in this time, by which it may end early. */
const use_ms = 5 * minute_ms

/** Another process has removed it. */
function unlessGone(error: unknown): void {
  if (!isFreeholdError(error, 'NotFound')) throw error
}

/** Those that have ended, and the oldest of the others beyond what is kept with one more. */
function overOf<T>(all: readonly T[], hasEnded: (each: T) => boolean): readonly T[] {
  const live = all.filter((each) => !hasEnded(each))
  return [...all.filter(hasEnded), ...live.slice(0, 1 - sessionBounds.most)]
}

/** The sessions and links of the console, in the table of the keys. */
export function consoleSessions(table: Table<typeof serviceDesign>, options: SessionsOptions): ConsoleSessions {
  const { keyOf, lookups, maxStalenessMs, unknownMs, entries_max, secretOf } = options
  const { now } = table.runtime
  const after = (ms: number) => new Date(now().getTime() + ms).toISOString()
  const isOver = (instant: string, more_ms = 0) => now().getTime() >= Date.parse(instant) + more_ms
  const hasEnded = ({ usedAt, expiresAt }: Pick<SessionEntry, 'usedAt' | 'expiresAt'>) =>
    isOver(expiresAt) || isOver(usedAt, sessionBounds.idle_ms)

  const parts = (name: string) => {
    const [keyId = '', sessionId = ''] = name.split(' ')
    return { keyId, sessionId }
  }
  const nameOf = (keyId: string, sessionId: string) => `${keyId} ${sessionId}`
  const read = (name: string) => table.ConsoleSession.get(parts(name), { consistent: true, secrets: ['secretHash'] })
  const linkNamed = limitedLookups((name: string) => {
    const { keyId, sessionId: linkId } = parts(name)
    return table.ConsoleLink.get({ keyId, linkId }, { consistent: true, secrets: ['secretHash'] })
  }, lookups)
  const cache = keyCache({ read, lookUp: limitedLookups(read, lookups), now, maxStalenessMs, unknownMs, entries_max })
  const noteUse = lastUses({
    ...{ now, interval_ms: use_ms, entries_max },
    write: (name, usedAt) => table.ConsoleSession.update(parts(name), { usedAt }),
  })

  const list = async (keyId: string) => {
    const sessions: SessionEntry[] = []
    for await (const { createdAt, usedAt, expiresAt, agent, sessionId } of table.sessionsOfKey.all({ keyId }, { consistent: true }))
      sessions.push({ keyId, sessionId, createdAt, usedAt, expiresAt, ...(agent === undefined ? {} : { agent }) })
    return sessions
  }
  const end = async (keyId: string, sessionId: string) => {
    await table.ConsoleSession.remove({ keyId, sessionId })
    cache.forget(nameOf(keyId.trim().toUpperCase(), sessionId.trim().toUpperCase()))
  }
  /** Nothing else removes those that have ended. It leaves room for one more. */
  const sweep = async (keyId: string) => {
    const links: Item<typeof ConsoleLink>[] = []
    for await (const link of table.linksOfKey.all({ keyId }, { consistent: true })) links.push(link)
    for (const { sessionId } of overOf(await list(keyId), hasEnded)) await end(keyId, sessionId).catch(unlessGone)
    for (const { linkId } of overOf(links, ({ expiresAt }) => isOver(expiresAt)))
      await table.ConsoleLink.remove({ keyId, linkId }).catch(unlessGone)
  }

  return {
    open: async ({ keyId, expiresAt: until }, agent) => {
      await sweep(keyId)
      const own = after(sessionBounds.whole_ms)
      const expiresAt = until !== undefined && Date.parse(until) < Date.parse(own) ? until : own
      const secret = secretOf()
      const given = { keyId, secretHash: hashOf(secret), usedAt: after(0), expiresAt, agent: agent?.slice(0, 200).trim() || undefined }
      const { sessionId: id } = await table.ConsoleSession.create(given)
      cache.forget(nameOf(keyId, id))
      return { text: formatBoundText('fhs', { keyId, id, secret }), expiresAt }
    },
    newLink: async (keyId) => {
      await sweep(keyId)
      const [secret, expiresAt] = [secretOf(), after(sessionBounds.link_ms)]
      const { linkId: id } = await table.ConsoleLink.create({ keyId, secretHash: hashOf(secret), expiresAt })
      return { text: formatBoundText('fhl', { keyId, id, secret }), expiresAt }
    },
    useLink: async (text) => {
      const named = parseBoundText('fhl', text)
      if (named === undefined) return undefined
      const { keyId, id: linkId, secret } = named
      const link = await linkNamed(nameOf(keyId, linkId))
      if (!isSecretOf(secret, link?.secretHash) || link === undefined || isOver(link.expiresAt)) return undefined
      try {
        // Of two that use it at once, one removes it.
        await table.ConsoleLink.remove({ keyId, linkId }, { version: link.version })
      } catch (error) {
        if (isFreeholdError(error, 'NotFound') || isFreeholdError(error, 'VersionConflict')) return undefined
        throw error
      }
      return keyOf(keyId)
    },
    identify: (text) => {
      const named = parseBoundText('fhs', text)
      if (named === undefined) return undefined
      const { keyId, id: sessionId, secret } = named
      return whenThere(cache.keyOf(nameOf(keyId, sessionId)), (session) => {
        if (!isSecretOf(secret, session?.secretHash) || session === undefined || hasEnded(session)) return undefined
        return whenThere(keyOf(keyId), (key) => {
          if (key === undefined) return undefined
          noteUse(nameOf(keyId, sessionId), session.usedAt)
          return { ...key, session: { sessionId, endsAt: session.expiresAt } }
        })
      })
    },
    list: async (keyId) => (await list(keyId)).filter((session) => !hasEnded(session)),
    end,
  }
}
