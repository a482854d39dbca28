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

/** Its guards and mirrors, which end when it does. */
function derivedKeys({ design }: Runtime, entity: Entity, item: Stored): readonly (readonly [Entity, TableKey])[] {
  return design.form.derivedItemsOf(entity).flatMap((derived) => {
    const key = tableKeyIfPresent(derived, item)
    return key === undefined ? [] : [[derived, key] as const]
  })
}

/** Deletes an item as it was read: what lies there by then may be another. */
async function deleteOne(runtime: Runtime, { name }: Entity, item: Stored): Promise<boolean> {
  const key = { PK: String(item.PK), SK: String(item.SK) }
  const origin = { step: 'expired', role: 'item', entity: name } as const
  const { failed } = await sendActions(runtime, [{ kind: 'delete', key, conditions: [{ is: 'present' }, unchanged(item)], origin }])
  return failed.length === 0
}

/**
 * Takes an item that is past its end out of the table, as DynamoDB's TTL does in its own time, its guards and mirrors first: without it nothing
 * would lead to them. For where nothing does so by itself. False where it is not past its end, or others were faster. Throws `InvalidInput`
 * for an entity without an end, `Denied` behind the wall of a tenant.
 */
export async function removeExpired(runtime: Runtime, entity: Entity, item: Stored): Promise<boolean> {
  forOperators(runtime, 'Items past their end')
  if (entity.form.expires === undefined)
    throw new FreeholdError('InvalidInput', `A ${entity.name} does not end by itself.`, { entity: entity.name, issues: [] })
  const now = runtime.now()
  if (!isExpired(entity, item, now)) return false
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
