import { isDeepStrictEqual } from 'node:util'
import type { DesignForm } from '../design/design.ts'
import type { Entity } from '../design/form.ts'
import type { Action, Put, Update } from './action.ts'
import { type Adoption, type AdoptionProblem, takenBy } from './adopted-item.ts'
import { holds, unchanged } from './condition.ts'
import { ownedBy } from './derived-items.ts'
import { keyText, type TableKey, tableKeyIfPresent } from './keys.ts'
import type { Known, Needs } from './known.ts'
import { differences, formerNames } from './next-item.ts'
import type { Stored } from './stored.ts'
import { asStored } from './understood.ts'

// What lies beside an item that is adopted: its guards and lookup items, and the other sides of its edge.

export const isUnversioned = (item: Stored) => asStored(item).version === undefined

/** A guard or lookup item repeats attributes of its owner. Another program that changed the owner has not changed it, or wrote it without `Type` and `version`. */
function isStale(entity: Entity, there: Stored, item: Stored): boolean {
  const { kind } = entity.form.part
  if (kind !== 'guard' && kind !== 'mirror') return false
  if (isUnversioned(there) || asStored(there).Type === undefined) return true
  const own = Object.keys(entity.attributes)
  const isOther = (before: unknown, after: unknown) => !isDeepStrictEqual(before ?? undefined, after ?? undefined)
  const others = ['ttl', ...formerNames(entity, own)]
  return own.some((name) => isOther(there[name], item[name])) || others.some((name) => isOther(asStored(there)[name], item[name]))
}

type Found = 'there' | 'missing' | 'stale' | 'taken'

function lookAt(entity: Entity, owner: Entity, { item }: Put, there: Stored | undefined): Found {
  if (there === undefined) return 'missing'
  const isDerived = entity.form.part.kind === 'guard' || entity.form.part.kind === 'mirror'
  if (there.Type !== entity.name || (isDerived && !holds(ownedBy(owner, item), there))) return 'taken'
  return isStale(entity, there, item) ? 'stale' : 'there'
}

/**
 * A guard or lookup item that its owner has left behind, since another program removed or changed the owner: it is taken over, if the owner is still so.
 * Undefined if the owner has it by right.
 */
function leftBehind(entity: Entity, owner: Entity, put: Put, there: Stored, known: Known): Needs | readonly Action[] | undefined {
  const key = there.Type === entity.name ? tableKeyIfPresent(owner, there) : undefined
  if (key === undefined) return undefined
  const other = known.look(key)
  if (other === 'unread') return { needs: [key] }
  const place = other?.Type === owner.name ? tableKeyIfPresent(entity, other) : undefined
  if (other !== undefined && (other.Type !== owner.name || (place !== undefined && keyText(place) === keyText(put.key)))) return undefined
  const conditions = [other === undefined ? ({ is: 'absent', now: new Date(0) } as const) : unchanged(other)]
  return [renewed(put, there), { kind: 'check', key, conditions, origin: { ...put.origin, role: 'item', entity: owner.name } }]
}

/** Makes of the guard or lookup item that is there what it should be. What else another program keeps in it stays, also if that changes meanwhile. */
function renewed({ key, item, origin }: Put, there: Stored): Update {
  const names = [...new Set([...Object.keys(item), 'ttl'])].filter((name) => !['PK', 'SK', 'version'].includes(name))
  return { kind: 'update', key, ...differences(there, item, names), add: { version: 1 }, conditions: [unchanged(there)], origin }
}

/** What an item's guards, lookup items and other sides of its edge lack. */
export function planOthers(
  form: DesignForm,
  entity: Entity,
  puts: readonly Put[],
  known: Known,
): Needs | (Pick<Adoption, 'missing' | 'problems' | 'actions'> & { readonly needs?: undefined }) {
  const missing: string[] = []
  const actions: Action[] = []
  const problems: AdoptionProblem[] = []
  const needs: TableKey[] = []
  for (const put of puts) {
    const named = form.entities.get(put.origin.entity)
    const there = known.look(put.key)
    if (there === 'unread') needs.push(put.key)
    // Each put is of an entity of the design.
    if (named === undefined || there === 'unread') continue
    const found = lookAt(named, entity, put, there)
    const taking = found === 'taken' && there !== undefined ? leftBehind(named, entity, put, there, known) : undefined
    if (taking !== undefined && 'needs' in taking) {
      needs.push(...taking.needs)
      continue
    }
    if (found === 'taken' && there !== undefined && taking === undefined) problems.push(takenBy(named, entity, put, there))
    if (found === 'missing' || found === 'stale' || taking !== undefined) missing.push(named.name)
    if (found === 'missing') actions.push(put)
    if (found === 'stale' && there !== undefined) actions.push(renewed(put, there))
    actions.push(...(taking ?? []))
  }
  return needs.length > 0 ? { needs } : { missing, problems, actions }
}
