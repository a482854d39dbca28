import { isDeepStrictEqual } from 'node:util'
import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import type { Action, Check, Origin } from './action.ts'
import { type Condition, holds, unchanged } from './condition.ts'
import type { Values } from './input.ts'
import { keyText, type TableKey } from './keys.ts'
import type { Known, Needs } from './known.ts'
import { type Stored, storedItem } from './stored.ts'

/** A guard or lookup item belongs to this owner, or is absent: one of another owner is never changed. */
export function ownedBy(owner: Entity, values: Readonly<Values>): Condition {
  const placeholders = keyPlaceholders(owner).filter((placeholder) => values[placeholder] !== undefined)
  return { is: 'owned', attributes: Object.fromEntries(placeholders.map((placeholder) => [placeholder, values[placeholder]])) }
}

/**
 * In place of a change or deletion of a guard that has another owner: two owners of one value, as other programs write them. The guard stays as it is,
 * so that either owner can be changed or removed. Undefined unless it has another owner.
 */
export function leftToOther({ key, conditions, origin, checks = [] }: Action, existing: Stored | undefined): Check | undefined {
  const isOther = conditions.some((condition) => condition.is === 'owned' && !holds(condition, existing))
  if (!isOther || origin.role !== 'guard' || existing?.Type !== origin.entity) return undefined
  return { kind: 'check', key, conditions: [unchanged(existing)], origin, checks }
}

interface PlanningDerivedItems {
  readonly step: string
  readonly now: Date
  readonly extra?: (mirror: Entity) => Readonly<Values>
  readonly rewrite?: boolean
}

function isSame(before: Readonly<Values>, after: Readonly<Values>): boolean {
  return isDeepStrictEqual({ ...before, version: 0 }, { ...after, version: 0 })
}

/**
 * The derived items that an item of another program lacks, for the write that completes it. One that has another owner stays: `adopt` tells both owners.
 */
export function planLackingDerivedItems(
  owner: Entity,
  form: DesignForm,
  values: Readonly<Values>,
  known: Known,
  { step, now }: Pick<PlanningDerivedItems, 'step' | 'now'>,
): Needs | { readonly needs?: undefined; readonly actions: readonly Action[] } {
  const needs: TableKey[] = []
  const actions = form.derivedItemsOf(owner).flatMap((derived): Action[] => {
    const fresh = storedItem(derived, values, 1)
    const there = fresh === undefined ? undefined : known.look(fresh.key)
    if (there === 'unread' && fresh !== undefined) needs.push(fresh.key)
    if (there !== undefined || fresh === undefined) return []
    const role = derived.form.part.kind === 'guard' ? 'guard' : 'mirror'
    const origin: Origin = { step, role, entity: derived.name, isCompletion: true }
    return [{ kind: 'put', ...fresh, conditions: [{ is: 'absent', now, expires: derived.form.expires }], origin }]
  })
  return needs.length > 0 ? { needs } : { actions }
}

/**
 * Plans the derived items of an item that changes from `before` to `after` (undefined: it is removed). An unchanged one stays, a moved one
 * is deleted and put in the same transaction (spec rule 9). `extra` gives additional attributes of a lookup item; `rewrite` also puts
 * unchanged lookup items.
 */
export function planDerivedItems(
  owner: Entity,
  form: DesignForm,
  before: Readonly<Values>,
  after: Readonly<Values> | undefined,
  version: number,
  { step, now, extra = () => ({}), rewrite = false }: PlanningDerivedItems,
): Action[] {
  return form.derivedItemsOf(owner).flatMap((derived): Action[] => {
    const role = derived.form.part.kind === 'guard' ? 'guard' : 'mirror'
    const origin: Origin = { step, role, entity: derived.name }
    const old = storedItem(derived, before, version)
    const fresh = after === undefined ? undefined : storedItem(derived, after, version)
    const item = fresh === undefined ? undefined : role === 'mirror' ? { ...fresh.item, ...extra(derived) } : fresh.item
    if (old !== undefined && fresh !== undefined && item !== undefined && keyText(old.key) === keyText(fresh.key)) {
      const mayStay = !rewrite || role === 'guard'
      return mayStay && isSame(old.item, item) ? [] : [{ kind: 'put', key: fresh.key, item, conditions: [ownedBy(owner, before)], origin }]
    }
    const actions: Action[] = []
    if (old !== undefined) actions.push({ kind: 'delete', key: old.key, conditions: [ownedBy(owner, before)], origin })
    if (fresh !== undefined && item !== undefined) {
      actions.push({ kind: 'put', key: fresh.key, item, conditions: [{ is: 'absent', now, expires: derived.form.expires }], origin })
    }
    return actions
  })
}
