import { isDeepStrictEqual } from 'node:util'
import type { DesignForm } from '../design/design.ts'
import type { Copy, Entity, Reference } from '../design/form.ts'
import type { Follower } from '../design/relations.ts'
import { FreeholdError, invalidInput } from '../errors.ts'
import type { Action, Origin, Put } from './action.ts'
import { type Condition, unchanged } from './condition.ts'
import { copiedValues, type EndsContext, type EndsPlan, planEnds, targetKey } from './copies.ts'
import { copiesOf } from './create.ts'
import { checkFindable, checkStillNamed } from './dependants.ts'
import { planDerivedItems, planLackingDerivedItems } from './derived-items.ts'
import type { Values } from './input.ts'
import { notAsked, notThere, subjectAt } from './item-words.ts'
import { keyText, type TableKey } from './keys.ts'
import type { Known, Needs, Planned } from './known.ts'
import { differences, nextItem, writtenNames } from './next-item.ts'
import { planSiblings } from './siblings.ts'
import type { Prepared } from './step.ts'
import { type Stored, versionOf } from './stored.ts'
import { checkOwn, isWithin, type TenantScope, tenantScopeOfItem, type WriteContext } from './tenant-scope.ts'
import { holdsFor } from './term.ts'
import { isIncomplete, respelled } from './understood.ts'
import { checkSound, viewItem } from './view.ts'

type Change = Extract<Prepared, { verb: 'update' | 'move' }>

/** The item of a step. Throws if the step cannot be applied to it. */
export function currentItem(
  prepared: Exclude<Prepared, { verb: 'create' }>,
  known: Known,
  tenantScope: TenantScope | undefined,
): Stored | 'unread' {
  const { entity, key, version, where } = prepared
  const read = known.look(key)
  if (read === 'unread') return read
  const current = read && respelled(entity, read)
  const { details } = subjectAt(entity, key)
  if (current === undefined || current.Type !== entity.name || !isWithin(tenantScope, entity, current)) throw notThere(entity, key)
  if (current.deleting !== undefined)
    throw new FreeholdError('BeingDeleted', `This ${entity.name} is being deleted (job ${current.deleting}).`, details)
  if (version !== undefined && version !== versionOf(current)) {
    throw new FreeholdError(
      'VersionConflict',
      `This ${entity.name} has version ${versionOf(current)}, not ${version}: read it again, then retry.`,
      {
        ...details,
        version: versionOf(current),
      },
    )
  }
  // The write names the item as it was read, so that what holds for that one holds for the write.
  if (where !== undefined && !holdsFor(where, current)) throw notAsked(entity, key, current)
  return current
}

function changed(current: Stored, { change, stamps }: Change): Values {
  const next: Values = { ...current, ...stamps, ...change.set }
  for (const name of change.remove) delete next[name]
  return next
}

/** The values with new copies. Copies through a reference that now leads elsewhere are replaced; through an absent one, removed. */
function withCopies(values: Values, copies: readonly Copy[], sources: ReadonlyMap<string, Readonly<Values>>): Values {
  const next: Values = { ...values }
  for (const { attribute } of copies) delete next[attribute]
  return { ...next, ...copiedValues(copies, sources) }
}

/** The followers whose copies a change makes stale, or which a running job would no longer find under the old key. */
function staleFollowers(entity: Entity, form: DesignForm, before: Stored, next: Values, isMoved: boolean): readonly Follower[] {
  return form.followersOf(entity).filter(({ copies }) => isMoved || copies.some(({ from }) => !isDeepStrictEqual(before[from], next[from])))
}

function ownAction({ key, step, entity }: Change, current: Stored, item: Stored, newKey: TableKey, now: Date): Action[] {
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const conditions: readonly Condition[] = [{ is: 'live' }, unchanged(current)]
  if (keyText(newKey) !== keyText(key)) {
    const put: Put = { kind: 'put', key: newKey, item, conditions: [{ is: 'absent', now, expires: entity.form.expires }], origin }
    return [{ kind: 'delete', key, conditions, origin }, put]
  }
  return [{ kind: 'update', key, ...differences(current, item, writtenNames(entity)), whole: item, conditions, origin }]
}

