import {
  creating,
  type Entity,
  type FreeholdError,
  type Id,
  type Item,
  isFreeholdError,
  type New,
  removing,
  type Steps,
} from '@freehold/table'
import type { FlowContext } from '../flow-host.ts'
import { returnedItem, viewOf } from '../items/live-item.ts'
import { idOfItem } from '../items/write-item.ts'
import type { View } from '../records/recorded-changes.ts'
import { entryOf, writeRecorded } from '../records/recorded-write.ts'
import { retryOnConflict } from '../retry-on-conflict.ts'

// Edges of which an item has so many: the seats of a licence, say. Each is counted on the item in the transaction that makes or removes it, so that the
// count never drifts from the edges.

/** The steps that count. The step `edge` is that of `countedEdge` itself, which also sets it last: the compiler knows no names of a plain `Steps`. */
export type CountingSteps = Steps & { readonly edge?: never }

/** Edges that are counted, as a design declares them. */
export interface CountedEdge<C extends FlowContext, E extends Entity> {
  readonly edge: E
  /** The steps that count one more, if one is left, and check the ends. */
  counting(context: C, edge: New<E>): CountingSteps
  /** The steps that count one less; none if the item that counts is gone. */
  uncounting(context: C, edge: New<E>): Promise<CountingSteps>
  /** Why an edge is refused, by what is there now. Undefined if nothing refuses it: another writer was faster. */
  refusal(context: C, edge: New<E>): Promise<FreeholdError | undefined>
}

const refusals: ReadonlySet<string> = new Set(['CheckFailed', 'MissingEnd', 'NotFound', 'BeingDeleted'])

/** Makes and removes counted edges, and records that. */
export function countedEdge<C extends FlowContext, E extends Entity>({ edge, counting, uncounting, refusal }: CountedEdge<C, E>) {
  const read = ({ table }: C, id: Id<E>) => table.repositoryNamed(edge.name).get(id, { consistent: true })
  return Object.freeze({
    /** Makes an edge, of however many that are asked for at once no more than are left. One that is there stays as it is. Throws the refusal. */
    take: (context: C, values: New<E>): Promise<Item<E>> =>
      retryOnConflict(context.table.runtime, async () => {
        const there = await read(context, idOfItem(edge, values))
        if (there !== undefined && there.deleting === undefined) return viewOf<E>(there)
        const view: View = { ...values }
        try {
          const entry = { ...entryOf(context, edge, view), before: undefined, after: view }
          const steps = { ...counting(context, values), edge: creating<Entity>(edge, values as never) }
          return viewOf<E>(returnedItem(edge, (await writeRecorded(context, steps, entry)).edge))
        } catch (error) {
          const isRefused = isFreeholdError(error) && error.details.uncertain !== true && refusals.has(error.code)
          throw (isRefused ? await refusal(context, values) : undefined) ?? error
        }
      }, ['AlreadyExists', 'MissingEnd']),
    /** Removes an edge. One that is not there stays so. */
    free: (context: C, values: New<E>): Promise<void> =>
      retryOnConflict(context.table.runtime, async () => {
        const id = idOfItem(edge, values)
        const before: View | undefined = await read(context, id)
        if (before === undefined || before.deleting !== undefined) return
        const removed = removing<Entity>(edge, id as never, { version: Number(before.version) })
        const steps = { ...(await uncounting(context, values)), edge: removed }
        await writeRecorded(context, steps, { ...entryOf(context, edge, before), before })
      }, ['NotFound', 'BeingDeleted']),
  })
}
