import type { Entity } from '../design/form.ts'
import type { Action, Origin } from '../plan/action.ts'
import { unchanged } from '../plan/condition.ts'
import { keyText, type TableKey } from '../plan/keys.ts'
import { differences, nextItem } from '../plan/next-item.ts'
import { type Stored, versionOf } from '../plan/stored.ts'
import { forOperators } from './operators.ts'
import type { Runtime } from './runtime.ts'
import { sendActions } from './send-actions.ts'

/** The same item with other values: under its key, or moved if that has changed. */
function rewriting(entity: Entity | undefined, before: Stored, after: Stored): readonly Action[] {
  const origin: Origin = { step: 'rewrite', role: 'item', entity: entity?.name ?? 'Job' }
  const conditions = [{ is: 'present' }, unchanged(before)] as const
  const key: TableKey = { PK: String(before.PK), SK: String(before.SK) }
  const version = versionOf(before) + 1
  const next = entity === undefined ? { key, item: { ...after, version } } : nextItem(entity, after, after, version)
  // DynamoDB expires an item that is being removed no sooner than its removal is done.
  const item: Stored = before.ttl === undefined ? { ...next.item, ttl: undefined } : next.item
  if (keyText(next.key) !== keyText(key)) {
    const absent = { is: 'absent', now: new Date(0) } as const
    return [
      { kind: 'delete', key, conditions, origin },
      {
        kind: 'put',
        key: next.key,
        item: Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)),
        conditions: [absent],
        origin,
      },
    ]
  }
  const names = [...new Set([...Object.keys(before), ...Object.keys(item)])].filter(
    (name) => name !== 'PK' && name !== 'SK' && name !== 'writeId',
  )
  return [{ kind: 'update', key, ...differences(before, item, names), conditions, origin }]
}

/**
 * Writes an item anew that no flow may change: an entry of an audit, a lookup item by itself. Its keys follow its values. It is for the erasure of a
 * person, which rewrites each item that lies in the table, its lookup items among them.
 * @param entity undefined for the record of a call
 * @returns false if another writer was faster
 */
export async function rewriteItem(runtime: Runtime, entity: Entity | undefined, before: Stored, after: Stored): Promise<boolean> {
  const { failed } = await sendActions(forOperators(runtime, 'Rewrites'), rewriting(entity, before, after))
  return failed.length === 0
}
