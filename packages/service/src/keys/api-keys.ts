import { randomBytes } from 'node:crypto'
import { type ConnectedTable, type ConnectOptions, connect, creating, isFreeholdError } from '@freehold/table'
import { ensureTable } from '@freehold/table/runtime'
import { ApiKey, FirstKey, serviceDesign } from './design.ts'
import { hashCache } from './hash-cache.ts'
import { formatKeyText, hashOf, isSecretOf, parseKeyText, secretBytes } from './key-text.ts'
import { type LookupLimits, limitedLookups } from './lookups.ts'

/** A key that was just made: the only time that its text is to be had. */
export interface NewKey {
  readonly keyId: string
  readonly name: string
  readonly createdAt: string
  /** What a client sends after `Authorization: Bearer`. */
  readonly text: string
}

export interface KeyEntry {
  readonly keyId: string
  readonly name: string
  readonly createdAt: string
}

/** The API keys of a service. */
export interface ApiKeys {
  /** Where they are kept: a check of health reads it. */
  readonly table: Pick<ConnectedTable, 'runtime'>
  /**
   * The id of the key that this is the text of; undefined for any other text. Throws `Unavailable` where the table does not answer, and `Busy` where
   * this process does not remember the key and looks up as many as it may.
   */
  verify(text: string): Promise<string | undefined>
  /** Makes the first key of a new table; undefined ever after, also where all keys were revoked: then `newKey` makes one. */
  firstKey(): Promise<NewKey | undefined>
  /** @param name what a person tells it by in a list; `key` unless given */
  newKey(name?: string): Promise<NewKey>
  /** All keys, the oldest first. */
  list(): Promise<readonly KeyEntry[]>
  /** From now on this process refuses it, others within `maxStalenessMs`. Throws `NotFound`. */
  revoke(keyId: string): Promise<void>
  /** Ends the connections that `openKeys` made itself. */
  close(): void
}

export interface KeysOptions extends ConnectOptions {
  /** How long a key that was verified may be taken from memory, in milliseconds; 5,000 unless given, 0 to read each time. */
  readonly maxStalenessMs?: number
  /** Keys that this process does not remember: 16 are looked up at once and 1,000 wait, unless given. */
  readonly lookups?: Partial<LookupLimits>
  /** The random bytes of a new key's secret. */
  readonly secretBytes?: (count: number) => Uint8Array
}

/** What one process remembers, at about 200 bytes each. */
const entries_max = 1000

/** How long an id stays unknown: a key that another process has made under it works no later. One that is made here works at once. */
const unknownMs_max = 1000

/** Each of these is one small read, and whoever waits has sent no more than its headers. */
const lookupsUnlessGiven: LookupLimits = { atOnce_max: 16, waiting_max: 1000 }

/**
 * Opens the service's table, and makes it where it is missing. Without the memory of verified keys every request would wait one round trip
 * more, which doubles that of a warm decision; with it, a revocation that another process made counts after `maxStalenessMs`.
 */
export async function openKeys(options: KeysOptions = {}): Promise<ApiKeys> {
  const { maxStalenessMs = 5_000, secretBytes: bytesOf = randomBytes, lookups = {} } = options
  const table = connect(serviceDesign, options)
  await ensureTable(table.runtime)
  const read = async (keyId: string) => (await table.ApiKey.get({ keyId }, { consistent: true, secrets: ['secretHash'] }))?.secretHash
  const hashes = hashCache({
    read,
    lookUp: limitedLookups(read, { ...lookupsUnlessGiven, ...lookups }),
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
        // Another process started at the same moment, and its key is the first.
        if (isFreeholdError(error, 'TransactionFailed') && isFreeholdError(error.details.failures?.first, 'AlreadyExists')) return undefined
        throw error
      }
    },
    newKey: async (name = 'key') => {
      const { keyId, secret } = newParts()
      return told(await table.ApiKey.create({ keyId, name, secretHash: hashOf(secret) }), secret)
    },
    list: async () => {
      const keys: KeyEntry[] = []
      for await (const { keyId, name, createdAt } of table.apiKeys.all({}, { consistent: true })) keys.push({ keyId, name, createdAt })
      return keys
    },
    revoke: async (keyId) => {
      await table.ApiKey.remove({ keyId })
      // The key is stored as a ULID is, in upper case, however its id was spelt here.
      hashes.forget(keyId.trim().toUpperCase())
    },
    close: () => {
      if (options.sender === undefined) table.close()
    },
  }
}
