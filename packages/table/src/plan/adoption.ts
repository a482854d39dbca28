import type { Making } from '../design/attribute.ts'
import type { AnyDesign, DesignForm } from '../design/design.ts'
import { formerlyName } from '../design/entity.ts'
import type { Entity } from '../design/form.ts'
import { FreeholdError, isFreeholdError } from '../errors.ts'
import type { Action, Check, Delete, Origin, Put, Update } from './action.ts'
import { type Adoption, type AdoptionProblem, itemAt, keyOf, lost, misplaced, nothing, placeOf, problemOf } from './adopted-item.ts'
import { isUnversioned, planOthers } from './adopted-others.ts'
import { type Tenants, withDefaults, withOwners, withSpelling, withTenant, withTenantOfKey } from './adopted-values.ts'
import { attributesOf } from './attributes-of.ts'
import { holds, unchanged } from './condition.ts'
import { targetKeys } from './copies.ts'
import { planCreate } from './create.ts'
import { ownedBy } from './derived-items.ts'
import type { Values } from './input.ts'
import { indexKeyNames, keyText, type TableKey, tableKey, tableKeyIfPresent } from './keys.ts'
import type { Known, Needs } from './known.ts'
import { planLeftSide } from './leftover.ts'
import { completedNames, differences, planCompletion } from './next-item.ts'
import { isRemovable, type Stored, storedItem } from './stored.ts'
import { asStored, respelled } from './understood.ts'
import { checkSound, viewItem } from './view.ts'

/** What has to be seen before an item can be planned: items by their keys, or where all items of an entity lie. */
export interface Open extends Needs {
  readonly wants?: Entity | undefined
}

/** What is taken away from the items of a table when its design has changed. Nothing, for the items of another program. */
export interface Leftovers {
  /** No program of a former version runs: what only that needs goes, too. */
  readonly isFinal: boolean
  /** The key attributes of all indexes that the table or the design has. */
  readonly indexKeys: readonly string[]
}

const step = 'adopt'

/** How the item differs from what the design would write: additions, former names, values in another spelling, copies, keys of indexes, `ttl`, `schema`. */
function lacking(entity: Entity, item: Stored, whole: Stored, leftovers: Leftovers | undefined): Pick<Update, 'set' | 'remove'> {
  const names = completedNames(entity, item).filter((name) => name !== 'version')
  const { set, remove } = differences(item, whole, names)
  // The item would stand in an index under a value that it no longer has, or have one that a former version has removed.
  const removed = attributesOf(entity).flatMap(([name, attribute]) => (isRemovable(attribute) ? [name, formerlyName] : []))
  const stale = [...indexKeyNames(entity), ...removed, ...(leftovers === undefined ? [] : ['ttl'])]
  return { set, remove: remove.filter((name) => stale.includes(name) || asStored(item)[name] === null) }
}

/** The attributes of an item that only a former version has: keys of indexes in which its entity no longer is. */
function formerAttributes(entity: Entity, item: Stored, { indexKeys }: Leftovers): readonly string[] {
  const own = indexKeyNames(entity)
  return indexKeys.filter((name) => !own.includes(name) && asStored(item)[name] !== undefined)
}

/** Derived items under keys that another spelling has given them. */
function outdated(form: DesignForm, entity: Entity, item: Stored, values: Readonly<Values>, known: Known): Needs | readonly Delete[] {
  const needs: TableKey[] = []
  // With what stands in its keys alone, and the rest as it is spelled there.
  const spelled = { ...item, ...asStored(item) }
  const found = form.derivedItemsOf(entity).flatMap((derived): Delete[] => {
    const [old, now] = [tableKeyIfPresent(derived, spelled), tableKeyIfPresent(derived, values)]
    if (old === undefined || (now !== undefined && keyText(old) === keyText(now))) return []
    const there = known.look(old)
    if (there === 'unread') needs.push(old)
    if (there === undefined || there === 'unread' || there.Type !== derived.name || !holds(ownedBy(entity, item), there)) return []
    const role = derived.form.part.kind === 'guard' ? 'guard' : 'mirror'
    return [{ kind: 'delete', key: old, conditions: [unchanged(there)], origin: { step, role, entity: derived.name } }]
  })
  return needs.length > 0 ? { needs } : found
}

