import { randomBytes } from 'node:crypto'
import {
  type ConnectedTable,
  type ConnectOptions,
  connect,
  creating,
  FreeholdError,
  type Item,
  isFreeholdError,
  updating,
} from '@freehold/table'
import { type Awaitable, ensureTable, parallelMap, scanItems, whenThere } from '@freehold/table/runtime'
import { type BrowserSessions, browserSessions } from './browser-sessions.ts'
import { type ConsoleSessions, consoleSessions } from './console-sessions.ts'
import { ApiKey, FirstKey, serviceDesign } from './design.ts'
import { keyCache } from './key-cache.ts'
import { checkLimits, refused } from './key-limits.ts'
import { formatKeyText, hashOf, isSecretOf, parseKeyText, secretBytes } from './key-text.ts'
import { lastUses } from './last-uses.ts'
import { type LookupLimits, limitedLookups } from './lookups.ts'
import { type PersonSessionItem, personItems, type SignedInBy } from './person-items.ts'
import type { KeyLimits, VerifiedKey } from './purpose.ts'
import { type SavedQuestions, savedQuestions } from './saved-questions.ts'

export interface KeyEntry extends KeyLimits {
  readonly keyId: string
  readonly name: string
  readonly createdAt: string
  /** Who made it. Absent for a key that was made before keys told that, or by a program that did not say. */
  readonly createdBy?: string | undefined
  /** When it was last used, to the hour. Absent if it was not used. */
  readonly lastUsedAt?: string | undefined
  /** The id of the key that replaces it. */
  readonly replacedBy?: string | undefined
}

/** A new key. Its text is not available later. */
export interface NewKey extends KeyEntry {
  /** The text that a client sends after `Authorization: Bearer`. */
  readonly text: string
}

/** A key to be made. */
export interface KeyToMake extends KeyLimits, MadeBy {}

/** Who makes a key. */
export interface MadeBy {
  readonly createdBy?: string | undefined
  /** The end of the key of its maker, which it may not outlive. */
  readonly until?: string | undefined
}

export interface Rotation extends MadeBy {
  /** How long the former key is still accepted, in milliseconds. Not beyond its own end. */
  readonly overlap_ms: number
}

/** The API keys of a service. */
export interface ApiKeys {
  /** The table of the keys, for health checks. */
  readonly table: Pick<ConnectedTable, 'runtime'>
  /**
   * The key with this text, or undefined: unknown, revoked and expired keys look alike. It is no promise if the key is cached. Notes its use. Throws
   * `Unavailable` if the table does not answer, and `Busy` if the key is not cached and too many keys are being looked up.
   */
  identify(text: string): Awaitable<VerifiedKey | undefined>
  /** The id of an operator's key without limits: what `identify` tells of others cannot be lost by calling this. Throws as `identify` does. */
  verify(text: string): Promise<string | undefined>
  /** Creates the first key of a new table. Undefined later, even if all keys were revoked: then `newKey` creates one. */
  firstKey(): Promise<NewKey | undefined>
  /**
   * @param name the key's name in lists, by default `key`
   * @throws InvalidInput for limits that contradict each other, and for an end that has passed
   */
  newKey(name?: string, how?: KeyToMake): Promise<NewKey>
  /**
   * Makes a key with the limits of another, which is accepted for `overlap_ms` more.
   * @throws NotFound, and InvalidInput for a key that has expired or was rotated before
   */
  rotate(keyId: string, rotation: Rotation): Promise<NewKey>
  /** All keys, the oldest first. */
  list(): Promise<readonly KeyEntry[]>
  /** Keys that lie in the table without their entry in the directory: somebody else put them there, and they are refused. Scans the table. */
  foreign(): Promise<readonly KeyEntry[]>
  /** Revokes a key. This process refuses it at once, others within `maxStalenessMs`. Throws `NotFound`. */
  revoke(keyId: string): Promise<void>
  /** The sessions of the console, each by one of these keys. */
  readonly sessions: ConsoleSessions
  /** The sessions of the console of people who signed in. */
  readonly people: BrowserSessions<SignedInBy, PersonSessionItem>
  /** The saved questions of designs, which lie beside the keys. */
  readonly saved: SavedQuestions
  /** Ends the connections of `openKeys`. */
  close(): void
}

