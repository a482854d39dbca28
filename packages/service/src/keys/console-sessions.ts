import { type Item, isFreeholdError, type Table } from '@freehold/table'
import { type Awaitable, whenThere } from '@freehold/table/runtime'
import {
  type BrowserSessionsOptions,
  browserSessions,
  type Opened,
  overOf,
  type StoredSession,
  sessionBounds,
  unlessGone,
} from './browser-sessions.ts'
import type { ConsoleLink, serviceDesign } from './design.ts'
import { formatBoundText, hashOf, isSecretOf, parseBoundText } from './key-text.ts'
import { limitedLookups } from './lookups.ts'
import type { VerifiedKey, VerifiedSession } from './purpose.ts'

/** A session in a list. */
export interface SessionEntry extends StoredSession {
  readonly keyId: string
}

/** Sessions of browsers that a key let in. A browser holds the text of a session in a cookie that no script reads, and never a key. */
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

export interface SessionsOptions extends BrowserSessionsOptions {
  /** The live key with this id. */
  readonly keyOf: (keyId: string) => Awaitable<VerifiedKey | undefined>
}

/** The sessions and links of the console, in the table of the keys. */
export function consoleSessions(table: Table<typeof serviceDesign>, options: SessionsOptions): ConsoleSessions {
  const { keyOf, lookups, now, secretOf } = options
  const isOver = (instant: string) => now().getTime() >= Date.parse(instant)
  const linkNamed = limitedLookups(
    (of: { readonly keyId: string; readonly linkId: string }) => table.ConsoleLink.get(of, { consistent: true, secrets: ['secretHash'] }),
    lookups,
  )
  const sessions = browserSessions<unknown, SessionEntry>(
    {
      create: (keyId, { usedAt, expiresAt, agent, secretHash }) =>
        table.ConsoleSession.create({ keyId, usedAt, expiresAt, agent, secretHash }),
      read: (keyId, sessionId) => table.ConsoleSession.get({ keyId, sessionId }, { consistent: true, secrets: ['secretHash'] }),
      used: (keyId, sessionId, usedAt) => table.ConsoleSession.update({ keyId, sessionId }, { usedAt }),
      all: (keyId) => table.sessionsOfKey.all({ keyId }, { consistent: true }),
      remove: (keyId, sessionId) => table.ConsoleSession.remove({ keyId, sessionId }),
    },
    options,
  )
  const sweepLinks = async (keyId: string) => {
    const links: Item<typeof ConsoleLink>[] = []
    for await (const link of table.linksOfKey.all({ keyId }, { consistent: true })) links.push(link)
    for (const { linkId } of overOf(links, ({ expiresAt }) => isOver(expiresAt)))
      await table.ConsoleLink.remove({ keyId, linkId }).catch(unlessGone)
  }
  return {
    open: async ({ keyId, expiresAt: until }, agent) => {
      const { id, secret, expiresAt } = await sessions.open(keyId, { agent }, until)
      return { text: formatBoundText('fhs', { keyId, id, secret }), expiresAt }
    },
    newLink: async (keyId) => {
      await sweepLinks(keyId)
      const [secret, expiresAt] = [secretOf(), new Date(now().getTime() + sessionBounds.link_ms).toISOString()]
      const { linkId: id } = await table.ConsoleLink.create({ keyId, secretHash: hashOf(secret), expiresAt })
      return { text: formatBoundText('fhl', { keyId, id, secret }), expiresAt }
    },
    useLink: async (text) => {
      const named = parseBoundText('fhl', text)
      if (named === undefined) return undefined
      const { keyId, id: linkId, secret } = named
      const link = await linkNamed({ keyId, linkId })
      if (!isSecretOf(secret, link?.secretHash) || link === undefined || isOver(link.expiresAt)) return undefined
      try {
        // Of two that use it at once, one removes it.
        await table.ConsoleLink.remove({ keyId, linkId })
      } catch (error) {
        if (isFreeholdError(error, 'NotFound')) return undefined
        throw error
      }
      return keyOf(keyId)
    },
    identify: (text) => {
      const named = parseBoundText('fhs', text)
      if (named === undefined) return undefined
      const { keyId, id, secret } = named
      return sessions.find(keyId, id, secret, ({ sessionId, expiresAt }) =>
        whenThere(keyOf(keyId), (key) => key && { ...key, session: { sessionId, endsAt: expiresAt } }),
      )
    },
    list: async (keyId) =>
      (await sessions.list(keyId)).map(({ sessionId, createdAt, usedAt, expiresAt, agent }) => ({
        ...{ keyId, sessionId, createdAt, usedAt, expiresAt },
        ...(agent === undefined ? {} : { agent }),
      })),
    end: (keyId, sessionId) => sessions.end(keyId.trim().toUpperCase(), sessionId),
  }
}
