import type { Consistency } from './decision.ts'

/** A value to keep, and how many items it was made from. */
export interface Weighed<T> {
  readonly value: T
  readonly weight: number
}

/** The definitions that one question may use. A key stands for one kind of value, always loaded in the same way. */
export interface Definitions {
  /** True where `take` would send nothing for this key. */
  holds(key: string): boolean
  /** From memory where that is recent enough, else loaded; whoever asks at the same time shares one load. */
  take<T>(key: string, load: () => Promise<Weighed<T>>): Promise<T>
  /** The same for many keys, of which the missing ones are loaded together; each value weighs one item. */
  takeAll<T>(
    keys: readonly string[],
    load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
  ): Promise<ReadonlyMap<string, T>>
}

/** What is remembered between questions. */
export interface DefinitionMemory {
  /** The view of a question that begins now. */
  begin(consistency: Consistency): Definitions
}

export interface MemoryOptions {
  readonly now: () => Date
  /** How old a definition may be, in milliseconds after the read that fetched it was sent. */
  readonly maxStalenessMs: number
  /** Items that are kept at most, over all definitions. */
  readonly items_max?: number
}

interface Entry {
  /** Counts loads and questions in the order in which they began: exact where clocks are not. */
  readonly order: number
  readonly sentAt_ms: number
  readonly value: Promise<unknown>
  weight: number
}

const itemsMax = 100_000

/** A long name weighs as the items that its bytes would hold: names are made up by whoever asks, and what is not there is remembered too. */
const nameWeight = (key: string): number => Math.floor(key.length / 100)

/**
 * Remembers definitions (spec rule 18). `bounded` takes one that is younger than the bound, counted from before its read was sent; `strong` takes
 * none whose read was sent before the question began. A failed load is forgotten. The least recently used go first.
 */
export function definitionMemory({ now, maxStalenessMs, items_max = itemsMax }: MemoryOptions): DefinitionMemory {
  const entries = new Map<string, Entry>()
  let order = 0
  let total = 0

  let latest_ms = Number.NEGATIVE_INFINITY

  /** Where the clock was set back, the ages of what is remembered are not to be known any more: all of it is forgotten. */
  function time_ms(): number {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) {
      entries.clear()
      total = 0
    }
    latest_ms = now_ms
    return now_ms
  }

  function drop(key: string, entry: Entry): void {
    if (entries.get(key) !== entry) return
    entries.delete(key)
    total -= entry.weight
  }

  function put(key: string, entry: Entry): void {
    const before = entries.get(key)
    if (before !== undefined) drop(key, before)
    entries.set(key, entry)
    total += entry.weight
    for (const [oldest, other] of entries) {
      if (total <= items_max || other === entry) break
      drop(oldest, other)
    }
  }

  function keep<T>(key: string, sent: { order: number; sentAt_ms: number }, load: Promise<Weighed<T>>): Promise<T> {
    const value = load.then(
      (weighed) => {
        if (entries.get(key) === entry) {
          total -= entry.weight
          entry.weight = weighed.weight + nameWeight(key)
          total += entry.weight
          put(key, entry)
        }
        return weighed.value
      },
      (error: unknown) => {
        drop(key, entry)
        throw error
      },
    )
    const entry: Entry = { ...sent, value, weight: 1 + nameWeight(key) }
    put(key, entry)
    return value
  }

  // The clock is read before the request is sent, so that an age is never shorter than the truth.
  const sending = () => ({ order: ++order, sentAt_ms: time_ms() })

  return {
    begin(consistency) {
      const began = ++order
      const usable = (key: string): Entry | undefined => {
        const now_ms = time_ms()
        const entry = entries.get(key)
        if (entry === undefined) return undefined
        if (consistency === 'strong') return entry.order > began ? entry : undefined
        // Less than the bound, not equal: the clock counts whole milliseconds.
        return now_ms - entry.sentAt_ms < maxStalenessMs ? entry : undefined
      }
      const taken = (key: string): Promise<unknown> | undefined => {
        const entry = usable(key)
        if (entry === undefined) return undefined
        entries.delete(key)
        entries.set(key, entry)
        return entry.value
      }
      return {
        holds: (key) => usable(key) !== undefined,
        // A key stands for one kind of value, so what is remembered under it is a T.
        take: <T>(key: string, load: () => Promise<Weighed<T>>) => (taken(key) as Promise<T> | undefined) ?? keep(key, sending(), load()),
        takeAll: async <T>(keys: readonly string[], load: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>) => {
          const values = new Map<string, Promise<T>>()
          // As above: a T.
          for (const key of keys) values.set(key, taken(key) as Promise<T>)
          const missing = [...values].flatMap(([key, value]) => (value === undefined ? [key] : []))
          if (missing.length > 0) {
            const sent = sending()
            const batch = load(missing)
            for (const key of missing) {
              // The load gives a value for each key that it is asked for.
              const weighed = batch.then((loaded) => ({ value: loaded.get(key) as T, weight: 1 }))
              values.set(key, keep(key, sent, weighed))
            }
          }
          const all = await Promise.all(values.values())
          // Values are awaited in the order of the keys.
          return new Map([...values.keys()].map((key, index) => [key, all[index] as T]))
        },
      }
    },
  }
}
