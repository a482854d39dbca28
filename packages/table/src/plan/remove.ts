import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/entity.ts'
import type { Action, Origin } from './action.ts'
import type { Condition } from './condition.ts'
import { planFurthers } from './furthers.ts'
import { tableKey } from './keys.ts'
import type { Known, Needs, Planned } from './known.ts'
import type { Prepared } from './step.ts'
import { type Stored, versionOf } from './stored.ts'
import { currentItem } from './update.ts'

type Remove = Extract<Prepared, { verb: 'remove' }>

interface Removal {
  readonly step: string
  readonly now: Date
}

/** The deletion of an item with its guards and mirrors, or of all sides of an edge. */
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
  if (part.kind !== 'edge') return [own, ...planFurthers(entity, form, current, undefined, versionOf(current), { step, now })]
  const siblings = part.edge.sides.filter((side) => side !== entity)
  return [
    own,
    ...siblings.map(
      (side): Action => ({
        kind: 'delete',
        key: tableKey(side, current),
        conditions: [],
        origin: { step, role: 'side', entity: side.name },
      }),
    ),
  ]
}

/** Marks an item, its mirrors or the other sides as being deleted: it grants nothing, its key stays taken (spec rule 12). */
export function markWhole(entity: Entity, current: Stored, form: DesignForm, job: string, { step, now }: Removal): Action[] {
  const { part } = entity.form
  const version = versionOf(current) + 1
  const mark = { deleting: job, version }
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const unchanged: readonly Condition[] = [{ is: 'live' }, { is: 'version', version: versionOf(current) }]
  const own: Action = { kind: 'update', key: tableKey(entity, current), set: mark, remove: [], conditions: unchanged, origin }
  if (part.kind !== 'edge') return [own, ...planFurthers(entity, form, current, current, version, { step, now, extra: { deleting: job } })]
  const siblings = part.edge.sides.filter((side) => side !== entity)
  return [
    own,
    ...siblings.map(
      (side): Action => ({
        kind: 'update',
        key: tableKey(side, current),
        set: mark,
        remove: [],
        conditions: [{ is: 'present' }],
        origin: { step, role: 'side', entity: side.name },
      }),
    ),
  ]
}

/** Takes the mark off again, where the item turned out to be in use. */
export function unmarkWhole(entity: Entity, marked: Stored, form: DesignForm, job: string, { step, now }: Removal): Action[] {
  const { deleting: _, ...current } = marked
  const version = versionOf(current) + 1
  const own: Action = {
    kind: 'update',
    key: tableKey(entity, current),
    set: { version },
    remove: ['deleting'],
    conditions: [{ is: 'equal', attribute: 'deleting', value: job }],
    origin: { step, role: 'item', entity: entity.name },
  }
  const further = planFurthers(entity, form, current, current, version, { step, now, rewrite: true })
  return [own, ...further]
}

/** Plans a removal: at once where nothing can hang on the item, else a mark and a job. */
export function planRemove(prepared: Remove, form: DesignForm, known: Known, job: string, now: Date): Needs | Planned {
  const { entity, step } = prepared
  const current = currentItem(prepared, known)
  if (current === 'unread') return { needs: [prepared.key] }
  if (form.dependantsOf(entity).some(({ onRemove }) => onRemove !== 'keep')) {
    return { actions: markWhole(entity, current, form, job, { step, now }), removes: true, item: current }
  }
  const unchanged: readonly Condition[] = [{ is: 'live' }, { is: 'version', version: versionOf(current) }]
  return { actions: deleteWhole(entity, current, form, unchanged, { step, now }), item: current }
}
