import { type Loaded, type Place, parseRecord, readItems, readRange, type Sources, type Wanted } from '@freehold/frame/decision'
import { keyText, parallel, parallelMap, type Stored } from '@freehold/table/runtime'

/** A stretch of a range: at most `limit` items, from after a sort key. */
export interface Stretch extends Place {
  readonly after: string | undefined
  readonly limit: number
}
export interface StretchRead {
  readonly items: readonly Stored[]
  readonly isLast: boolean
}

const textOf = ({ partition, range, after }: Stretch) => JSON.stringify([partition, range.from, after])

/** The reads of one page: each item and each stretch once, however often it is wanted. */
export function pageReads({ runtime }: Sources) {
  const found = new Map<string, Stored | undefined>()
  const read = new Map<string, StretchRead>()
  const loaded: Loaded = (at) => parseRecord(at, found.get(keyText(at.key)))
  return {
    /** True for a record that was read, also if it is not there. */
    holds: ({ key }: Wanted): boolean => found.has(keyText(key)),
    loaded,
    /** Undefined if it has not been read. */
    stretch: (wanted: Stretch): StretchRead | undefined => read.get(textOf(wanted)),
    /** Reads those that have not been read yet, in parallel: one round trip, or none. */
    take: async (records: readonly Wanted[], stretches: readonly Stretch[]): Promise<void> => {
      const unread = records.flatMap(({ key }) => (found.has(keyText(key)) ? [] : [key]))
      const open = stretches.filter((wanted) => !read.has(textOf(wanted)))
      const [items, pages] = await parallel(
        () => (unread.length === 0 ? Promise.resolve(new Map<string, Stored | undefined>()) : readItems(runtime, unread)),
        () => parallelMap(open, ({ partition, range, after, limit }) => readRange(runtime, partition, range, { limit, after })),
      )
      for (const [text, item] of items) found.set(text, item)
      for (const [index, wanted] of open.entries()) {
        const page = pages[index]
        if (page === undefined) continue
        read.set(textOf(wanted), page)
        for (const item of page.items) found.set(keyText({ PK: String(item.PK), SK: String(item.SK) }), item)
      }
    },
  }
}

export type PageReads = ReturnType<typeof pageReads>