export interface KeysOptions extends ConnectOptions {
  /** True if a deployment has created the table: nothing is then sent before the first key. By default it is created if it is missing. */
  readonly isDeployed?: boolean
  /** How long a verified key is cached, in milliseconds, 5,000 by default. With 0 each request reads it. */
  readonly maxStalenessMs?: number
  /** The limits of looking up keys that are not cached. By default 16 at once, and 1,000 waiting. */
  readonly lookups?: Partial<LookupLimits>
  /** Called with each key that a request brings: with its age in the cache, or with undefined where it is read. It must not throw. */
  readonly onKey?: ((age_ms: number | undefined) => void) | undefined
}

/** Each lookup is one small read, and a waiting client has only sent its headers. */
const lookupsUnlessGiven: LookupLimits = { atOnce_max: 16, waiting_max: 1000 }

/** The most keys that are cached, and the most ids without a key. An entry takes about 500 bytes. */
const entries_max = 1_000

/** How long an id without a key is cached: a key that another process creates works within that time. */
const unknown_ms = 1_000

/** How old the stored last use of a key becomes before it is written again. */
const use_ms = 3_600_000

/** Thirty days: a rotation whose former key lives longer is none. */
const overlapMax_ms = 30 * 24 * 3_600_000

type Made = Omit<KeyEntry, 'purpose'> & Pick<Item<typeof ApiKey>, 'purpose'>

/** What lists tell of a key. An attribute that the item lacks is left out. */
function entryOf({
  keyId,
  name,
  createdAt,
  createdBy,
  purpose,
  designs,
  tenant,
  flows,
  expiresAt,
  lastUsedAt,
  replacedBy,
}: Made): KeyEntry {
  const told = { keyId, name, createdAt, createdBy, purpose, designs, tenant, flows, expiresAt, lastUsedAt, replacedBy }
  // The same members, without those that are undefined.
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined)) as unknown as KeyEntry
}

/**
 * Opens the service's table, and creates it if it is missing, unless a deployment has. Without the cache of verified keys every request would wait for one more
 * round trip, which doubles the time of a warm decision. With it, a revocation by another process counts after `maxStalenessMs`.
 */
