import type { Copy } from '../design/edge.ts'
import type { Reference } from '../design/reference.ts'
import { FreeholdError } from '../errors.ts'
import type { Action, Origin } from './action.ts'
import { alive } from './check.ts'
import type { Values } from './input.ts'
import { type TableKey, tableKeyIfPresent } from './keys.ts'
import type { Known } from './known.ts'
import { versionOf } from './stored.ts'
import { isReferable, isWithin, type Wall, withinConditions } from './wall.ts'

/** True unless the values say that another case of the reference is meant. */
function isMeant({ when }: Reference, values: Readonly<Values>): boolean {
  return Object.entries(when).every(([own, value]) => values[own] === value)
}

/** The key of what a reference points to; undefined where an optional reference is absent, or another case of it is meant. */
export function targetKey(reference: Reference, values: Readonly<Values>): TableKey | undefined {
  const { to, by, absent } = reference
  if (!isMeant(reference, values)) return undefined
  const filled = Object.entries(by).filter(([, own]) => absent[own] === undefined || values[own] !== absent[own])
  return tableKeyIfPresent(to, Object.fromEntries(filled.map(([hole, own]) => [hole, values[own]])))
}

export function missingEnd(origin: Origin, reference: Reference): FreeholdError {
  return new FreeholdError(
    'MissingEnd',
    `${origin.entity} needs its ${reference.to.name} (${reference.attribute}), which is absent or being deleted.`,
    {
      entity: origin.entity,
      attribute: reference.attribute,
      guard: reference.to.name,
    },
  )
}

export interface EndsPlan {
  readonly needs: readonly TableKey[]
  readonly checks: readonly Action[]
  /** Copied attributes, by the name of the reference they go through. */
  readonly sources: ReadonlyMap<string, Values>
}

/**
 * Checks that every referred item exists and is not being deleted (spec rule 10), and reads those that are copied from: such a
 * check also names the version that was copied (rule 11).
 */
export function planEnds(
  references: readonly Reference[],
  values: Readonly<Values>,
  copiedThrough: ReadonlySet<string>,
  { known, origin, now, wall }: { known: Known; origin: Origin; now: Date; wall: Wall | undefined },
): EndsPlan {
  const needs: TableKey[] = []
  const checks: Action[] = []
  const sources = new Map<string, Values>()
  for (const reference of references) {
    const key = targetKey(reference, values)
    if (key === undefined) {
      // It names something by a part of its key only, whose rest is absent: nothing can be there.
      if (isMeant(reference, values) && values[reference.attribute] !== undefined) throw missingEnd(origin, reference)
      continue
    }
    if (!isReferable(wall, reference.to)) throw missingEnd(origin, reference)
    const end: Origin = { ...origin, role: 'end', entity: reference.to.name }
    const source = copiedThrough.has(reference.attribute) || known.isPending(key) ? known.look(key) : undefined
    if (!copiedThrough.has(reference.attribute)) {
      checks.push({ kind: 'check', key, conditions: [...alive(reference.to, now), ...withinConditions(wall, reference.to)], origin: end })
    } else if (source === 'unread') {
      needs.push(key)
    } else if (source === undefined || source.deleting !== undefined || !isWithin(wall, reference.to, source)) {
      throw missingEnd(origin, reference)
    } else {
      sources.set(reference.attribute, source)
      checks.push({
        kind: 'check',
        key,
        conditions: [...alive(reference.to, now), { is: 'version', version: versionOf(source) }],
        origin: end,
      })
    }
  }
  return { needs, checks, sources }
}

/** The values of copies, taken from what they are copied from. */
export function copiedValues(copies: readonly Copy[], sources: ReadonlyMap<string, Readonly<Values>>): Values {
  const values: Values = {}
  for (const { attribute, through, from, fromOf } of copies) {
    const source = sources.get(through)
    const value = source?.[fromOf?.[String(source.Type)] ?? from]
    if (value !== undefined) values[attribute] = value
  }
  return values
}
