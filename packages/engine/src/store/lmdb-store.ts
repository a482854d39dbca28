import { existsSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { open, type RootDatabase } from 'lmdb'
import { checkFile, page_bytes, storageError } from './checked-file.ts'
import { StorageError } from './storage-error.ts'
import type { Range, Row, Store, Writing } from './store.ts'

/** The version of what lies in the file. An engine refuses a later one than its own. */
const format = 1
const formatKey = '\0format'

/** Shapes of records whose names are written once for all. Beyond these a record carries its names. */
const structures_max = 500

const keyEncoder = {
  writeKey(key: string, target: Buffer, position: number): number {
    // LMDB's buffer is allocated anew on a RangeError.
    if (position + key.length > target.length) throw new RangeError('The key does not fit.')
    return position + target.write(key, position, 'latin1')
  },
  readKey: (source: Buffer, start: number, end: number): string => source.toString('latin1', start, end),
}

/** A write under way. */
interface Waiting {
  hasBegun: boolean
  refuse(error: StorageError): void
}

/** What lmdb tells of a batch of writes that it has done, begun or committed. Other numbers are errors. */
const batch_max = 2

/** Rows on disk, in one file of LMDB, which several processes may open at once. */
export class LmdbStore implements Store, Writing {
  readonly #db: RootDatabase<unknown, string>
  readonly #file: string
  readonly #waiting = new Set<Waiting>()
  /** Why no more writes are taken. */
  #broken: StorageError | undefined

  /**
   * @param path a folder, which is made if it is not there, or a file that ends in `.mdb`
   * @param opening lmdb's `open`, or one that fails for a test
   * @throws StorageError
   */
  constructor(path: string, opening: typeof open = open) {
    const file = extname(path) === '.mdb' ? path : join(path, 'data.mdb')
    this.#file = file
    checkFile(file)
    try {
      this.#db = opening({
        path: file,
        noSubdir: true,
        // Keys of an index take up to 2.6 kB; pages of the default size limit them to 1,978 bytes.
        pageSize: page_bytes,
        maxReaders: 512,
        // Batches that LMDB makes by itself are promises that nobody awaits.
        eventTurnBatching: false,
        encoding: 'msgpack',
        sharedStructuresKey: '\0structures',
        // These options are passed on to msgpackr and to the keys; lmdb's types lack them.
        ...({ maxSharedStructures: structures_max, keyEncoder } as object),
      })
      this.#db.on('aftercommit', ({ txnId }: { readonly txnId?: number }) => {
        if (txnId === undefined) this.#forgetStructures()
      })
      this.#watchBatches()
      const found = this.#db.get(formatKey)
      if (found === undefined) this.#db.putSync(formatKey, format)
      else if (found !== format) {
        void this.#db.close()
        throw new StorageError('StorageNewer', file)
      }
    } catch (error) {
      throw storageError(file, error)
    }
  }

  read<T>(work: (reading: Writing) => T): T {
    // LMDB's view lasts for a turn of the event loop. Another process may have answered since it began.
    this.#db.resetReadTxn()
    try {
      return work(this)
    } catch (error) {
      throw this.#told(error)
    }
  }

  async write<T>(work: (writing: Writing) => T): Promise<T> {
    let id = Number.POSITIVE_INFINITY
    if (this.#broken !== undefined) throw this.#broken
    return new Promise<T>((resolve, refuse) => {
      const waiting: Waiting = { hasBegun: false, refuse }
      this.#waiting.add(waiting)
      // It resolves when the flush has ended. The store's `flushed` would wait for later writes too, and for ever if those fail.
      const written = this.#db.transaction(() => {
        id = this.#db.getWriteTxnId()
        waiting.hasBegun = true
        return work(this)
      })
      const told = async (error: unknown) =>
        error instanceof Error && 'commitError' in error ? this.#failure(error, error.commitError, id) : this.#told(error)
      const ended = (): boolean => this.#waiting.delete(waiting)
      written.finally(ended).then(resolve, (error: unknown) => told(error).then(refuse, refuse))
    })
  }

  /**
   * If a transaction cannot even begin, lmdb prints that, and its writes wait for ever. Nobody knows what lmdb would do with them if later ones
   * came, so none come.
   */
  #watchBatches(): void {
    type Done = (status: number) => unknown
    // lmdb's types lack its environment.
    const { env } = this.#db as unknown as { readonly env: { startWriting(address: unknown, done: Done): void } }
    const start = env.startWriting
    const value = (address: unknown, done: Done) => {
      const begun = [...this.#waiting]
      start.call(env, address, (status) => {
        // Writes of a batch that began and failed are told so within these turns.
        if (status < 0 || status > batch_max) {
          void turn()
            .then(() => turn())
            .then(() => this.#refuse(begun, status))
        }
        return done(status)
      })
    }
    Object.defineProperty(env, 'startWriting', { value })
  }

  #refuse(begun: readonly Waiting[], code: number): void {
    const left = begun.filter((each) => !each.hasBegun && this.#waiting.has(each))
    if (left.length === 0) return
    const cause = Object.assign(new Error(`LMDB begins no write (${code})`), { code })
    this.#broken = storageError(this.#file, cause)
    for (const { refuse } of this.#waiting) refuse(this.#broken)
    this.#waiting.clear()
  }

  /**
   * Why a commit failed.
   * @param reason LMDB's promise that rejects with its error, which may stay pending for ever
   * @param id of the transaction. It is the next one's if this one was not committed
   */
  async #failure(error: Error, reason: unknown, id: number): Promise<StorageError> {
    // A commit whose flush failed is visible, and may be on disk. LMDB runs the next transaction later; that of another process may be seen here.
    // lmdb's types lack the members of what it returns.
    const isUncommitted = (this.#db.getStats() as { readonly lastTxnId: number }).lastTxnId < id
    const told = storageError(
      this.#file,
      await Promise.race([
        Promise.resolve(reason).catch((cause: unknown) => cause),
        // LMDB tells the reason when the batch ends, which it does within these turns.
        turn().then(() => turn(error)),
      ]),
    )
    if (told.code !== 'StorageFull' || isUncommitted) return told
    return new StorageError('StorageFailed', this.#file, {
      detail: 'the disk is full, and a write may have been applied.',
      cause: told.cause,
    })
  }

  /**
   * Of a commit that failed, the shapes of records are not on the disk. Later records would refer to them, and nobody could read those. LMDB
   * tells of the commit before it runs the next transaction.
   */
  #forgetStructures(): void {
    // lmdb's types lack the encoder, which is msgpackr's.
    ;(this.#db as unknown as { readonly encoder: { clearSharedData(): void } }).encoder.clearSharedData()
  }

  /** LMDB's errors have numbers. Others are those of the work. */
  #told(error: unknown): unknown {
    return error instanceof Error && 'code' in error && typeof error.code === 'number' ? storageError(this.#file, error) : error
  }

  get(key: string): unknown {
    return decoded(this.#db.get(key))
  }

  *range({ start, end, isReverse = false }: Range): Iterable<Row> {
    const rows = isReverse
      ? this.#db.getRange({ start: end, end: start, reverse: true, exclusiveStart: true, inclusiveEnd: true })
      : this.#db.getRange({ start, end })
    for (const { key, value } of rows) yield { key, value: decoded(value) }
  }

  count({ start, end }: Range, limit = Number.MAX_SAFE_INTEGER): number {
    return this.#db.getKeysCount({ start, end, limit })
  }

  put(key: string, value: unknown): void {
    void this.#db.put(key, namesPrototype(value) ? JSON.stringify(value) : value)
  }

  remove(key: string): void {
    void this.#db.remove(key)
  }

  async backup(file: string): Promise<void> {
    if (existsSync(file)) throw new Error(`${file} exists. Give the name of a new file.`)
    try {
      await this.#db.backup(file, true)
    } catch (error) {
      // A part of a copy would be taken for one, and the next attempt refused.
      await rm(file).catch(() => {})
      throw storageError(file, error)
    }
  }

  async close(): Promise<void> {
    // lmdb would wait for the writes that did not begin.
    if (this.#broken !== undefined) return
    await this.#commitNothing()
    await this.#db.close()
  }

  /** LMDB's `close` waits for the flush of the last commit, and for ever if that failed. One of nothing does not fail by itself. */
  #commitNothing(): Promise<unknown> {
    return this.#db.transaction(() => {}).catch(() => this.#commitNothing())
  }
}

/** No value is text, except one that `put` wrote as JSON. */
function decoded(value: unknown): unknown {
  return typeof value === 'string' ? JSON.parse(value) : value
}

/** True for a value that has a member named `__proto__`, which msgpackr would rename, as a guard for its own readers. */
function namesPrototype(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return value.some(namesPrototype)
  for (const name in value) {
    if (name === '__proto__' || namesPrototype((value as Record<string, unknown>)[name])) return true // Any object has members by text.
  }
  return false
}
