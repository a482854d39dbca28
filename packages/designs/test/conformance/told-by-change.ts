import type { Entity } from '@freehold/table'
import type { ToldChange, Values } from './flow-scene.ts'

/**
 * Reads the records of a design that keeps changes.
 * @param scope the attribute of `change` that names the scope of a record
 */
export function toldBy(change: Entity, scope: string): (item: Values) => ToldChange | undefined {
  return (item) => {
    if (item.Type !== change.name) return undefined
    const { from, changes = {}, more = {} } = item as Readonly<Record<string, Values | undefined>>
    const { flow, actor, status, entity, entityId: id, [scope]: of } = item
    return { flow, actor, via: from?.via, status, scope: of, entity, id, changes, more }
  }
}
