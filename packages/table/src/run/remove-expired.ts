import type { Entity } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import { unchanged } from '../plan/condition.ts'
import { keyText, type TableKey, tableKeyIfPresent } from '../plan/keys.ts'
import type { Stored } from '../plan/stored.ts'
import { isExpired } from '../plan/view.ts'
import { parallelMap } from './meter.ts'
import { forOperators } from './operators.ts'
import { readItems } from './read.ts'
import type { Runtime } from './runtime.ts'
import { sendActions } from './send-actions.ts'

/** The derived items of an expired item, which expire with it. */
function derivedKeys({ design }: Runtime, entity: Entity, item: Stored): readonly (readonly [Entity, TableKey])[] {
  return design.form.derivedItemsOf(entity).flatMap((derived) => {
    const key = tableKeyIfPresent(derived, item)
    return key === undefined ? [] : [[derived, key] as const]
  })
}

/** Deletes an item if it is unchanged, since another may have its key by now. */
async function deleteOne(runtime: Runtime, { name }: Entity, item: Stored): Promise<boolean> {
  const key = { PK: String(item.PK), SK: String(item.SK) }
  const origin = { step: 'expired', role: 'item', entity: name } as const
  const { failed } = await sendActions(runtime, [{ kind: 'delete', key, conditions: [{ is: 'present' }, unchanged(item)], origin }])
  return failed.length === 0
}

/**
 * Deletes an expired item, as DynamoDB's TTL does later by itself; the embedded engine does not. Its derived items are deleted first, since
 * they are found only through it. False if the item has not expired, or if others were faster. Throws `InvalidInput` for an entity that
 * does not expire, `Denied` for a tenant.
 */
export async function removeExpired(runtime: Runtime, entity: Entity, item: Stored): Promise<boolean> {
  forOperators(runtime, 'Removals of expired items')
  if (entity.form.expires === undefined)
    throw new FreeholdError('InvalidInput', `A ${entity.name} does not expire.`, { entity: entity.name, issues: [] })
  const now = runtime.now()
  // An item that is being deleted goes last, after its dependants.
  if (!isExpired(entity, item, now) || item.deleting !== undefined) return false
  const keys = derivedKeys(runtime, entity, item)
  const read = await readItems(
    runtime,
    keys.map(([, key]) => key),
    { consistent: true },
  )
  await parallelMap(keys, async ([derived, key]) => {
    const found = read.get(keyText(key))
    if (found?.Type === derived.name && isExpired(derived, found, now)) await deleteOne(runtime, derived, found)
  })
  return deleteOne(runtime, entity, item)
}
