import { nextTick } from 'node:process'
import { keyText, type TableKey } from '../plan/keys.ts'
import type { Stored } from '../plan/stored.ts'
import { shared } from './meter.ts'
import { type ReadOptions, readItems } from './read.ts'
import type { Runtime } from './runtime.ts'

/** Reads items by key text. Undefined for a key without an item. */
export type ItemReader = (keys: readonly TableKey[]) => Promise<ReadonlyMap<string, Stored | undefined>>

/**
 * A reader for one call, which begins now. All items that the call wants before any answer arrives are read by one BatchGetItem, whichever parts of the
 * call want them. If that fails, it fails for all of them. Later items are read when they are wanted: the order in which answers arrive would else decide
 * how many requests a call takes.
 */
export function readingTogether(runtime: Runtime, how: ReadOptions): ItemReader {
  let first: Map<string, TableKey> | undefined = new Map()
  let read: (() => ReturnType<ItemReader>) | undefined
  const begun = atEndOfTurn(() => {
    const keys = [...(first?.values() ?? [])]
    // Nobody joins any more: the call is not to hold what it has read.
    first = read = undefined
    return keys
  })
  return (wanted) => {
    if (first === undefined || wanted.length === 0) return readItems(runtime, wanted, how)
    for (const key of wanted) first.set(keyText(key), key)
    read ??= shared(async () => await readItems(runtime, await begun, how))
    return read()
  }
}

const settled = Promise.resolve()

/** Works when there is nothing left to do but to wait for answers: Node runs its ticks after all promises that are settled. */
function atEndOfTurn(work: () => readonly TableKey[]): Promise<readonly TableKey[]> {
  return new Promise((resolve) => {
    settled.then(() => nextTick(() => resolve(work())))
  })
}
