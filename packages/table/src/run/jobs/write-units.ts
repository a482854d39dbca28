import { itemBytes } from '../../dynamo/item-bytes.ts'
import type { Action } from '../../plan/action.ts'
import { keyText } from '../../plan/keys.ts'
import { jobActionsMax } from './progress.ts'
import { type Removable, type Removal, write } from './removal.ts'

/** The actions that mark or delete one item with its derived items or other sides. All or none of them are written. */
export interface Unit {
  readonly removable: Removable
  readonly actions: readonly Action[]
}

/** Units in groups of one transaction each, and units that share an item with another unit and must wait for it. */
export interface Packed {
  readonly groups: readonly (readonly Unit[])[]
  readonly late: readonly Unit[]
}

/** Half of DynamoDB's limit of one transaction. Deleted items count, too; a unit is measured by its largest item. */
const groupBytesMax = 2 * 1024 * 1024

/**
 * Packs units into as few transactions as possible. No two units share an item: parallel transactions with the same item would cancel each
 * other, even for checks, and one transaction has one action an item.
 */
export function pack({ runtime }: Removal, units: readonly Unit[]): Packed {
  const groups: Unit[][] = []
  const late: Unit[] = []
  const taken = new Set<string>()
  let room = 0
  let bytesLeft = 0
  for (const unit of units) {
    const { actions, removable } = unit
    const places = actions.map(({ key }) => keyText(key))
    if (places.some((place) => taken.has(place))) {
      late.push(unit)
      continue
    }
    for (const place of places) taken.add(place)
    // Derived items and other sides repeat the attributes of the item.
    const bytes = itemBytes(removable.item) * places.length
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
  /** The stamp of the written units. */
  readonly writeId?: string | undefined
  /** Units with a failed condition: they have changed since they were read. */
  readonly left: readonly Unit[]
}

/** Writes units in one transaction. A unit that has changed since it was read does not prevent the others. */
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