/** The item stays as it was read. What it lacks is set, unless it lacks nothing. Each item that is written gets a version. */
function ownAction(entity: Entity, item: Stored, { set, remove }: Pick<Update, 'set' | 'remove'>, whole: Stored): Update | Check {
  const common = {
    key: keyOf(item),
    conditions: [unchanged(item)],
    origin: { step, role: 'item', entity: entity.name },
  } as const
  return isNothing(item, { set, remove })
    ? { ...common, kind: 'check' }
    : { ...common, kind: 'update', set, remove, add: { version: 1 }, whole }
}

const isNothing = (item: Stored, { set, remove }: Pick<Update, 'set' | 'remove'>) =>
  Object.keys(set).length === 0 && remove.length === 0 && !isUnversioned(item)

/**
 * What an item of another program lacks: planned as a creation of the same item, from which everything goes that is there already. Asks for what it
 * has to see first. Never throws an error of this project: an item that cannot be planned is a problem.
 */
export function planAdoption(
  design: AnyDesign,
  entity: Entity,
  read: Stored,
  making: Making,
  known: Known,
  tenants: Tenants,
  leftovers?: Leftovers,
): Open | Adoption {
  const item = respelled(entity, read)
  try {
    return planned(design, entity, item, making, known, tenants, leftovers)
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    const key = keyOf(item)
    const { code, message } = error
    const named = message.includes(key.PK) ? message : `${itemAt(entity, item)} lacks what it needs: ${message}`
    const problems = [problemOf(entity, key, { code, message: named })]
    return error.code === 'MissingEnd' ? withoutEnd(design, entity, item, making, known, problems) : { ...nothing, problems }
  }
}

/** A reference may outlive its target, and no creation is planned without that. The item itself, and what is derived from it, are made whole all the same. */
function withoutEnd(
  { form }: AnyDesign,
  entity: Entity,
  item: Stored,
  { now }: Making,
  known: Known,
  problems: readonly AdoptionProblem[],
): Needs | Adoption {
  const completion = planCompletion(entity, item)
  const puts = form.derivedItemsOf(entity).flatMap((derived): Put[] => {
    const fresh = storedItem(derived, item, 1)
    const role = derived.form.part.kind === 'guard' ? 'guard' : 'mirror'
    const origin: Origin = { step, role, entity: derived.name, isCompletion: true }
    return fresh === undefined
      ? []
      : [{ kind: 'put', ...fresh, conditions: [{ is: 'absent', now, expires: derived.form.expires }], origin }]
  })
  const others = planOthers(form, entity, puts, known)
  if (others.needs !== undefined) return others
  const missing = [...(completion === undefined ? [] : [entity.name]), ...others.missing]
  const own = completion ?? ownAction(entity, item, { set: {}, remove: [] }, item)
  return { ...nothing, missing, actions: missing.length === 0 ? [] : [own, ...others.actions], problems: [...problems, ...others.problems] }
}

