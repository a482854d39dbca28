import type { Range, Reading, Row, Writing } from '../store/store.ts'

/** What readers see of a row until an instant; undefined if it is not there for them. */
interface Version {
  readonly value: unknown
  readonly until_ms: number
}

/** How late a change of this row becomes visible, in milliseconds. `item` is the same for all rows of one item. */
export type Lateness = (key: string, item: string) => number

/**
 * What eventually consistent readers see: rows as they were before their last changes, each for a delay of its own. It knows the changes
 * that it has seen written, so that other processes, and this one after a restart, are kind.
 */
export class LateView {
  readonly #versions = new Map<string, Version[]>()
  /** Until when the rows of an item in one index are late: its changes become visible in their order. */
  readonly #until = new Map<string, number>()
  readonly #lateness: Lateness
  readonly #now_ms: () => number

  constructor(lateness: Lateness, now_ms: () => number) {
    this.#lateness = lateness
    this.#now_ms = now_ms
  }

  /** A writing that remembers what was there. `isItem` is true for the key of an item in its table, whose entries in indexes are written after it. */
  recording(writing: Writing, isItem: (key: string) => boolean): Writing {
    let item = ''
    const note = (key: string): void => {
      if (isItem(key)) item = key
      this.#note(key, item, writing.get(key))
    }
    return {
      get: (key) => writing.get(key),
      range: (range) => writing.range(range),
      count: (range, limit) => writing.count(range, limit),
      put(key, value) {
        note(key)
        writing.put(key, value)
      },
      remove(key) {
        note(key)
        writing.remove(key)
      },
    }
  }

  #note(key: string, item: string, value: unknown): void {
    const late_ms = this.#lateness(key, item)
    if (late_ms <= 0) return
    const group = key.slice(0, 4) + item
    const until_ms = Math.max(this.#now_ms() + late_ms, this.#until.get(group) ?? 0)
    this.#until.set(group, until_ms)
    this.#versions.set(key, [...this.#current(key), { value, until_ms }])
  }

  #current(key: string): Version[] {
    const now_ms = this.#now_ms()
    return (this.#versions.get(key) ?? []).filter(({ until_ms }) => until_ms > now_ms)
  }

  /** What is visible of what is there. */
  over(reading: Reading): Reading {
    const seen = (key: string, value: unknown): unknown => {
      const [first] = this.#versions.size === 0 ? [] : this.#current(key)
      return first === undefined ? value : first.value
    }
    const range = (asked: Range): Iterable<Row> => this.#merged(reading, asked, seen)
    return {
      get: (key) => seen(key, reading.get(key)),
      range,
      count: (asked) => [...range(asked)].length,
    }
  }

  *#merged(reading: Reading, asked: Range, seen: (key: string, value: unknown) => unknown): Iterable<Row> {
    const isBefore = (a: string, b: string): boolean => (asked.isReverse === true ? a > b : a < b)
    const late = [...this.#versions.keys()].filter((key) => key >= asked.start && key < asked.end).sort((a, b) => (isBefore(a, b) ? -1 : 1))
    for (const { key, value } of reading.range(asked)) {
      for (let next = late[0]; next !== undefined && !isBefore(key, next); next = late[0]) {
        late.shift()
        if (next !== key) yield* shown(next, seen(next, undefined))
      }
      yield* shown(key, seen(key, value))
    }
    for (const key of late) yield* shown(key, seen(key, undefined))
  }
}

function* shown(key: string, value: unknown): Iterable<Row> {
  if (value !== undefined) yield { key, value }
}
