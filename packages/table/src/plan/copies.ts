import type { Copy, Reference } from '../design/form.ts'
import { FreeholdError } from '../errors.ts'
import type { Action, Origin } from './action.ts'
import { alive } from './check.ts'
import { type Condition, holds, unchanged } from './condition.ts'
import type { Values } from './input.ts'
import { keyText, type TableKey, tableKeyIfPresent } from './keys.ts'
import type { Known } from './known.ts'
import type { Stored } from './stored.ts'
import { isReferable, isWithin, type TenantScope, withinConditions } from './tenant-scope.ts'

/** True unless the values select another case of the reference. */
function isSelected({ when }: Reference, values: Readonly<Values>): boolean {
  return Object.entries(when).every(([own, value]) => values[own] === value)
}

/** The key of a reference's target. Undefined if an optional reference is absent, or if another of its cases is selected. */
export function targetKey(reference: Reference, values: Readonly<Values>): TableKey | undefined {
  const { to, by, absent } = reference
  if (!isSelected(reference, values)) return undefined
  const filled = Object.entries(by).filter(([, own]) => absent[own] === undefined || values[own] !== absent[own])
  return tableKeyIfPresent(to, Object.fromEntries(filled.map(([placeholder, own]) => [placeholder, values[own]])))
}

/** One target of an item: its reference, and the values that name it. */
interface Named {
  readonly reference: Reference
  readonly values: Readonly<Values>
}

/**
 * The targets of references; of a list each member, once. A target that the item named before is left out: it may have gone since, and the list can be
 * changed all the same.
 */
function namedBy(references: readonly Reference[], values: Readonly<Values>, before?: Readonly<Values>): readonly Named[] {
  return references.flatMap((reference): readonly Named[] => {
    const { attribute, isEach } = reference
    if (isEach === undefined) return [{ reference, values }]
    const membersOf = (of: Readonly<Values>): readonly unknown[] => (Array.isArray(of[attribute]) ? of[attribute] : [])
    const named = (of: Readonly<Values> = {}) =>
      [...new Set(membersOf(of))].map((member) => ({ reference, values: { ...of, [attribute]: member } }))
    const placeOf = (each: Named) => keyText(targetKey(reference, each.values) ?? { PK: '', SK: '' })
    const known = new Set(named(before).map(placeOf))
    return named(values).filter((each) => !known.has(placeOf(each)))
  })
}

/** The keys of the targets of a reference; of a list, one for each member. */
export function targetKeys(reference: Reference, values: Readonly<Values>): readonly TableKey[] {
  return namedBy([reference], values).flatMap((named) => targetKey(named.reference, named.values) ?? [])
}

function missingEnd(origin: Origin, { to, attribute }: Reference, isForeign = false): FreeholdError {
  const state = isForeign ? "is another tenant's" : 'is absent or being deleted'
  return new FreeholdError('MissingEnd', `${origin.entity} needs its ${to.name} (${attribute}), which ${state}.`, {
    entity: origin.entity,
    attribute,
    guard: to.name,
  })
}

export interface EndsPlan {
  readonly needs: readonly TableKey[]
  readonly checks: readonly Action[]
  /** The source items of copies, by the attribute of the reference. */
  readonly sources: ReadonlyMap<string, Values>
}

/** The context in which the references of an item are planned. */
export interface EndsContext {
  readonly known: Known
  readonly origin: Origin
  readonly now: Date
  readonly tenantScope: TenantScope | undefined
  /** The item before, unless it is new, or comes to another tenant. */
  readonly before?: Readonly<Values> | undefined
  /** The tenant scope in which its targets must lie, given its values with all copies. Undefined: only the writer's own scope counts. */
  bounds?(values: Readonly<Values>): TenantScope | undefined
}

interface End {
  readonly reference: Reference
  readonly key: TableKey
  /** The target, if something is copied from it, or if the same transaction writes it. */
  readonly source: Stored | undefined
}

/** The keys of the targets of references, and the targets that must be read first. */
function findEnds(references: readonly Reference[], all: Readonly<Values>, through: ReadonlySet<string>, context: EndsContext) {
  const { known, origin, tenantScope, before } = context
  const needs: TableKey[] = []
  const ends: End[] = []
  for (const { reference, values } of namedBy(references, all, before)) {
    const key = targetKey(reference, values)
    if (key === undefined) {
      // The reference has only a part of the target's key, or nothing selects one of its cases, so no item can have that key.
      const isOther = !isSelected(reference, values) && Object.keys(reference.when).every((own) => values[own] !== undefined)
      if (!isOther && values[reference.attribute] !== undefined) throw missingEnd(origin, reference)
      continue
    }
    if (!isReferable(tenantScope, reference.to)) throw missingEnd(origin, reference)
    const isCopied = through.has(reference.attribute)
    const source = isCopied || known.isPending(key) ? known.look(key) : undefined
    if (source === 'unread') needs.push(key)
    else if (isCopied && (source === undefined || source.deleting !== undefined)) throw missingEnd(origin, reference)
    else ends.push({ reference, key, source })
  }
  return { needs, ends }
}

/**
 * Plans checks that every target exists, is not being deleted (spec rule 10) and belongs to no other tenant (rule 22). Targets with copied
 * attributes are read, and their checks also name the version that was copied (rule 11).
 */
export function planEnds(
  references: readonly Reference[],
  values: Readonly<Values>,
  copies: readonly Copy[],
  context: EndsContext,
): EndsPlan {
  const through = new Set(copies.map((copy) => copy.through))
  const { needs, ends } = findEnds(references, values, through, context)
  const sources = new Map(
    ends.flatMap(({ reference: { attribute }, source }) => (source !== undefined && through.has(attribute) ? [[attribute, source]] : [])),
  )
  if (needs.length > 0) return { needs, checks: [], sources }
  const { tenantScope, now, origin } = context
  const bounds = tenantScope ?? context.bounds?.({ ...values, ...copiedValues(copies, sources) })
  const checks = ends.map(({ reference, key, source }): Action => {
    const { to, where = {} } = reference
    if (source !== undefined && !isWithin(bounds, to, source)) throw missingEnd(origin, reference, bounds?.isOperators)
    const wanted = Object.entries(where).map(([attribute, value]): Condition => ({ is: 'equal', attribute, value }))
    if (source !== undefined && !wanted.every((condition) => holds(condition, source))) throw missingEnd(origin, reference)
    const seen: readonly Condition[] =
      source !== undefined && through.has(reference.attribute) ? [unchanged(source)] : withinConditions(bounds, to)
    return { kind: 'check', key, conditions: [...alive(to, now), ...seen, ...wanted], origin: { ...origin, role: 'end', entity: to.name } }
  })
  return { needs, checks, sources }
}

/** The values of copies, taken from their sources. */
export function copiedValues(copies: readonly Copy[], sources: ReadonlyMap<string, Readonly<Values>>): Values {
  const values: Values = {}
  for (const { attribute, through, from, fromOf } of copies) {
    const source = sources.get(through)
    const value = source?.[fromOf?.[String(source.Type)] ?? from]
    if (value !== undefined) values[attribute] = value
  }
  return values
}
