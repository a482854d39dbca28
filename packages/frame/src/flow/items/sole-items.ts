import { type Change, creating, type Entity, type Item, type New, removing, type Steps, updating } from '@freehold/table'
import type { FlowContext } from '../flow-host.ts'
import type { View } from '../records/recorded-changes.ts'
import { entryOf, recordSteps, writeRecorded } from '../records/recorded-write.ts'
import { returnedItem, viewOf } from './live-item.ts'
import { idOfItem } from './write-item.ts'

// An end has one item of a kind, or one with a flag. Such a change is also a write of the end (`touched`), so that of two the second sees the first.

/** The steps by which none of these items has the flag, but for the one with the id `own`. Each change is recorded. */
export async function stepsWithout<E extends Entity>(
  context: FlowContext,
  entity: E,
  items: AsyncIterable<Item<E>>,
  flag: keyof Item<E> & string,
  own: string | undefined,
): Promise<Steps> {
  const steps: Record<string, Steps[string]> = {}
  for await (const item of items) {
    const before: View = item
    const { [flag]: isSet, ...after } = before
    if (isSet !== true || before.id === own) continue
    // The key of an item is its own, and the flag is an attribute that it need not have.
    const [id, change] = [idOfItem(entity, before) as never, { [flag]: null } as never]
    steps[`unset ${before.id}`] = updating<Entity>(entity, id, change, { version: Number(before.version) })
    Object.assign(steps, recordSteps(context, { ...entryOf(context, entity, before), before, after }, `record ${before.id}`))
  }
  return steps
}

/** An item that is to be the only one, those that are there, and steps that are written with it. */
export interface Placing<E extends Entity> {
  readonly wanted: New<E>
  readonly there: readonly Item<E>[]
  readonly steps: Steps
}

/**
 * Puts an item in the place of those that are there, each recorded. One that says the same stays as it is.
 * @param said the attributes by which an item says the same
 * @param change what an item of the same id gets
 * @param mayThere throws if the item may not be put where others are, or where none is
 */
export async function placeSole<E extends Entity>(
  context: FlowContext,
  entity: E,
  { wanted, there, steps: given }: Placing<E>,
  said: readonly (keyof Item<E> & string)[],
  change: Change<E>,
  mayThere: (isThere: boolean) => void,
): Promise<Item<E>> {
  const [first] = there
  const [values, before]: readonly [View, View | undefined] = [wanted, first]
  if (first !== undefined && said.every((name) => before?.[name] === values[name])) return first
  mayThere(first !== undefined)
  const steps: Record<string, Steps[string]> = { ...given }
  const views: readonly View[] = there
  const same = views.find(({ id }) => id === values.id)
  for (const each of views.filter((other) => other !== same)) {
    // The key of an item is its own.
    steps[`remove ${each.id}`] = removing<Entity>(entity, idOfItem(entity, each) as never, { version: Number(each.version) })
    Object.assign(steps, recordSteps(context, { ...entryOf(context, entity, each), before: each }, `record ${each.id}`))
  }
  const item =
    same === undefined
      ? creating<Entity>(entity, values as never)
      : updating<Entity>(entity, idOfItem(entity, same) as never, change as never, { version: Number(same.version) })
  const written = await writeRecorded(
    context,
    { ...steps, item },
    { ...entryOf(context, entity, values), before: same, after: { ...values } },
  )
  return viewOf<E>(returnedItem(entity, written.item))
}
