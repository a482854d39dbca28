import type { Source } from '../design/attribute.ts'
import type { DesignForm } from '../design/design.ts'
import type { Copy, Edge, Entity, Reference } from '../design/form.ts'
import type { Action, Origin } from './action.ts'
import { copiedValues, planEnds } from './copies.ts'
import { mayHaveFollowers } from './dependants.ts'
import type { Values } from './input.ts'
import { tableKey } from './keys.ts'
import type { Known, Needs, Planned } from './known.ts'
import type { Prepared } from './step.ts'
import { type Stored, storedItem } from './stored.ts'
import { checkOwn, tenantScopeOfItem, type WriteContext } from './tenant-scope.ts'
import { viewItem } from './view.ts'

type Create = Extract<Prepared, { verb: 'create' }>

function copyFrom(attribute: string, { through, attribute: named }: Source): Copy {
  return typeof named === 'object'
    ? { attribute, through, from: attribute, fromOf: named }
    : { attribute, through, from: named ?? attribute }
}

/** The copied attributes of an entity. */
export function copiesOf(entity: Entity): readonly Copy[] {
  const known = copiesKnown.get(entity) ?? copiesDeclared(entity)
  copiesKnown.set(entity, known)
  return known
}

const copiesKnown = new WeakMap<Entity, readonly Copy[]>()

function copiesDeclared(entity: Entity): readonly Copy[] {
  const { part } = entity.form
  if (part.kind === 'edge') return part.edge.copies[entity.name] ?? []
  return Object.entries(entity.attributes).flatMap(([attribute, { source }]) => (source === undefined ? [] : [copyFrom(attribute, source)]))
}

function put(entity: Entity, values: Readonly<Values>, origin: Origin, now: Date): Action | undefined {
  const stored = storedItem(entity, values, 1)
  return stored === undefined
    ? undefined
    : { kind: 'put', ...stored, conditions: [{ is: 'absent', now, expires: entity.form.expires }], origin }
}

/** The check that the outer edge exists, if this edge lies within one. */
export function withinCheck({ within }: Edge, values: Readonly<Values>, step: string): Action[] {
  if (within === undefined) return []
  return [
    { kind: 'check', key: tableKey(within, values), conditions: [{ is: 'live' }], origin: { step, role: 'end', entity: within.name } },
  ]
}

/** Checks a new item before anything is written, since a value copied from a malformed item may be wrong. Throws `MalformedItem`. */
function checkWhole(entity: Entity, item: Stored | undefined): void {
  if (item !== undefined && copiesOf(entity).length > 0) viewItem(entity, item)
}

function createEdge(
  { step, values, entity, newIds }: Create,
  edge: Edge,
  form: DesignForm,
  known: Known,
  { now, tenantScope }: WriteContext,
): Needs | Planned {
  const copies = edge.sides.flatMap((side) => edge.copies[side.name] ?? [])
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const ends = planEnds(edge.ends, values, copies, {
    known,
    origin,
    now,
    tenantScope,
    bounds: (all) => tenantScopeOfItem(form, entity, all),
  })
  if (ends.needs.length > 0) return { needs: ends.needs }
  const all = { ...values, ...copiedValues(copies, ends.sources) }
  checkOwn(tenantScope, entity, all)
  const puts = edge.sides.map((side) => {
    const own = { ...values, ...copiedValues(edge.copies[side.name] ?? [], ends.sources) }
    return put(side, own, { step, role: side === entity ? 'item' : 'side', entity: side.name }, now)
  })
  const actions = puts.filter((action) => action !== undefined)
  const own = actions.find(({ origin: { role } }) => role === 'item')
  const item = own?.kind === 'put' ? own.item : undefined
  checkWhole(entity, item)
  const follows = mayHaveFollowers(entity, form, newIds)
  return { actions: [...actions, ...ends.checks, ...withinCheck(edge, all, step)], item, follows }
}

/** True if a copy fills a part of the target's key, or selects the case of the reference. */
function isFilledByCopy({ attributes }: Entity, { by, when }: Reference): boolean {
  return [...Object.values(by), ...Object.keys(when)].some((own) => attributes[own]?.presence === 'copied')
}

function createEntity(
  { step, values, entity, newIds }: Create,
  form: DesignForm,
  known: Known,
  { now, tenantScope }: WriteContext,
): Needs | Planned {
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const copies = copiesOf(entity)
  const context = { known, origin, now, tenantScope, bounds: (all: Values) => tenantScopeOfItem(form, entity, all) }
  const { references } = entity.form
  const first = planEnds(
    references.filter((reference) => !isFilledByCopy(entity, reference)),
    values,
    copies,
    context,
  )
  if (first.needs.length > 0) return { needs: first.needs }
  const given = { ...values, ...copiedValues(copies, first.sources) }
  const second = planEnds(
    references.filter((reference) => isFilledByCopy(entity, reference)),
    given,
    copies,
    context,
  )
  if (second.needs.length > 0) return { needs: second.needs }
  const all = { ...given, ...copiedValues(copies, second.sources) }
  checkOwn(tenantScope, entity, all)
  // An entity always has a key. tableKey throws and names the missing attribute, while storedItem would return undefined.
  tableKey(entity, all)
  const own = put(entity, all, origin, now)
  const derivedItems = form
    .derivedItemsOf(entity)
    .map((derived) => put(derived, all, { step, role: derived.form.part.kind === 'guard' ? 'guard' : 'mirror', entity: derived.name }, now))
  const item = own?.kind === 'put' ? own.item : undefined
  checkWhole(entity, item)
  const follows = mayHaveFollowers(entity, form, newIds)
  return { actions: [own, ...derivedItems, ...first.checks, ...second.checks].filter((action) => action !== undefined), item, follows }
}

/** Plans a creation: the item with its derived items, or all sides of an edge, and the checks of every target. */
export function planCreate(prepared: Create, form: DesignForm, known: Known, context: WriteContext): Needs | Planned {
  const { part } = prepared.entity.form
  return part.kind === 'edge' ? createEdge(prepared, part.edge, form, known, context) : createEntity(prepared, form, known, context)
}
