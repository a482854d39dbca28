import type { PageOutput, QueryInput } from '../dynamo/operation.ts'
import type { Sender } from '../dynamo/sender.ts'
import { keyText, type TableKey } from '../plan/keys.ts'
import type { Stored } from '../plan/stored.ts'
import { parallelMap, shared } from './meter.ts'

type Found = Map<string, Stored | undefined>

/** A call has until `end_ms` of this clock. */
interface Bounded {
  readonly end_ms?: number | undefined
  readonly monotonic_ms: () => number
}

/** Known, or on its way. */
type Kept<V, R> = { readonly value: V } | { readonly wait: () => Promise<R> }

/** A call that reads more works through a list, and reads nothing of that twice. */
const keptMax = 2_000
const rowsMax = 100

/**
 * What one call has read consistently, so that no part of it reads an item again. It ends with the first write of the call, and when the call waits or
 * begins anew: what lies in the table may be different from then on. Until then each item is as the call read it. A write that rests on one
 * names it in a condition, as it would if it had read it just before.
 */
export interface CallReads {
  /** Notes items that the call is going to read: its first request for items brings them along. */
  foresee(keys: readonly TableKey[]): void
  /** From now on everything is read when it is wanted. */
  end(): void
  /** Items by key text. `read` reads those that are not known. */
  items(keys: readonly TableKey[], read: (keys: readonly TableKey[]) => Promise<Found>): Promise<Found>
  /**
   * A page of a range that a decision reads. `read` reads it unless it is known. What else a call lists is read anew: it may rest on the version of an
   * item that was read just before, which a list of an earlier time would not fit.
   */
  page(input: QueryInput, read: () => Promise<PageOutput>, bounded: Bounded): Promise<PageOutput>
}

/** Pages that are on their way to calls, by the text of the request. */
type Underway = Map<string, { readonly order: number; readonly end_ms: number; readonly wait: () => Promise<PageOutput> }>
const underwayOf = new WeakMap<Sender, Underway>()
/** Counts calls and requests in the order in which they began: exact where clocks are not. */
let order = 0

/**
 * Keeps what one call has read, from its beginning. A page that another call of the connection is reading is not asked for again, if its request was sent
 * after this call began: it shows each write that was acknowledged before that. Nor does this call wait for one that may take longer than its own. Nothing
 * is taken once it has arrived.
 */
export function callReads({ sender }: { readonly sender: Sender }): CallReads {
  const began = ++order
  const underway: Underway = underwayOf.get(sender) ?? new Map()
  underwayOf.set(sender, underway)
  const items = new Map<string, Kept<Stored | undefined, Found>>()
  const pages = new Map<string, Kept<PageOutput, PageOutput>>()
  let foreseen: readonly TableKey[] = []
  let isEnded = false

  /** Sends a request, whose parts are known once it is answered. A failed request is forgotten. */
  function begin<V, R>(
    kept: Map<string, Kept<V, R>>,
    texts: readonly string[],
    request: () => Promise<R>,
    part: (answer: R, text: string) => V,
  ) {
    const wait = shared(request)
    for (const text of texts) kept.set(text, { wait })
    const settle = (know: (text: string) => void) => {
      if (!isEnded) for (const text of texts) know(text)
    }
    // Each caller is told of a failure by its own wait.
    wait().then(
      (answer) => settle((text) => kept.set(text, { value: part(answer, text) })),
      () => settle((text) => kept.delete(text)),
    )
  }

  /** Lets other calls of the connection wait for it, too. */
  const share = (text: string, end_ms: number, wait: () => Promise<PageOutput>) => {
    const mine = { order: ++order, end_ms, wait }
    underway.set(text, mine)
    const end = () => {
      if (underway.get(text) === mine) underway.delete(text)
    }
    wait().then(end, end)
  }

  return {
    foresee: (keys) => {
      foreseen = [...foreseen, ...keys]
    },
    end: () => {
      isEnded = true
      items.clear()
      pages.clear()
    },
    items: async (keys, read) => {
      if (isEnded || items.size > keptMax) return read(keys)
      const texts = keys.map(keyText)
      const wanted = keys.filter((_, index) => !items.has(texts[index] ?? ''))
      if (wanted.length > 0) {
        const all = [...wanted, ...foreseen.filter((key) => !items.has(keyText(key)))]
        foreseen = []
        begin(
          items,
          [...new Set(all.map(keyText))],
          () => read(all),
          (found, text) => found.get(text),
        )
      }
      const found: Found = new Map()
      const waiting = new Map<() => Promise<Found>, string[]>()
      for (const text of texts) {
        const at = items.get(text)
        found.set(text, at !== undefined && 'value' in at ? at.value : undefined)
        if (at === undefined || 'value' in at) continue
        const others = waiting.get(at.wait)
        if (others === undefined) waiting.set(at.wait, [text])
        else others.push(text)
      }
      const take = async ([wait, of]: readonly [() => Promise<Found>, readonly string[]]) => {
        const answer = await wait()
        for (const text of of) found.set(text, answer.get(text))
      }
      await parallelMap([...waiting], take)
      return found
    },
    page: async (input, read, { end_ms = Number.POSITIVE_INFINITY, monotonic_ms }) => {
      if (isEnded || input.ConsistentRead !== true || pages.size > keptMax) return read()
      const text = JSON.stringify(input)
      const known = pages.get(text)
      if (known !== undefined) return 'wait' in known ? known.wait() : known.value
      const other = underway.get(text)
      const isTaken = other !== undefined && other.order > began && other.end_ms <= end_ms
      // The failure of a request is that of the call which sent it, while there is time for another.
      const again = (error: unknown) => (monotonic_ms() < end_ms ? read() : Promise.reject(error))
      begin(pages, [text], isTaken ? () => other.wait().catch(again) : read, (page) => page)
      const begun = pages.get(text)
      if (begun === undefined || 'value' in begun) return read()
      if (!isTaken) share(text, end_ms, begun.wait)
      const page = await begun.wait()
      // A longer one is a part of a list.
      if ((page.Items ?? []).length > rowsMax) pages.delete(text)
      return page
    },
  }
}
