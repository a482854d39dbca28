import { type Entity, FreeholdError, type Id, type Item, type New } from '@freehold/table'
import type { FlowContext } from '../flow-host.ts'
import { liveItem } from '../items/live-item.ts'
import { type CreatingItem, createItem, idOfItem } from '../items/write-item.ts'
import type { View } from '../records/recorded-changes.ts'
import type { EdgeChange, EdgesOf } from './edges.ts'

// The content of an end: its edges of one kind. A change that one transaction holds is made at once, and any other by a durable job (`replaceEdges`).

/** The end, once a durable job did all of a change. If it did not, throws why the job gave up, or `VersionConflict` with this message. */
export async function requireDone<C extends FlowContext, N extends Entity, T, F extends T>(
  { kind, left }: EdgesOf<C, N, T, F>,
  context: C,
  id: Id<N>,
  change: EdgeChange<T>,
  message: string,
  why?: FreeholdError,
): Promise<Item<N>> {
  const end = await liveItem(context, kind.end, id)
  const { add, remove } = await left(context, end, change)
  if (add.length + remove.length === 0) return end
  throw why ?? new FreeholdError('VersionConflict', message, { entity: kind.end.name, named: true })
}

/**
 * Changes the edges of an end. A change that alters nothing writes nothing.
 * @param check throws if the caller may not make this change
 * @param byJob makes a change that no transaction holds
 */
export async function changeEdges<C extends FlowContext, N extends Entity, T, F extends T>(
  { kind, outstanding, write }: EdgesOf<C, N, T, F>,
  context: C,
  end: Item<N>,
  change: EdgeChange<T>,
  check: () => Promise<void>,
  byJob: () => Promise<Item<N>>,
): Promise<Item<N>> {
  const view: View = end
  const id = idOfItem(kind.end, view)
  const open = await outstanding(context, id, change)
  const changes = open.add.length + open.change.length + open.remove.length
  if (changes === 0) return end
  await check()
  if (changes > kind.atOnceMax) return byJob()
  return write(context, end, open)
}

/** Creates an end with its edges. Throws `AlreadyExists`. @param byJob creates one with more edges than a transaction holds, of an id that is free */
export async function createContent<C extends FlowContext, N extends Entity, T, F extends T>(
  { kind, steps }: EdgesOf<C, N, T, F>,
  context: C,
  values: New<N>,
  add: readonly F[],
  { entry, ...beside }: CreatingItem,
  byJob: () => Promise<Item<N>>,
): Promise<Item<N>> {
  const { end, told, words, atOnceMax } = kind
  const id = idOfItem(end, values)
  if (add.length <= atOnceMax) {
    const more = { [told.added]: add.map(words), ...entry?.more }
    const edges = steps(context, id, { add, remove: [] })
    return createItem(context, end, values, { ...beside, steps: { ...beside.steps, ...edges }, entry: { ...entry, more } })
  }
  if ((await context.unscoped.repositoryNamed(end.name).get(id, { consistent: true })) === undefined) return byJob()
  const message = `There is a ${end.name.toLowerCase()} ${Object.values(id).join(' ')} already.`
  throw new FreeholdError('AlreadyExists', message, { entity: end.name })
}
