import type { Malformed, Page } from '@freehold/table'
import { type CursorBinding, openCursor, sealCursor } from '@freehold/table/runtime'
import type { FlowContext } from './flow-host.ts'

/** A page is short rather than the result of more reads (spec rule 14). */
const readsMax = 10
const pageDefault = 100

/** One of several lists that are given as one. */
export interface JoinedList<T> {
  read(how: { readonly limit: number; readonly cursor?: string }): Promise<Page<T>>
  /** False for an item that is left out. */
  readonly keep?: ((item: T) => boolean) | undefined
}

/** How far a reader is: in which list, and its cursor there. */
interface Progress {
  /** When the first page was read, in epoch milliseconds. */
  readonly begun: number
  readonly list: number
  readonly at?: string
}

/**
 * A page of several lists, one after the other. It is filled although items are left out, as far as ten reads go. Throws `InvalidCursor`.
 * @param parameters of the lists, to which the cursor is bound
 * @param listsAt the lists as they are asked for: on all pages by the time of the first one, since each cursor is bound to what was asked
 */
export async function joinedPage<T>(
  { table: { runtime }, flow }: FlowContext,
  parameters: Readonly<Record<string, string>>,
  listsAt: (begun: Date) => readonly JoinedList<T>[],
  { limit, cursor }: { readonly limit?: number | null | undefined; readonly cursor?: string | null | undefined },
): Promise<Page<T>> {
  const binding: CursorBinding = { kind: 'question', name: flow, parameters }
  // Only this function seals these.
  const begin =
    typeof cursor === 'string' ? (openCursor(runtime, binding, cursor) as unknown as Progress) : { list: 0, begun: runtime.now().getTime() }
  const lists = listsAt(new Date(begin.begun))
  const items: T[] = []
  const malformed: Malformed[] = []
  const page = () => ({ items, ...(malformed.length === 0 ? {} : { malformed }) })
  let progress: Progress = begin
  for (let reads = 0; ; reads++) {
    const list = lists[progress.list]
    if (list === undefined) return page()
    const left = (limit ?? pageDefault) - items.length
    if (left === 0 || reads === readsMax) return { ...page(), cursor: sealCursor(runtime, binding, { ...progress }) }
    const { read, keep = () => true } = list
    const found = await read({ limit: left, ...(progress.at === undefined ? {} : { cursor: progress.at }) })
    items.push(...found.items.filter(keep))
    malformed.push(...(found.malformed ?? []))
    const { list: number, begun } = progress
    progress = found.cursor === undefined ? { list: number + 1, begun } : { list: number, at: found.cursor, begun }
  }
}