function planned(
  { form }: AnyDesign,
  entity: Entity,
  item: Stored,
  making: Making,
  known: Known,
  tenants: Tenants,
  leftovers: Leftovers | undefined,
): Open | Adoption {
  checkSound(entity, item)
  const left = planLeftSide(entity, item, known)
  if (left !== undefined) return left
  const { values, misspelled } = withSpelling(entity, withDefaults(entity, item, making))
  const tenant = withTenant(form, entity, values, known)
  if (tenant.needs !== undefined) return tenant
  const { wants, found = 1, reference } = withTenantOfKey(form, entity, values, tenants)
  if (wants !== undefined) return { needs: [], wants }
  if (found !== 1 && reference !== undefined)
    return { ...nothing, problems: [problemOf(entity, keyOf(item), lost(entity, item, reference.attribute, found))] }
  const owners = withOwners(entity, values, known)
  if (owners.needs !== undefined) return owners
  const ownerless = entity.form.references.find(({ absent }) => Object.keys(absent).some((name) => values[name] === undefined))
  if (ownerless !== undefined) return { ...nothing, problems: [problemOf(entity, keyOf(item), lost(entity, item, ownerless.attribute))] }
  const plan = planCreate({ step, verb: 'create', entity, values, newIds: [] }, form, known, { now: making.now })
  if (plan.needs !== undefined) return plan
  const key = tableKey(entity, values)
  if (key.PK !== item.PK || key.SK !== item.SK)
    return { ...nothing, problems: [problemOf(entity, keyOf(item), misplaced(entity, item, key))] }
  viewItem(entity, { ...item, ...plan.item })
  const isPut = (action: Action): action is Put => action.kind === 'put'
  const others = plan.actions.filter(isPut).filter(({ origin }) => origin.role !== 'item')
  const beside = planOthers(form, entity, others, known)
  if (beside.needs !== undefined) return beside
  const old = outdated(form, entity, item, values, known)
  if ('needs' in old) return old
  const whole = plan.item ?? item
  const own = lacking(entity, item, whole, leftovers)
  const missing = [...(isNothing(item, own) ? [] : [entity.name]), ...old.map(({ origin }) => origin.entity), ...beside.missing]
  const gone = leftovers === undefined ? [] : formerAttributes(entity, item, leftovers)
  const former = gone.length === 0 ? [] : [entity.name]
  const isGoing = leftovers?.isFinal === true && gone.length > 0
  const change = isGoing ? { set: own.set, remove: [...own.remove, ...gone] } : own
  const problems: AdoptionProblem[] = misspelled.map((message) => problemOf(entity, key, { code: 'InvalidInput', message }))
  const tenantName = form.tenantOf?.(entity).attribute ?? ''
  const { presence, absent } = entity.attributes[tenantName] ?? {}
  if (presence === 'given' && values[tenantName] === undefined)
    problems.push(
      problemOf(entity, key, {
        code: 'MissingEnd',
        message: `${itemAt(entity, item)} does not tell its ${tenantName}, and nothing else does: ${absent}.`,
      }),
    )
  problems.push(...beside.problems)
  const ends = endsOf(entity, item, plan.actions, outlived(entity, values), known)
  if (ends.needs !== undefined) return ends
  const isChanging = missing.length > 0 || isGoing
  return {
    missing,
    former,
    problems,
    actions: isChanging ? [ownAction(entity, item, change, whole), ...old, ...beside.actions, ...ends.checks] : [],
  }
}

/** The targets that an item may outlive, by their keys. */
function outlived({ form: { references } }: Entity, values: Readonly<Values>): ReadonlySet<string> {
  const kept = references.filter(({ onRemove }) => onRemove === 'keep')
  return new Set(kept.flatMap((reference) => targetKeys(reference, values)).map(keyText))
}

/** The checks of what the item refers to, which is read first. Throws `MissingEnd` for what is not there, unless the item may outlive it. */
function endsOf(
  entity: Entity,
  item: Stored,
  actions: readonly Action[],
  mayBeGone: ReadonlySet<string>,
  known: Known,
): Needs | { readonly needs?: undefined; readonly checks: readonly Action[] } {
  const needs: TableKey[] = []
  const checks: Action[] = []
  for (const action of actions) {
    const { kind, key, conditions, origin } = action
    if (kind !== 'check') continue
    const there = origin.role === 'end' ? known.look(key) : undefined
    if (there === 'unread') needs.push(key)
    else if (origin.role !== 'end' || conditions.every((condition) => holds(condition, there))) checks.push(action)
    else if (!mayBeGone.has(keyText(key)))
      throw new FreeholdError(
        'MissingEnd',
        `${itemAt(entity, item)} needs the ${origin.entity} at ${placeOf(key)}, which is absent or being deleted.`,
      )
  }
  return needs.length > 0 ? { needs } : { checks }
}
