import { randomBytes } from 'node:crypto'
import { type ConnectedTable, type ConnectOptions, connect, creating, isFreeholdError } from '@freehold/table'
import { ensureTable, scanItems } from '@freehold/table/runtime'
import { ApiKey, FirstKey, serviceDesign } from './design.ts'
import { hashCache } from './hash-cache.ts'
import { formatKeyText, hashOf, isSecretOf, parseKeyText, secretBytes } from './key-text.ts'
import { type LookupLimits, limitedLookups } from './lookups.ts'

/** A new key. Its text is not available later. */
export interface NewKey {
  readonly keyId: string
  readonly name: string
  readonly createdAt: string
  /** The text that a client sends after `Authorization: Bearer`. */
  readonly text: string
}

export interface KeyEntry {
  readonly keyId: string
  readonly name: string
  readonly createdAt: string
}

/** The API keys of a service. */
export interface ApiKeys {
  /** The table of the keys, for health checks. */
  readonly table: Pick<ConnectedTable, 'runtime'>
  /**
   * The id of the key with this text, or undefined. Throws `Unavailable` if the table does not answer, and `Busy` if the key is not cached
   * and too many keys are being looked up.
   */
  verify(text: string): Promise<string | undefined>
  /** Creates the first key of a new table. Undefined later, even if all keys were revoked: then `newKey` creates one. */
  firstKey(): Promise<NewKey | undefined>
  /** @param name the key's name in lists, by default `key` */
  newKey(name?: string): Promise<NewKey>
  /** All keys, the oldest first. */
  list(): Promise<readonly KeyEntry[]>
  /** Keys that lie in the table without their entry in the directory: somebody else put them there, and they are refused. Scans the table. */
  foreign(): Promise<readonly KeyEntry[]>
  /** Revokes a key. This process refuses it at once, others within `maxStalenessMs`. Throws `NotFound`. */
  revoke(keyId: string): Promise<void>
  /** Ends the connections of `openKeys`. */
  close(): void
}

export interface KeysOptions extends ConnectOptions {
  /** How long a verified key is cached, in milliseconds, 5,000 by default. With 0 each request reads it. */
  readonly maxStalenessMs?: number
  /** The limits of looking up keys that are not cached. By default 16 at once, and 1,000 waiting. */
  readonly lookups?: Partial<LookupLimits>
  /** The random bytes of a new key's secret. */
  readonly secretBytes?: (count: number) => Uint8Array
}

/** The size of the cache of one process. An entry takes about 200 bytes. */
const entries_max = 1000

/**
 * How long an unknown id is cached, so that a key which another process creates works within that time. A key created here works at once.
 */
const unknownMs_max = 1000

/** Each lookup is one small read, and a waiting client has only sent its headers. */
const lookupsUnlessGiven: LookupLimits = { atOnce_max: 16, waiting_max: 1000 }

/**
 * Opens the service's table, and creates it if it is missing. Without the cache of verified keys every request would wait for one more
 * round trip, which doubles the time of a warm decision. With it, a revocation by another process counts after `maxStalenessMs`.
 */
export async function openKeys(options: KeysOptions = {}): Promise<ApiKeys> {
  const { maxStalenessMs = 5_000, secretBytes: bytesOf = randomBytes, lookups = {} } = options
  const table = connect(serviceDesign, options)
  await ensureTable(table.runtime)
  const read = async (keyId: string) => (await table.ApiKey.get({ keyId }, { consistent: true, secrets: ['secretHash'] }))?.secretHash
  /** Both are written in one transaction. A key that this process has not seen before must have its entry, too. */
  const readListed = async (keyId: string) => {
    const hash = await read(keyId)
    if (hash === undefined) return undefined
    return (await table.ApiKeyEntry.get({ keyId }, { consistent: true })) === undefined ? undefined : hash
  }
  const hashes = hashCache({
    read,
    lookUp: limitedLookups(readListed, { ...lookupsUnlessGiven, ...lookups }),
    now: table.runtime.now,
    maxStalenessMs,
    unknownMs: Math.min(unknownMs_max, maxStalenessMs),
    entries_max,
  })

  const told = ({ keyId, name, createdAt }: KeyEntry, secret: string): NewKey => {
    hashes.forget(keyId)
    return { keyId, name, createdAt, text: formatKeyText({ keyId, secret }) }
  }

  const newParts = () => ({ keyId: table.runtime.making().ulid(), secret: Buffer.from(bytesOf(secretBytes)).toString('base64url') })

  const list = async () => {
    const keys: KeyEntry[] = []
    for await (const { keyId, name, createdAt } of table.apiKeys.all({}, { consistent: true })) keys.push({ keyId, name, createdAt })
    return keys
  }

  return {
    table,
    verify: async (text) => {
      const parts = parseKeyText(text)
      if (parts === undefined) return undefined
      return isSecretOf(parts.secret, await hashes.hashOf(parts.keyId)) ? parts.keyId : undefined
    },
    firstKey: async () => {
      if ((await table.FirstKey.get({}, { consistent: true })) !== undefined) return undefined
      const { keyId, secret } = newParts()
      try {
        const { key } = await table.transact({
          first: creating(FirstKey, { keyId }),
          key: creating(ApiKey, { keyId, name: 'first key', secretHash: hashOf(secret) }),
        })
        return key === undefined ? undefined : told(key, secret)
      } catch (error) {
        // Another process has started at the same moment and has created the first key.
        if (isFreeholdError(error, 'TransactionFailed') && isFreeholdError(error.details.failures?.first, 'AlreadyExists')) return undefined
        throw error
      }
    },
    newKey: async (name = 'key') => {
      const { keyId, secret } = newParts()
      return told(await table.ApiKey.create({ keyId, name, secretHash: hashOf(secret) }), secret)
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
      hashes.forget(keyId.trim().toUpperCase())
    },
    close: () => {
      if (options.sender === undefined) table.close()
    },
  }
}
