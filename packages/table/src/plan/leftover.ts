import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import type { Action, Origin } from './action.ts'
import type { Adoption } from './adoption.ts'
import { type Condition, unchanged } from './condition.ts'
import { keyText, tableKeyIfPresent } from './keys.ts'
import type { Known, Needs } from './known.ts'
import type { Stored } from './stored.ts'
import { isExpired } from './view.ts'

// Items that stay behind when a design changes: those of an entity that it no longer has, and guards and lookup items of owners that a program of a
// version without them has changed or removed.

const step = 'adopt'
const nothing: Adoption = { missing: [], former: [], actions: [], problems: [] }
const keyOf = ({ PK, SK }: Stored) => ({ PK: String(PK), SK: String(SK) })

function removal(entity: string, role: Origin['role'], item: Stored): Action {
  return { kind: 'delete', key: keyOf(item), conditions: [{ is: 'present' }, unchanged(item)], origin: { step, role, entity } }
}

/** An item of an entity that was dropped. It goes once no program of a former version runs. */
export function planDropped(item: Stored, isFinal: boolean): Adoption {
  const entity = String(item.Type)
  return { ...nothing, former: [entity], actions: isFinal ? [removal(entity, 'item', item)] : [] }
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
  const condition: Condition = there === undefined ? { is: 'absent', now: new Date(0) } : unchanged(there)
  return {
    ...nothing,
    missing: [derived.name],
    actions: [
      removal(derived.name, part.kind, item),
      { kind: 'check', key, conditions: [condition], origin: { step, role: 'end', entity: owner.name } },
    ],
  }
}