/** The references that the change leads elsewhere. They are checked again, and their copies are read again. */
function movedReferences({ entity, refreshed }: Change, current: Stored, next: Values): readonly Reference[] {
  return entity.form.references.filter((reference) => {
    // Also a reference that still leads nowhere, as the rest of the target's key is absent.
    if (!isDeepStrictEqual(current[reference.attribute], next[reference.attribute])) return true
    // Each member of a list leads elsewhere if the rest of the target's key changes.
    if (reference.isEach) return Object.values(reference.by).some((own) => !isDeepStrictEqual(current[own], next[own]))
    const [before, after] = [targetKey(reference, current), targetKey(reference, next)]
    return reference.attribute === refreshed || (before && keyText(before)) !== (after && keyText(after))
  })
}

/**
 * Refuses a move that would change a fixed copy: no building of one client can move to a project of another. What another program has left out may be given
 * once.
 */
function checkFixed({ name, form, attributes }: Entity, before: Stored, after: Values): void {
  const isUntold = (attribute: string) => before[attribute] === undefined && attributes[attribute]?.absent !== undefined
  const changed = form.fixed.find((attribute) => !isUntold(attribute) && !isDeepStrictEqual(before[attribute], after[attribute]))
  if (changed === undefined) return
  throw invalidInput(name, [{ path: [changed], message: 'never changes' }], { entity: name })
}

/** Refuses to bring an edge to another tenant. Its ends are not checked again, and their copies would be told there (spec rule 22). */
function checkTenantOfEdge({ name, form: { part } }: Entity, { tenantOf }: DesignForm, before: Stored, after: Values): void {
  const names = part.kind === 'edge' ? part.edge.sides.map((side) => tenantOf?.(side).attribute) : []
  const tenant = names.find((each) => each !== undefined && before[each] !== after[each])
  if (tenant === undefined) return
  throw invalidInput(name, [{ path: [tenant], message: 'names the tenant of the edge: remove it and create another' }], { entity: name })
}

interface Following {
  readonly ends: EndsPlan
  readonly next: Values
}

/** The item with the copies through its changed references, and the checks of their targets. */
function follow(
  { entity, step }: Change,
  form: DesignForm,
  references: readonly Reference[],
  given: Values,
  context: Omit<EndsContext, 'origin'>,
): Following {
  const copies = copiesOf(entity).filter(({ through }) => references.some(({ attribute }) => attribute === through))
  const origin: Origin = { step, role: 'item', entity: entity.name }
  const ends = planEnds(references, given, copies, { ...context, origin, bounds: (all) => tenantScopeOfItem(form, entity, all) })
  return { ends, next: withCopies(given, copies, ends.sources) }
}

/**
 * `follow`, where a refreshed copy brings the item to another tenant: also for the references whose targets came there before. Their own copies were left
 * then, since nothing is copied from another tenant (spec rule 22).
 */
function followThere(
  change: Change,
  form: DesignForm,
  { next }: Following,
  given: Values,
  context: Omit<EndsContext, 'origin'>,
): Following {
  const { entity, refreshed } = change
  const { known } = context
  const there = tenantScopeOfItem(form, entity, next)
  const needs: TableKey[] = []
  const references = entity.form.references.filter((reference) => {
    if (reference.attribute === refreshed) return true
    const key = copiesOf(entity).some(({ through }) => through === reference.attribute) ? targetKey(reference, next) : undefined
    if (key === undefined) return false
    const target = known.look(key)
    if (target === 'unread') needs.push(key)
    return target !== 'unread' && target !== undefined && target.deleting === undefined && isWithin(there, reference.to, target)
  })
  if (needs.length > 0) return { ends: { needs, checks: [], sources: new Map() }, next }
  return follow(change, form, references, given, context)
}

