import { type Awaitable, parallelMap } from '@freehold/table/runtime'
import type { Consistency } from './decision.ts'

export interface MemoryOptions {
  readonly now: () => Date
  /** How old a definition may be, in milliseconds after the read that fetched it was sent. */
  readonly maxStalenessMs: number
  /** How much is kept at most, over all definitions, in bytes of memory as `memoryBytes` estimates them; 64 MB unless given. */
  readonly bytes_max?: number | undefined
  /** See `DeciderOptions`. */
  readonly onDefinition?: ((age_ms: number | undefined) => void) | undefined
}

interface Sent {
  /** Counts loads and questions in the order in which they began: exact where clocks are not. */
  readonly order: number
  readonly sentAt_ms: number
}

interface Entry extends Sent {
  readonly key: string
  readonly value: Promise<unknown>
  /** The same, once it is there. */
  loaded: { readonly value: unknown } | undefined
  bytes: number
  isFailed: boolean
  /** The value of `weighings` when it was last put to the end. */
  usedAt: number
}

const bytesMaxDefault = 64 * 1024 * 1024

// Memory of a 64-bit JavaScript engine for plain data, rather more than less. A text is counted as two bytes a unit, though most take one.
const textHead_bytes = 24
const primitive_bytes = 8
const container_bytes = 100
/** For each element, property or entry: bytes on top of its content. */
const slot_bytes = 32

/** Estimates the memory of plain data, with Maps and Sets, in bytes. Values that are held twice count twice; names of properties are shared. */
export function memoryBytes(value: unknown): number {
  if (typeof value === 'string') return textHead_bytes + 2 * value.length
  if (typeof value !== 'object' || value === null) return primitive_bytes
  let bytes = container_bytes
  if (value instanceof Map) for (const [key, of] of value) bytes += slot_bytes + memoryBytes(key) + memoryBytes(of)
  else for (const of of value instanceof Set ? value : Object.values(value)) bytes += slot_bytes + memoryBytes(of)
  return bytes
}

const unnamed_bytes = memoryBytes({ key: '', order: 0, sentAt_ms: 0, value: 0, loaded: { value: 0 }, bytes: 0, isFailed: false, usedAt: 0 })
/** The memory of a key and its entry. Callers can make up names, and their absence is remembered, too. */
const besideBytes = (key: string): number => unnamed_bytes + 2 * key.length

/**
 * Remembers definitions between questions (spec rule 18). `bounded` takes one that is younger than the bound, counted from before its read was sent;
 * `strong` takes none whose read was sent before the question began. A failed load is forgotten. Each load of a definition also forgets those past
 * the bound. If there is more than may be kept, the least recently used go first. A definition that alone would be more is not kept.
 */
