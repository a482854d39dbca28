import { replaceItem, storedItem } from '../table/rows.ts'
import type { Table } from '../table/table.ts'
import { attributeOf, type Item } from '../value/attribute-value.ts'
import type { Context } from './operation.ts'

/** "Items with a TTL … older than five years are not deleted" (Developer Guide, "Using time to live (TTL) in DynamoDB"). */
const age_ms_max = 5 * 365.25 * 24 * 60 * 60 * 1000

/**
 * Removes the items that expired, and says how many.
 * @param late_ms how much later than it expired an item is removed
 */
export function expire({ catalog, write, now_ms }: Context, late_ms: (key: string) => number = () => 0): Promise<number> {
  return write((writing) => {
    const now = now_ms()
    let removed = 0
    for (const name of [...catalog.names(writing)]) {
      const table = catalog.table(writing, name)
      if (table.definition.timeToLive === undefined) continue
      const rows = [...writing.range({ start: table.space, end: `${table.space}\xff\xff\xff\xff` })]
      for (const { key, value } of rows) {
        const before = storedItem(value)
        const expiry_ms = before === undefined ? undefined : expiryOf(table, before[1])
        if (expiry_ms === undefined || expiry_ms + late_ms(key) >= now || expiry_ms < now - age_ms_max) continue
        replaceItem(writing, table, { key, before, after: undefined })
        removed += 1
      }
    }
    return removed
  })
}

/** The attribute "must be of the Number data type", in seconds. */
function expiryOf({ definition: { timeToLive = '' } }: Table, item: Item): number | undefined {
  const value = attributeOf(item, timeToLive)
  return value !== undefined && 'N' in value ? Number(value.N) * 1000 : undefined
}