/** The references by which an item of another program gets copies that it lacks. A target that is not there leaves them out. */
function lackingReferences(
  entity: Entity,
  current: Stored,
  known: Known,
): { readonly needs: TableKey[]; readonly found: readonly Reference[] } {
  const needs: TableKey[] = []
  const found = entity.form.references.filter((reference) => {
    const lacks = copiesOf(entity).some(({ through, attribute }) => through === reference.attribute && current[attribute] === undefined)
    const key = lacks ? targetKey(reference, current) : undefined
    const target = key === undefined ? undefined : known.look(key)
    if (target === 'unread' && key !== undefined) needs.push(key)
    return target !== undefined && target !== 'unread' && target.deleting === undefined
  })
  return { needs, found }
}

/** `follow`, for the references that the change leads elsewhere. If that would change the item's tenant, for all of its references. */
function followMoved(change: Change, form: DesignForm, current: Stored, given: Values, context: Omit<EndsContext, 'origin'>): Following {
  const { entity, refreshed } = change
  const before = { ...context, before: current }
  const lacking = isIncomplete(current) ? lackingReferences(entity, current, context.known) : { needs: [], found: [] }
  if (lacking.needs.length > 0) return { ends: { needs: lacking.needs, checks: [], sources: new Map() }, next: given }
  const movedTo = (next: Values) => [...new Set([...movedReferences(change, current, next), ...lacking.found])]
  const moved = movedTo(given)
  const once = follow(change, form, moved, given, before)
  if (once.ends.needs.length > 0) return once
  const tenantOf = (values: Readonly<Values>) => tenantScopeOfItem(form, entity, values)?.tenant
  if (refreshed !== undefined) return tenantOf(current) === tenantOf(once.next) ? once : followThere(change, form, once, given, before)
  // A new copy may fill a part of the key of another target.
  const all = movedTo(once.next)
  const following = all.length === moved.length ? once : follow(change, form, all, once.next, before)
  if (following.ends.needs.length > 0) return following
  return tenantOf(current) === tenantOf(following.next) ? following : follow(change, form, entity.form.references, given, context)
}

/** Plans an update or a move of an existing item. Its index keys and derived items change with it (spec rules 4, 8, 9). */
export function planChange(prepared: Change, form: DesignForm, known: Known, { now, tenantScope }: WriteContext): Needs | Planned {
  const { entity, step, refreshed } = prepared
  const current = currentItem(prepared, known, tenantScope)
  if (current === 'unread') return { needs: [prepared.key] }
  if (refreshed === undefined) checkSound(entity, current)
  const given = changed(current, prepared)
  const { ends, next } = followMoved(prepared, form, current, given, { known, now, tenantScope })
  if (ends.needs.length > 0) return { needs: ends.needs }
  // The item must belong to the tenant before and after the change. Only operators write shared items.
  checkOwn(tenantScope, entity, current)
  checkOwn(tenantScope, entity, next)
  if (refreshed !== undefined && isDeepStrictEqual(next, current)) return { actions: [], item: current }
  checkStillNamed(entity, form, current, next)
  checkTenantOfEdge(entity, form, current, next)
  if (refreshed === undefined) checkFixed(entity, current, next)
  const version = versionOf(current) + 1
  const { key, item } = nextItem(entity, current, next, version)
  // A malformed item is refused before anything is written. Only refreshed copies are also written into one.
  if (refreshed === undefined) viewItem(entity, item)
  const followers = staleFollowers(entity, form, current, next, keyText(key) !== keyText(prepared.key))
  checkFindable(
    entity,
    followers.map(({ dependant }) => dependant),
  )
  const own = ownAction(prepared, current, item, key, now)
  const follows = followers.length > 0
  const { part } = entity.form
  if (part.kind !== 'edge') {
    const derived = planDerivedItems(entity, form, current, next, version, { step, now })
    const lacking = isIncomplete(current) ? planLackingDerivedItems(entity, form, next, known, { step, now }) : undefined
    if (lacking?.needs !== undefined) return lacking
    const places = new Set(derived.map(({ key }) => keyText(key)))
    const added = lacking?.actions.filter(({ key }) => !places.has(keyText(key))) ?? []
    return { actions: [...own, ...derived, ...added, ...ends.checks], item, follows }
  }
  const siblings = planSiblings(entity, part.edge, current, next, known, step)
  return siblings.needs === undefined ? { actions: [...own, ...siblings.actions], item, follows } : siblings
}