export async function openKeys(options: KeysOptions = {}): Promise<ApiKeys> {
  const { isDeployed = false, maxStalenessMs = 5_000, lookups = {}, onKey } = options
  const table = connect(serviceDesign, options)
  const { now } = table.runtime
  if (!isDeployed) await ensureTable(table.runtime)
  const read = (keyId: string) => table.ApiKey.get({ keyId }, { consistent: true, secrets: ['secretHash'] })
  /** Both are written in one transaction. A key that this process has not seen before must have its entry, too. */
  const readListed = async (keyId: string) => {
    const key = await read(keyId)
    if (key === undefined) return undefined
    return (await table.ApiKeyEntry.get({ keyId }, { consistent: true })) === undefined ? undefined : key
  }
  const cache = keyCache({
    read,
    lookUp: limitedLookups(readListed, { ...lookupsUnlessGiven, ...lookups }),
    now,
    maxStalenessMs,
    unknownMs: Math.min(unknown_ms, maxStalenessMs),
    entries_max,
    onKey,
  })
  const noteUse = lastUses({
    now,
    interval_ms: use_ms,
    entries_max,
    write: (keyId, lastUsedAt) => table.ApiKey.update({ keyId }, { lastUsedAt }),
  })

  /** The clock is asked again, since a cached key may have expired meanwhile. */
  const isLive = ({ expiresAt }: { readonly expiresAt?: string | undefined }) =>
    expiresAt === undefined || now().getTime() < Date.parse(expiresAt)
  const keyNamed = (text: string) => {
    const parts = parseKeyText(text)
    if (parts === undefined) return undefined
    return whenThere(cache.keyOf(parts.keyId), (key) => {
      if (!isSecretOf(parts.secret, key?.secretHash) || key === undefined) return undefined
      return isLive(key) ? key : undefined
    })
  }
  const verified = ({ keyId, purpose = 'operator', designs, tenant, flows, expiresAt, name }: Made): VerifiedKey => ({
    ...{ keyId, purpose, designs, tenant, flows, expiresAt, name: purpose === 'application' ? name : undefined },
  })
  const kept = {
    ...{ now, maxStalenessMs, entries_max },
    lookups: { ...lookupsUnlessGiven, ...lookups },
    unknownMs: Math.min(unknown_ms, maxStalenessMs),
    secretOf: () => Buffer.from(randomBytes(secretBytes)).toString('base64url'),
  }
  const sessions = consoleSessions(table, {
    ...kept,
    keyOf: (keyId) =>
      whenThere(cache.keyOf(keyId), (key) => {
        if (key === undefined || !isLive(key)) return undefined
        noteUse(keyId, key.lastUsedAt)
        return verified(key)
      }),
  })

  const newParts = () => ({ keyId: table.runtime.making().ulid(), secret: kept.secretOf() })
  const told = (key: Made, secret: string): NewKey => {
    cache.forget(key.keyId)
    return { ...entryOf(key), text: formatKeyText({ keyId: key.keyId, secret }) }
  }

  const list = async () => {
    const ids: string[] = []
    for await (const { keyId } of table.apiKeys.all({}, { consistent: true })) ids.push(keyId)
    const keys = await parallelMap(ids, (keyId) => table.ApiKey.get({ keyId }, { consistent: true }))
    return keys.filter((key) => key !== undefined).map(entryOf)
  }

  return {
    table,
    identify: (text) =>
      whenThere(keyNamed(text), (key) => {
        if (key === undefined) return undefined
        noteUse(key.keyId, key.lastUsedAt)
        return verified(key)
      }),
    verify: async (text) => {
      const key = await keyNamed(text)
      const { purpose = 'operator', designs } = key ?? {}
      return purpose === 'operator' && designs === undefined ? key?.keyId : undefined
    },
    firstKey: async () => {
      if ((await table.FirstKey.get({}, { consistent: true })) !== undefined) return undefined
      const { keyId, secret } = newParts()
      try {
        const { key } = await table.transact({
          first: creating(FirstKey, { keyId }),
          key: creating(ApiKey, { keyId, name: 'first key', createdBy: 'the first start', secretHash: hashOf(secret) }),
        })
        return key === undefined ? undefined : told(key, secret)
      } catch (error) {
        // Another process has started at the same moment and has created the first key.
        if (isFreeholdError(error, 'TransactionFailed') && isFreeholdError(error.details.failures?.first, 'AlreadyExists')) return undefined
        throw error
      }
    },
    newKey: async (name = 'key', { purpose, designs, tenant, flows, expiresAt, createdBy, until } = {}) => {
      const limits = { purpose, designs: designs && [...designs], tenant, flows: flows && [...flows], expiresAt }
      checkLimits({ ...limits, until }, now())
      const { keyId, secret } = newParts()
      return told(await table.ApiKey.create({ keyId, name, createdBy, ...limits, secretHash: hashOf(secret) }), secret)
    },
    rotate: async (id, { overlap_ms, createdBy, until }) => {
      const keyId = id.trim().toUpperCase()
      const former = await table.ApiKey.get({ keyId }, { consistent: true })
      if (former === undefined) throw new FreeholdError('NotFound', `There is no ApiKey ${keyId}.`, { entity: ApiKey.name })
      const { name, purpose, designs, tenant, flows, expiresAt, replacedBy } = former
      if (replacedBy !== undefined) throw refused('keyId', `was rotated before: ${replacedBy} replaces it`)
      checkLimits({ purpose, designs, tenant, flows, expiresAt, until }, now())
      if (!(overlap_ms >= 0 && overlap_ms <= overlapMax_ms)) throw refused('overlap_ms', `is not from 0 to ${overlapMax_ms}`)
      const end_ms = now().getTime() + overlap_ms
      const end = expiresAt !== undefined && Date.parse(expiresAt) < end_ms ? expiresAt : new Date(end_ms).toISOString()
      const { keyId: next, secret } = newParts()
      const { key } = await table.transact({
        former: updating(ApiKey, { keyId }, { expiresAt: end, replacedBy: next }, { where: { replacedBy: null } }),
        key: creating(ApiKey, { keyId: next, name, createdBy, purpose, designs, tenant, flows, expiresAt, secretHash: hashOf(secret) }),
      })
      cache.forget(keyId)
      // The step creates it.
      return told(key as Made, secret)
    },
    list,
    foreign: async () => {
      const keys: KeyEntry[] = []
      // Somebody else's items may lack any attribute.
      for await (const items of scanItems(table.runtime, [ApiKey]))
        for (const { keyId, name = '', createdAt = '' } of items)
          keys.push({ keyId: String(keyId), name: String(name), createdAt: String(createdAt) })
      const listed = new Set((await list()).map(({ keyId }) => keyId))
      return keys.filter(({ keyId }) => !listed.has(keyId))
    },
    revoke: async (keyId) => {
      await table.ApiKey.remove({ keyId })
      // The key's id is stored as a ULID in upper case, however the caller spells it.
      cache.forget(keyId.trim().toUpperCase())
    },
    sessions,
    people: browserSessions(personItems(table), kept),
    saved: savedQuestions(table),
    close: () => {
      if (options.sender === undefined) table.close()
    },
  }
}
