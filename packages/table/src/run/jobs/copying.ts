import { isDeepStrictEqual } from 'node:util'
import type { Entity } from '../../design/form.ts'
import type { Follower } from '../../design/relations.ts'
import type { Action } from '../../plan/action.ts'
import { unchanged } from '../../plan/condition.ts'
import { copiedValues, targetKey } from '../../plan/copies.ts'
import type { Values } from '../../plan/input.ts'
import { tableKey } from '../../plan/keys.ts'
import { differences, formerNames, withFormerNames } from '../../plan/next-item.ts'
import { type Stored, versionOf } from '../../plan/stored.ts'
import { isWithin, tenantOfItem, tenantScopeOfItem } from '../../plan/tenant-scope.ts'
import { isExpired } from '../../plan/view.ts'
import { readItem } from '../read.ts'
import type { Runtime } from '../runtime.ts'

/** The step of each write of copies. */
export const followStep = 'follow'

/** What is copied from one source. */
export interface Copying {
  /** Lets a write succeed only if the source still has the copied version (spec rule 11). */
  readonly check: Action
  readonly values: Values
  readonly absent: readonly string[]
}

export function copying(entity: Entity, source: Stored, { copies }: Pick<Follower, 'copies'>): Copying {
  const through = copies[0]?.through ?? ''
  const values = copiedValues(copies, new Map([[through, source]]))
  const check: Action = {
    kind: 'check',
    key: tableKey(entity, source),
    conditions: [{ is: 'live' }, unchanged(source)],
    origin: { step: followStep, role: 'end', entity: entity.name },
  }
  return { check, values, absent: copies.map(({ attribute }) => attribute).filter((name) => values[name] === undefined) }
}

/** True if the tenant of an edge's item is a copy through this reference. */
export function bringsTenant({ design: { form } }: Runtime, side: Entity, copies: Follower['copies']): boolean {
  return copies.some(({ attribute }) => attribute === form.tenantOf?.(side).attribute)
}

/**
 * What an edge that comes to another tenant copies there from its other ends. Their own jobs passed it by, if they came there before (spec rule 22).
 * @param side its item, whose tenant is one of the copied values
 */
export async function copyingThere(runtime: Runtime, side: Entity, item: Stored, copied: Copying): Promise<readonly Copying[]> {
  const { form } = runtime.design
  const { part } = side.form
  const there = { ...item, ...copied.values }
  if (part.kind !== 'edge' || tenantOfItem(form, side, item) === tenantOfItem(form, side, there)) return []
  const { ends, copies } = part.edge
  const all = await Promise.all(
    ends.map(async (end): Promise<Copying | undefined> => {
      const own = (copies[side.name] ?? []).filter(({ through }) => through === end.attribute)
      const key = own.length === 0 || bringsTenant(runtime, side, own) ? undefined : targetKey(end, item)
      const source = key && (await readItem(runtime, key, { consistent: true }))
      if (source === undefined || source.deleting !== undefined || isExpired(end.to, source, runtime.now())) return undefined
      return isWithin(tenantScopeOfItem(form, side, there), end.to, source) ? copying(end.to, source, { copies: own }) : undefined
    }),
  )
  return all.filter((each) => each !== undefined)
}

/** What an edge copies from another edge is on the item to which its end leads, which may be another than the job's. Undefined if it is gone. */
export async function copyingOf(runtime: Runtime, entity: Entity, source: Stored, follower: Follower): Promise<Copying | undefined> {
  const { edge, reference } = follower.dependant
  const { part } = entity.form
  const to = reference?.to
  if (edge === undefined || to === undefined || to === entity || part.kind !== 'edge') return copying(entity, source, follower)
  const own = await readItem(runtime, tableKey(to, source), { consistent: true })
  return own === undefined ? undefined : copying(to, own, follower)
}

export function isCopied(item: Stored, { values, absent }: Copying): boolean {
  return (
    Object.entries(values).every(([name, value]) => isDeepStrictEqual(item[name], value)) &&
    absent.every((name) => item[name] === undefined)
  )
}

export function copyAction(side: Entity, item: Stored, all: readonly Copying[]): Action {
  const values: Values = Object.assign({}, ...all.map((each) => each.values))
  const absent = all.flatMap((each) => each.absent)
  const names = [...Object.keys(values), ...absent]
  const next = withFormerNames(side, { ...item, ...values, ...Object.fromEntries(absent.map((name) => [name, undefined])) })
  const { set, remove } = differences(item, next, [...names, ...formerNames(side, names)])
  return {
    kind: 'update',
    key: tableKey(side, item),
    set: { ...set, version: versionOf(item) + 1 },
    remove,
    conditions: [{ is: 'present' }, unchanged(item)],
    origin: { step: followStep, role: 'side', entity: side.name },
  }
}
