import type { Entity } from '../../design/form.ts'
import type { Action } from '../../plan/action.ts'
import { holds, unchanged } from '../../plan/condition.ts'
import { keyText } from '../../plan/keys.ts'
import { deleteWhole, markWhole } from '../../plan/remove.ts'
import { type Sibling, siblingsOf } from '../../plan/siblings.ts'
import type { Stored } from '../../plan/stored.ts'
import { isExpired } from '../../plan/view.ts'
import { damaged } from '../outcome.ts'
import { consistent, readItems } from '../read.ts'
import type { Runtime } from '../runtime.ts'
import { type Removal, write } from './removal.ts'
import { removalRecord } from './removal-record.ts'

const step = 'remove'

/** The other sides of an edge that exist, or that have the mark of a job. A damaged edge may lack one. */
export async function siblingsThere(runtime: Runtime, entity: Entity, item: Stored, job?: string): Promise<readonly Sibling[]> {
  const siblings = siblingsOf(entity, item)
  if (siblings.length === 0) return siblings
  const keys = siblings.map(({ key }) => key)
  const found = await readItems(runtime, keys, consistent)
  return siblings.filter(({ key }) => {
    const there = found.get(keyText(key))
    return there !== undefined && (job === undefined || there.deleting === job)
  })
}

/** The key of an expired owner's derived item is free. An item of a new owner under it is not touched (spec rule 7). */
export async function stillOwn(runtime: Runtime, entity: Entity, item: Stored, actions: readonly Action[]): Promise<readonly Action[]> {
  if (!isExpired(entity, item, runtime.now())) return actions
  const derivedItems = actions.filter(({ origin: { role } }) => role === 'guard' || role === 'mirror')
  const keys = derivedItems.map(({ key }) => key)
  const found = await readItems(runtime, keys, consistent)
  const isTaken = ({ key, conditions }: Action) => !conditions.every((condition) => holds(condition, found.get(keyText(key))))
  return actions.filter((action) => !derivedItems.includes(action) || !isTaken(action))
}

/** Returns false if the item has changed since it was read. Throws `MalformedItem` if a derived item has another owner. */
async function writeOne(removal: Removal, entity: Entity, item: Stored, actions: readonly Action[]): Promise<boolean> {
  const { failed } = await write(removal, await stillOwn(removal.runtime, entity, item, actions))
  if (failed.some(({ action: { origin } }) => origin.role === 'item')) return false
  const damage = failed.find(({ action: { origin } }) => origin.role === 'mirror' || origin.role === 'guard')
  if (damage !== undefined) throw damaged(damage.action)
  return failed.length === 0
}

/** Marks one item, if it is unchanged, with its existing sides. */
export async function markOne(removal: Removal, entity: Entity, item: Stored): Promise<boolean> {
  const { runtime, progress } = removal
  const siblings = await siblingsThere(runtime, entity, item)
  const actions = markWhole(entity, item, siblings, runtime.design.form, progress.job.id, { step, now: runtime.now(), isBeneath: true })
  return writeOne(removal, entity, item, actions)
}

/** Deletes one item, if it is unchanged. */
export async function deleteOne(removal: Removal, entity: Entity, item: Stored): Promise<boolean> {
  const { runtime } = removal
  const deleted = deleteWhole(entity, item, runtime.design.form, [unchanged(item)], { step, now: runtime.now() })
  return writeOne(removal, entity, item, [...deleted, ...removalRecord(removal, entity, item)])
}
