import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import type { Action, Origin } from './action.ts'
import { type Adoption, nothing } from './adopted-item.ts'
import { type Condition, unchanged } from './condition.ts'
import { keyText, type TableKey, tableKeyIfPresent } from './keys.ts'
import type { Known, Needs } from './known.ts'
import type { Stored } from './stored.ts'
import { isExpired } from './view.ts'

// Items that stay behind when a design changes: those of an entity that it no longer has, and guards and lookup items of owners that a program of a
// version without them has changed or removed.

const step = 'adopt'
const keyOf = ({ PK, SK }: Stored) => ({ PK: String(PK), SK: String(SK) })

function removal(entity: string, role: Origin['role'], item: Stored): Action {
  return { kind: 'delete', key: keyOf(item), conditions: [{ is: 'present' }, unchanged(item)], origin: { step, role, entity } }
}

/** An item of an entity that was dropped. It goes once no program of a former version runs. */
export function planDropped(item: Stored, isFinal: boolean): Adoption {
  const entity = String(item.Type)
  return { ...nothing, former: [entity], actions: isFinal ? [removal(entity, 'item', item)] : [] }
}

/**
 * The item of an edge that the design adds, without one that it does not add: a program that knows only that one has removed the edge. Undefined if the edge
 * is there.
 */
export function planLeftSide(entity: Entity, item: Stored, known: Known): Needs | Adoption | undefined {
  const { part, addition } = entity.form
  if (part.kind !== 'edge' || addition === undefined) return undefined
  for (const side of part.edge.sides) {
    const key = side.form.addition === undefined ? tableKeyIfPresent(side, item) : undefined
    const there = key === undefined ? item : known.look(key)
    if (there === 'unread' && key !== undefined) return { needs: [key] }
    if (there === undefined && key !== undefined) return gone(entity.name, 'side', item, { key, entity: side.name })
  }
  return undefined
}

/** The removal of an item, if another one is still absent. */
function gone(name: string, role: Origin['role'], item: Stored, absent: { readonly key: TableKey; readonly entity: string }): Adoption {
  const condition: Condition = { is: 'absent', now: new Date(0) }
  const check = { kind: 'check', key: absent.key, conditions: [condition], origin: { step, role: 'end', entity: absent.entity } } as const
  return { ...nothing, missing: [name], actions: [removal(name, role, item), check] }
}

/** A guard or lookup item whose owner is not there, or has another value by now: it goes, if the owner is still so. */
export function planOwned(form: DesignForm, derived: Entity, item: Stored, known: Known, now: Date): Needs | Adoption {
  const { part } = derived.form
  if (part.kind !== 'guard' && part.kind !== 'mirror') return nothing
  const { owner } = part
  const key = tableKeyIfPresent(owner, Object.fromEntries(keyPlaceholders(owner).map((name) => [name, item[name]])))
  if (key === undefined) return nothing
  const there = known.look(key)
  if (there === 'unread') return { needs: [key] }
  if (
    there !== undefined &&
    (there.deleting !== undefined || form.entities.get(String(there.Type)) !== owner || isExpired(owner, there, now))
  )
    return nothing
  const place = there === undefined ? undefined : tableKeyIfPresent(derived, there)
  if (place !== undefined && keyText(place) === keyText(keyOf(item))) return nothing
  if (there === undefined) return gone(derived.name, part.kind, item, { key, entity: owner.name })
  return {
    ...nothing,
    missing: [derived.name],
    actions: [
      removal(derived.name, part.kind, item),
      { kind: 'check', key, conditions: [unchanged(there)], origin: { step, role: 'end', entity: owner.name } },
    ],
  }
}
