import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import type { Action, Origin } from './action.ts'
import { type Condition, unchanged } from './condition.ts'
import { checkFindable } from './dependants.ts'
import { planDerivedItems } from './derived-items.ts'
import { tableKey } from './keys.ts'
import type { Known, Needs, Planned } from './known.ts'
import { type Sibling, siblingsOf } from './siblings.ts'
import type { Prepared } from './step.ts'
import { type Stored, ttlOf, versionOf } from './stored.ts'
import { checkOwn, type WriteContext } from './tenant-scope.ts'
import { currentItem } from './update.ts'

type Remove = Extract<Prepared, { verb: 'remove' }>

interface Removal {
  readonly step: string
  readonly now: Date
}

/** The deletion of an item with its derived items, or of all sides of an edge. */
export function deleteWhole(
  entity: Entity,
  current: Stored,
  form: DesignForm,
  conditions: readonly Condition[],
  { step, now }: Removal,
): Action[] {
  const { part } = entity.form
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const own: Action = { kind: 'delete', key: tableKey(entity, current), conditions, origin }
  if (part.kind !== 'edge') return [own, ...planDerivedItems(entity, form, current, undefined, versionOf(current), { step, now })]
  const siblings = siblingsOf(entity, current).map(
    ({ side, key }): Action => ({ kind: 'delete', key, conditions: [], origin: { step, role: 'side', entity: side.name } }),
  )
  return [own, ...siblings]
}

/**
 * Marks an item and its lookup items, or all sides of an edge, as being deleted: it no longer grants anything, and its key stays taken
 * (spec rule 12). `siblings`: the other sides that exist; a missing side does not prevent the removal. `isBeneath`: the item is removed
 * with another that is already marked. Then only those of its lookup items are marked that others refer to: readers see the mark above, and
 * a cascade writes a fifth less.
 */
export function markWhole(
  entity: Entity,
  current: Stored,
  siblings: readonly Sibling[],
  form: DesignForm,
  job: string,
  { step, now, isBeneath = false }: Removal & { readonly isBeneath?: boolean },
): Action[] {
  const marked = (mirror: Entity) => (isBeneath && !form.isReferredTo(mirror) ? {} : { deleting: job })
  const version = versionOf(current) + 1
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const conditions: readonly Condition[] = [{ is: 'live' }, unchanged(current)]
  const set = { deleting: job, version }
  // DynamoDB must not delete it by its `ttl` before the removal has found its dependants.
  const remove = ttlOf(entity, current) === undefined ? [] : ['ttl']
  const own: Action = { kind: 'update', key: tableKey(entity, current), set, remove, conditions, origin }
  return [
    own,
    ...planDerivedItems(entity, form, current, current, version, { step, now, extra: marked }),
    ...siblings.map(
      ({ side, key }): Action => ({
        kind: 'update',
        key,
        set: { deleting: job },
        remove: [],
        add: { version: 1 },
        conditions: [{ is: 'present' }],
        origin: { step, role: 'side', entity: side.name },
      }),
    ),
  ]
}

/**
 * Removes the mark again, when the item turns out to be in use.
 * @param siblings the other sides of an edge that have the mark
 */
export function unmarkWhole(
  entity: Entity,
  marked: Stored,
  siblings: readonly Sibling[],
  form: DesignForm,
  job: string,
  { step, now }: Removal,
): Action[] {
  const { deleting: _, ...current } = marked
  const version = versionOf(current) + 1
  const ttl = ttlOf(entity, current)
  const unmarked = { kind: 'update', remove: ['deleting'], conditions: [{ is: 'equal', attribute: 'deleting', value: job }] } as const
  return [
    {
      ...unmarked,
      key: tableKey(entity, current),
      set: ttl === undefined ? { version } : { version, ttl },
      origin: { step, role: 'item', entity: entity.name },
    },
    ...planDerivedItems(entity, form, current, current, version, { step, now, rewrite: true }),
    ...siblings.map(
      ({ side, key }): Action => ({ ...unmarked, key, set: {}, add: { version: 1 }, origin: { step, role: 'side', entity: side.name } }),
    ),
  ]
}

/** Plans a removal: at once if the item can have no dependants, otherwise a mark and a job. */
export function planRemove(
  prepared: Remove,
  form: DesignForm,
  known: Known,
  job: string,
  { now, tenantScope }: WriteContext,
): Needs | Planned {
  const { entity, step } = prepared
  const current = currentItem(prepared, known, tenantScope)
  if (current === 'unread') return { needs: [prepared.key] }
  checkOwn(tenantScope, entity, current)
  const dependants = form.dependantsOf(entity).filter(({ onRemove }) => onRemove !== 'keep')
  if (dependants.length > 0) {
    checkFindable(entity, dependants)
    const siblings = siblingsOf(entity, current)
    const unread = siblings.filter(({ key }) => known.look(key) === 'unread')
    if (unread.length > 0) return { needs: unread.map(({ key }) => key) }
    const there = siblings.filter(({ key }) => known.look(key) !== undefined)
    return { actions: markWhole(entity, current, there, form, job, { step, now }), removes: true, item: current }
  }
  return { actions: deleteWhole(entity, current, form, [{ is: 'live' }, unchanged(current)], { step, now }), item: current }
}
