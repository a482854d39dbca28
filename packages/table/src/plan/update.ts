import { isDeepStrictEqual } from 'node:util'
import type { DesignForm } from '../design/design.ts'
import type { Edge } from '../design/edge.ts'
import type { Entity } from '../design/entity.ts'
import { FreeholdError } from '../errors.ts'
import type { Action, Origin, Put, Update } from './action.ts'
import { copiedValues, planEnds, targetKey } from './copies.ts'
import { copiesOf } from './create.ts'
import { planFurthers } from './furthers.ts'
import type { Values } from './input.ts'
import { indexKeyNames, keyText, type TableKey, tableKey } from './keys.ts'
import type { Known, Needs, Planned } from './known.ts'
import type { Prepared } from './step.ts'
import { type Stored, storedItem, versionOf } from './stored.ts'

type Change = Extract<Prepared, { verb: 'update' | 'move' }>

/** The item a step is about, or the error that says why the step cannot be. */
export function currentItem(prepared: Exclude<Prepared, { verb: 'create' }>, known: Known): Stored | 'unread' {
  const { entity, key, version } = prepared
  const current = known.look(key)
  if (current === 'unread') return current
  const details = { entity: entity.name, key }
  if (current === undefined || current['Type'] !== entity.name)
    throw new FreeholdError('NotFound', `There is no ${entity.name} at '${key.PK}' / '${key.SK}'.`, details)
  if (current['deleting'] !== undefined)
    throw new FreeholdError('BeingDeleted', `This ${entity.name} is being deleted (job ${current['deleting']}).`, details)
  if (version !== undefined && version !== versionOf(current)) {
    throw new FreeholdError(
      'VersionConflict',
      `This ${entity.name} has version ${versionOf(current)}, not ${version}: read it again and decide anew.`,
      {
        ...details,
        version: versionOf(current),
      },
    )
  }
  return current
}

function changed(current: Stored, { change, stamps }: Change, copies: Readonly<Values>): Values {
  const next: Values = { ...current, ...stamps, ...change.set, ...copies }
  for (const name of change.remove) delete next[name]
  return next
}

/** Only what differs is written: attributes that this design does not know are kept as they are. */
export function differences(before: Stored, after: Stored, names: readonly string[]): Pick<Update, 'set' | 'remove'> {
  const set: Values = {}
  const remove: string[] = []
  for (const name of names) {
    if (after[name] === undefined) {
      if (before[name] !== undefined) remove.push(name)
    } else if (!isDeepStrictEqual(before[name], after[name])) set[name] = after[name]
  }
  return { set, remove }
}

/** Every attribute of an item that an update of its entity may write. */
export function writtenNames(entity: Entity): readonly string[] {
  return [...Object.keys(entity.attributes), ...indexKeyNames(entity), 'ttl', 'version', 'deleting']
}

/** The whole item for new values, with attributes that this design does not know kept from the old one. */
function nextItem(entity: Entity, current: Stored, next: Values, version: number): { key: TableKey; item: Stored } {
  const key = tableKey(entity, next)
  const fresh = storedItem(entity, next, version)?.item ?? {}
  const ours = new Set([...writtenNames(entity), 'PK', 'SK'])
  const foreign = Object.fromEntries(Object.entries(current).filter(([name]) => !ours.has(name)))
  return { key, item: { ...foreign, ...fresh } }
}

function siblingActions(
  edge: Edge,
  { entity, step }: Change,
  before: Stored,
  next: Values,
  version: number,
  known: Known,
): Needs | { actions: Action[] } {
  const needs: TableKey[] = []
  const actions: Action[] = []
  for (const side of edge.sides) {
    if (side === entity) continue
    const origin: Origin = { step, role: 'side', entity: side.name }
    const oldKey = tableKey(side, before)
    const newKey = tableKey(side, next)
    if (keyText(oldKey) === keyText(newKey)) {
      const names = Object.keys(side.attributes).filter(
        (name) => entity.attributes[name] !== undefined && side.attributes[name]?.presence !== 'copied',
      )
      const { set, remove } = differences(before, next, names)
      actions.push({ kind: 'update', key: oldKey, set: { ...set, version }, remove, conditions: [{ is: 'present' }], origin })
      continue
    }
    const sibling = known.look(oldKey)
    if (sibling === 'unread') needs.push(oldKey)
    else {
      // Its copies stay; everything that both sides carry comes from the change.
      const { key, item } = nextItem(side, sibling ?? {}, { ...sibling, ...pick(next, side) }, version)
      actions.push(
        { kind: 'delete', key: oldKey, conditions: [], origin },
        { kind: 'put', key, item, conditions: [{ is: 'absent', now: new Date(0) }], origin },
      )
    }
  }
  return needs.length > 0 ? { needs } : { actions }
}

function pick(values: Values, { attributes }: Entity): Values {
  return Object.fromEntries(
    Object.entries(values).filter(([name]) => attributes[name] !== undefined && attributes[name]?.presence !== 'copied'),
  )
}

function isFollowed(entity: Entity, form: DesignForm, before: Stored, next: Values): boolean {
  return form.followersOf(entity).some(({ copies }) => copies.some(({ from }) => !isDeepStrictEqual(before[from], next[from])))
}

function ownAction({ verb, key, step, entity }: Change, current: Stored, item: Stored, newKey: TableKey, now: Date): Action[] {
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const unchanged = [{ is: 'live' }, { is: 'version', version: versionOf(current) }] as const
  if (verb === 'move' && keyText(newKey) !== keyText(key)) {
    const put: Put = { kind: 'put', key: newKey, item, conditions: [{ is: 'absent', now, expires: entity.form.expires }], origin }
    return [{ kind: 'delete', key, conditions: unchanged, origin }, put]
  }
  return [{ kind: 'update', key, ...differences(current, item, writtenNames(entity)), conditions: unchanged, origin }]
}

/** References that the change points elsewhere: they are checked again, and what is copied through them is read again. */
function movedReferences({ entity }: Change, current: Stored, next: Values) {
  return entity.form.references.filter((reference) => {
    const [before, after] = [targetKey(reference, current), targetKey(reference, next)]
    return after !== undefined && (before === undefined || keyText(before) !== keyText(after))
  })
}

/** Plans an update or a move of an item that must be there: its index keys, guards and mirrors change with it (spec rules 4, 8, 9). */
export function planChange(prepared: Change, form: DesignForm, known: Known, now: Date): Needs | Planned {
  const { entity, step } = prepared
  const current = currentItem(prepared, known)
  if (current === 'unread') return { needs: [prepared.key] }
  const references = movedReferences(prepared, current, changed(current, prepared, {}))
  const copies = copiesOf(entity).filter(({ through }) => references.some(({ attribute }) => attribute === through))
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const ends = planEnds(references, changed(current, prepared, {}), new Set(copies.map(({ through }) => through)), known, origin)
  if (ends.needs.length > 0) return { needs: ends.needs }
  const next = changed(current, prepared, copiedValues(copies, ends.sources))
  const version = versionOf(current) + 1
  const { key, item } = nextItem(entity, current, next, version)
  const own = ownAction(prepared, current, item, key, now)
  const follows = isFollowed(entity, form, current, next)
  const { part } = entity.form
  if (part.kind !== 'edge') {
    return { actions: [...own, ...planFurthers(entity, form, current, next, version, { step, now }), ...ends.checks], item, follows }
  }
  const siblings = siblingActions(part.edge, prepared, current, next, version, known)
  return 'needs' in siblings ? siblings : { actions: [...own, ...siblings.actions], item, follows }
}
