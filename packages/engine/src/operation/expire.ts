import type { Range } from '../store/store.ts'
import { firstRows, itemAt, replaceItem, storedItem } from '../table/rows.ts'
import type { Table } from '../table/table.ts'
import { attributeOf, type Item } from '../value/attribute-value.ts'
import type { Context } from './operation.ts'

/** "Items with a TTL … older than five years are not deleted" (Developer Guide, "Using time to live (TTL) in DynamoDB"). */
const age_ms_max = 5 * 365.25 * 24 * 60 * 60 * 1000

/** Well within what AWS does: "typically within a few days of their expiration" (Developer Guide, "Using time to live (TTL) in DynamoDB"). */
const round_ms = 60 * 60 * 1000

/** Removes expired items every hour, while requests go on. */
export class Expiry {
  readonly #timer: NodeJS.Timeout
  #running: Promise<unknown> | undefined
  #isEnded = false

  constructor(context: Context) {
    this.#timer = setInterval(() => {
      // What a disk that fails leaves is removed in the next round.
      this.#running ??= expire(context, { isEnded: () => this.#isEnded })
        .catch(() => {})
        .finally(() => {
          this.#running = undefined
        })
    }, round_ms).unref()
  }

  async end(): Promise<void> {
    this.#isEnded = true
    clearInterval(this.#timer)
    await this.#running
  }
}

interface ExpireOptions {
  /** How much later than it expired an item is removed. */
  readonly late_ms?: (key: string) => number
  /** True for a store that is about to close. */
  readonly isEnded?: () => boolean
}

/** Removes the items that expired, part by part, and says how many. */
export async function expire(context: Context, { late_ms = () => 0, isEnded = () => false }: ExpireOptions = {}): Promise<number> {
  const { catalog, read } = context
  const tables = read(true, (reading) => [...catalog.names(reading)].map((name) => catalog.table(reading, name)))
  let removed = 0
  for (const table of tables) {
    if (table.definition.timeToLive === undefined || isEnded()) continue
    for (let start: string | undefined = table.space; start !== undefined; ) {
      const range: Pick<Range, 'start' | 'end'> = { start, end: table.end }
      const { rows, next } = read(true, (reading) => firstRows(reading, range))
      const keys = rows.flatMap(({ key, value }) =>
        hasExpired(table, storedItem(value)?.[1], context.now_ms(), late_ms(key)) ? [key] : [],
      )
      if (keys.length > 0) removed += await removeExpired(context, table, { keys, late_ms })
      if (next !== undefined) await new Promise(setImmediate)
      start = isEnded() ? undefined : next
    }
  }
  return removed
}

interface Expired {
  readonly keys: readonly string[]
  readonly late_ms: (key: string) => number
}

/** An item may have been written anew since it was read, or its table deleted. */
function removeExpired({ catalog, write, now_ms }: Context, { name, space }: Table, { keys, late_ms }: Expired): Promise<number> {
  return write((writing) => {
    const table = catalog.find(writing, name)
    if (table?.space !== space) return 0
    let removed = 0
    for (const key of keys) {
      const before = itemAt(writing, key)
      if (!hasExpired(table, before?.[1], now_ms(), late_ms(key))) continue
      replaceItem(writing, table, { key, before, after: undefined })
      removed += 1
    }
    return removed
  })
}

function hasExpired({ definition: { timeToLive = '' } }: Table, item: Item | undefined, now_ms: number, late_ms: number): boolean {
  const value = item === undefined ? undefined : attributeOf(item, timeToLive)
  // The attribute "must be of the Number data type", in seconds.
  if (value === undefined || !('N' in value)) return false
  const expiry_ms = Number(value.N) * 1000
  return expiry_ms + late_ms < now_ms && expiry_ms >= now_ms - age_ms_max
}