export function definitionMemory({ now, maxStalenessMs, bytes_max = bytesMaxDefault, onDefinition }: MemoryOptions) {
  /** In the order of their last use. Those that were used since the last weighing may have another order: none is dropped in between. */
  const entries = new Map<string, Entry>()
  let weighings = 0
  /** The same, in the order in which their reads were sent. */
  const bySending = new Set<Entry>()
  let order = 0
  let total = 0
  /** No read of an entry was sent before. */
  let oldest_ms = Number.NEGATIVE_INFINITY
  /** The order of the last one that was forgotten since the clock was set back. */
  let forgotten = 0
  let latest_ms = Number.NEGATIVE_INFINITY

  /** If the clock was set back, the ages of definitions are unknown: all of them are forgotten. */
  function time_ms(): number {
    const now_ms = now().getTime()
    if (now_ms < latest_ms) {
      entries.clear()
      bySending.clear()
      total = 0
      oldest_ms = Number.NEGATIVE_INFINITY
      forgotten = order
    }
    latest_ms = now_ms
    return now_ms
  }

  // Less than the bound, not equal: the clock counts whole milliseconds.
  const isRecent = ({ sentAt_ms }: Pick<Entry, 'sentAt_ms'>, now_ms: number): boolean => now_ms - sentAt_ms < maxStalenessMs

  function drop(entry: Entry | undefined): void {
    if (entry === undefined || !bySending.delete(entry)) return
    entries.delete(entry.key)
    total -= entry.bytes
  }

  /** Puts an entry last: it was used last. */
  function use(entry: Entry): void {
    if (entry.usedAt === weighings) return
    entry.usedAt = weighings
    entries.delete(entry.key)
    entries.set(entry.key, entry)
  }

  /** Counts an entry that was used last with so many bytes, and makes room for it. */
  function weigh(entry: Entry, bytes: number): void {
    weighings++
    use(entry)
    total += bytes - entry.bytes
    entry.bytes = bytes
    if (bytes > bytes_max) drop(entry)
    // To begin a loop over a Map takes long where its first entries were moved or dropped.
    if (total <= bytes_max) return
    for (const oldest of entries.values()) {
      if (total <= bytes_max) break
      drop(oldest)
    }
  }

  /** To begin a loop over a Set takes long where its first entries were dropped: there is none while nothing can be past the bound. */
  function forgetOld(now_ms: number): void {
    if (isRecent({ sentAt_ms: oldest_ms }, now_ms)) return
    oldest_ms = now_ms
    for (const entry of bySending) {
      if (isRecent(entry, now_ms)) {
        oldest_ms = entry.sentAt_ms
        return
      }
      drop(entry)
    }
  }

  // The clock is read before the request is sent, so that an age is never shorter than the truth.
  const sending = (): Sent => {
    const sentAt_ms = time_ms()
    return { order: ++order, sentAt_ms }
  }

  function keep(key: string, { order: of, sentAt_ms }: Sent, load: Promise<unknown>): Entry {
    const value = load.then(
      (loaded) => {
        entry.loaded = { value: loaded }
        if (bySending.has(entry)) weigh(entry, besideBytes(key) + memoryBytes(loaded))
        return loaded
      },
      (error: unknown) => {
        entry.isFailed = true
        drop(entry)
        throw error
      },
    )
    // Behind a spread these would make a slow object of it.
    const entry: Entry = { order: of, sentAt_ms, key, value, loaded: undefined, bytes: 0, isFailed: false, usedAt: 0 }
    forgetOld(sentAt_ms)
    drop(entries.get(key))
    bySending.add(entry)
    weigh(entry, besideBytes(key))
    return entry
  }

  return {
    /**
     * The definitions that a question which begins now may use. A key stands for one kind of value, always loaded in the same way. A question takes
     * again the values that it has taken while they are recent enough, whether or not they are remembered for others.
     */
    begin(consistency: Consistency) {
      const began = ++order
      const own = new Map<string, Entry>()
      const isUsable = (entry: Entry | undefined, now_ms: number): boolean =>
        entry?.isFailed === false && (consistency === 'strong' ? entry.order > began : entry.order > forgotten && isRecent(entry, now_ms))
      const usable = (key: string, now_ms = time_ms()): Entry | undefined => {
        const remembered = entries.get(key)
        const known = isUsable(remembered, now_ms) ? remembered : undefined
        if (known?.loaded !== undefined) return known
        const taken = own.get(key)
        // Another question may be reading anew what this one has.
        return isUsable(taken, now_ms) && (known === undefined || taken?.loaded !== undefined) ? taken : known
      }
      const taking = (entry: Entry): Entry => {
        own.set(entry.key, entry)
        return entry
      }
      const taken = (key: string, now_ms?: number): Entry | undefined => {
        const entry = usable(key, now_ms)
        onDefinition?.(entry && latest_ms - entry.sentAt_ms)
        if (entry !== undefined && bySending.has(entry)) use(entry)
        return entry && taking(entry)
      }
      const takenOf = (keys: readonly string[]) => {
        const now_ms = time_ms()
        return keys.map((key) => taken(key, now_ms))
      }
      // A key stands for one kind of value, so its value is a T. What is there is not waited for.
      const valueIn = <T>({ loaded, value }: Entry) => (loaded === undefined ? value : loaded.value) as Awaitable<T>
      const loading = (key: string, read: () => Promise<unknown>): Entry => taking(keep(key, sending(), read()))
      /** The values of all, unless one is missing or on its way. */
      const there = <T>(held: readonly (Entry | undefined)[]): readonly T[] | undefined => {
        const values: T[] = []
        for (const entry of held) {
          if (entry?.loaded === undefined) return undefined
          values.push(entry.loaded.value as T)
        }
        return values
      }
      return {
        /** True if `take` would wait for nothing for this key. A load that another question has begun takes a round trip, too. */
        holds: (key: string): boolean => usable(key)?.loaded !== undefined,
        /** Takes a value that is there; undefined if `take` would wait. */
        held: <T>(key: string): { readonly value: T } | undefined => {
          const entry = usable(key)
          if (entry?.loaded === undefined) return undefined
          onDefinition?.(latest_ms - entry.sentAt_ms)
          if (bySending.has(entry)) use(entry)
          // A key stands for one kind of value, so its value is a T.
          return taking(entry).loaded as { readonly value: T }
        },
        /** From memory if that is recent enough, else loaded. Questions at the same time share one load. */
        take: <T>(key: string, read: () => Promise<T>): Awaitable<T> => valueIn(taken(key) ?? loading(key, read)),
        /** The same for many keys, in order. Those that are missing are loaded side by side. */
        takeEach: <T>(keys: readonly string[], read: (index: number) => Promise<T>): Awaitable<readonly T[]> => {
          const held = takenOf(keys)
          const each = (key: string, index: number) => {
            // A key may be there twice, and those that wait for a place may be loaded by another question meanwhile.
            const entry = held[index] ?? usable(key)
            return valueIn<T>(entry === undefined ? loading(key, () => read(index)) : taking(entry))
          }
          return there<T>(held) ?? parallelMap(keys, each)
        },
        /** The same for many keys, in order. Those that are missing are loaded together. */
        takeAll: <T>(
          keys: readonly string[],
          read: (missing: readonly string[]) => Promise<ReadonlyMap<string, T>>,
        ): Awaitable<readonly T[]> => {
          const held = takenOf(keys)
          const values = there<T>(held)
          if (values !== undefined) return values
          const missing = keys.filter((_, index) => held[index] === undefined)
          const batch = missing.length === 0 ? undefined : { sent: sending(), all: read(missing) }
          const load = (key: string, { sent, all }: NonNullable<typeof batch>) => {
            const value = all.then((loaded) => loaded.get(key))
            return taking(keep(key, sent, value))
          }
          const entries = keys.flatMap((key, index) => held[index] ?? (batch === undefined ? [] : load(key, batch)))
          // Each value is a T, as above.
          return Promise.all(entries.map(({ value }) => value as Promise<T>))
        },
      }
    },
  }
}

export type DefinitionMemory = ReturnType<typeof definitionMemory>
export type Definitions = ReturnType<DefinitionMemory['begin']>
