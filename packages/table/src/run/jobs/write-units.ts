import { itemBytes } from '../../dynamo/item-bytes.ts'
import type { Action } from '../../plan/action.ts'
import { keyText } from '../../plan/keys.ts'
import { jobActionsMax } from './progress.ts'
import { type Doomed, type Removal, write } from './removal.ts'

/** What one item takes to be marked or deleted, with its guards and mirrors or its other sides: all or nothing of it is written. */
export interface Unit {
  readonly doomed: Doomed
  readonly actions: readonly Action[]
}

/** Units that go together in one transaction each, and those that name what another unit names, and have to wait for that. */
export interface Packed {
  readonly groups: readonly (readonly Unit[])[]
  readonly late: readonly Unit[]
}

/** Half of DynamoDB's limit of one transaction, which counts what is deleted, too: what a unit has is measured by its largest item. */
const groupBytesMax = 2 * 1024 * 1024

/**
 * Puts units into as few transactions as hold them. No two name one item, since transactions that are under way together would keep each other from
 * being applied, checks included; and of a transaction each item has one action.
 */
export function pack({ runtime }: Removal, units: readonly Unit[]): Packed {
  const groups: Unit[][] = []
  const late: Unit[] = []
  const taken = new Set<string>()
  let room = 0
  let bytesLeft = 0
  for (const unit of units) {
    const { actions, doomed } = unit
    const places = actions.map(({ key }) => keyText(key))
    if (places.some((place) => taken.has(place))) {
      late.push(unit)
      continue
    }
    for (const place of places) taken.add(place)
    // Guards, mirrors and other sides repeat what the item has.
    const bytes = itemBytes(doomed.item) * places.length
    const group = groups.at(-1)
    if (group === undefined || places.length > room || bytes > bytesLeft) {
      groups.push([unit])
      room = jobActionsMax(runtime)
      bytesLeft = groupBytesMax
    } else group.push(unit)
    room -= places.length
    bytesLeft -= bytes
  }
  return { groups, late }
}

export interface UnitsWritten {
  readonly done: readonly Unit[]
  /** The stamp of those that are done. */
  readonly writeId?: string | undefined
  /** Those of which a condition failed: they are not as they were read. */
  readonly left: readonly Unit[]
}

/** Writes units in one transaction. One that has changed since it was read keeps none of the others from being written. */
export async function writeUnits(removal: Removal, units: readonly Unit[]): Promise<UnitsWritten> {
  const left: Unit[] = []
  let rest = units
  while (rest.length > 0) {
    const { failed, writeId } = await write(
      removal,
      rest.flatMap(({ actions }) => actions),
    )
    if (failed.length === 0) return { done: rest, writeId, left }
    const places = new Set(failed.map(({ action }) => keyText(action.key)))
    const hasFailed = ({ actions }: Unit) => actions.some(({ key }) => places.has(keyText(key)))
    left.push(...rest.filter(hasFailed))
    rest = rest.filter((unit) => !hasFailed(unit))
  }
  return { done: [], left }
}
