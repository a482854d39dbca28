import type { Edge, Entity } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import type { Action, Origin } from './action.ts'
import { unchanged } from './condition.ts'
import type { Values } from './input.ts'
import { keyText, type TableKey, tableKey } from './keys.ts'
import type { Known, Needs } from './known.ts'
import { differences, formerNames, nextItem, withFormerNames } from './next-item.ts'
import { type Stored, storedItem, versionOf } from './stored.ts'
import { isIncomplete } from './understood.ts'

/** Another item of the same edge. */
export interface Sibling {
  readonly side: Entity
  readonly key: TableKey
}

/** The other items of an edge. None if the entity is not an edge. */
export function siblingsOf(entity: Entity, values: Readonly<Values>): readonly Sibling[] {
  const { part } = entity.form
  if (part.kind !== 'edge') return []
  return part.edge.sides.filter((side) => side !== entity).map((side) => ({ side, key: tableKey(side, values) }))
}

/** The attributes that both sides have. A copy belongs to one side only. */
function sharedNames(side: Entity, entity: Entity): readonly string[] {
  return Object.keys(side.attributes).filter(
    (name) => entity.attributes[name] !== undefined && side.attributes[name]?.presence !== 'copied',
  )
}

function missing({ side, key }: Sibling): FreeholdError {
  return new FreeholdError('MalformedItem', `The ${side.name} at '${key.PK}' / '${key.SK}', the other item of this edge, is missing.`, {
    entity: side.name,
    key,
  })
}

/** Applies the change of one item of an edge to the others. Each has its own version, since copies change one side alone. */
export function planSiblings(
  entity: Entity,
  { sides }: Edge,
  before: Stored,
  next: Values,
  known: Known,
  step: string,
): Needs | { needs?: undefined; actions: Action[] } {
  const needs: TableKey[] = []
  const actions: Action[] = []
  for (const side of sides) {
    if (side === entity) continue
    const origin: Origin = { step, role: 'side', entity: side.name }
    const oldKey = tableKey(side, before)
    const newKey = tableKey(side, next)
    const names = sharedNames(side, entity)
    if (keyText(oldKey) === keyText(newKey)) {
      // Another program may have written one side of an edge that the design writes in two.
      const there = isIncomplete(before) ? known.look(oldKey) : undefined
      if (there === 'unread') needs.push(oldKey)
      const lacking = isIncomplete(before) && there === undefined ? storedItem(side, next, 1) : undefined
      if (lacking !== undefined) actions.push({ kind: 'put', ...lacking, conditions: [{ is: 'absent', now: new Date(0) }], origin })
      if (there === 'unread' || lacking !== undefined) continue
      actions.push({
        kind: 'update',
        key: oldKey,
        ...differences(before, withFormerNames(side, next), [...names, ...formerNames(side, names)]),
        add: { version: 1 },
        conditions: [{ is: 'present' }],
        origin,
      })
      continue
    }
    const sibling = known.look(oldKey)
    if (sibling === undefined) throw missing({ side, key: oldKey })
    if (sibling === 'unread') needs.push(oldKey)
    else {
      const shared = Object.fromEntries(names.map((name) => [name, next[name]]))
      const { key, item } = nextItem(side, sibling, { ...sibling, ...shared }, versionOf(sibling) + 1)
      actions.push(
        { kind: 'delete', key: oldKey, conditions: [{ is: 'present' }, unchanged(sibling)], origin },
        { kind: 'put', key, item, conditions: [{ is: 'absent', now: new Date(0) }], origin },
      )
    }
  }
  return needs.length > 0 ? { needs } : { actions }
}
