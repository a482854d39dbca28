import type { Entity } from '@freehold/table'
import { day_ms } from '@freehold/table/runtime'
import type { Evidence } from '../decision/decision.ts'
import type { LoadResult, Unusable } from '../decision/record.ts'
import { type Place, placeBefore } from '../decision/sources.ts'
import type { Conditions, Declared, Spec } from './declared.ts'
import type { Ids, Listing, Naming, Tie } from './tie.ts'

export type Fields = Readonly<Record<string, unknown>>

/** True if the item has the values with which it counts. */
export function hasValues(item: Fields, conditions: Conditions | undefined): boolean {
  for (const name in conditions) if (item[name] !== conditions[name]) return false
  return true
}

/** One item of a chain, as it was found, and whether it counts. */
export interface Link {
  readonly entity: Entity
  readonly id: Ids
  readonly result: LoadResult<Fields>
  readonly state: Evidence['state']
  /** The attributes that the answer rests on. */
  readonly rests: readonly string[]
  /** The end of what it grants, as it is stored, and in milliseconds since the epoch. */
  readonly end?: { readonly text: string; readonly at_ms: number } | undefined
}

/** What was looked for in vain by other items: nothing was read that says so. */
export const absent = (entity: Entity, id: Ids): Link => ({ entity, id, result: { state: 'found', item: id }, state: 'missing', rests: [] })

/** A record that does not count, which is known by its key alone. */
export const unusableLink = (entity: Entity, each: Unusable): Link => ({
  entity,
  id: { ...each.key },
  result: each,
  state: each.state,
  rests: [],
})

/** The values of a node's key under the names that another item has for them. */
export function filled({ by }: Naming, ids: Ids): Ids {
  const all: Record<string, string> = {}
  for (const placeholder in by) all[by[placeholder] ?? ''] = ids[placeholder] ?? ''
  return all
}

/** The key of the node that an item names; undefined if it names none. */
export function idsIn({ by }: Naming, item: Fields): Ids | undefined {
  const all: Record<string, string> = {}
  for (const placeholder in by) {
    const value = item[by[placeholder] ?? '']
    if (typeof value !== 'string') return undefined
    all[placeholder] = value
  }
  return all
}

/** The key of an item that ties two nodes: a question makes many. */
export function tiedIds(near: Naming, ids: Ids, far: Naming, others: Ids): Ids {
  const all: Record<string, string> = {}
  for (const placeholder in near.by) all[near.by[placeholder] ?? ''] = ids[placeholder] ?? ''
  for (const placeholder in far.by) all[far.by[placeholder] ?? ''] = others[placeholder] ?? ''
  return all
}

/** The key of a node that has one attribute. */
export function idOf({ by }: Naming, text: string): Ids {
  const ids: Record<string, string> = {}
  for (const placeholder in by) ids[placeholder] = text
  return ids
}

export function textOf(ids: Ids): string {
  let text = ''
  for (const name in ids) text = text === '' ? (ids[name] ?? '') : `${text}#${ids[name]}`
  return text
}

/** True if an item names this node. */
export function names({ by }: Naming, item: Fields, ids: Ids): boolean {
  for (const placeholder in by) if (item[by[placeholder] ?? ''] !== ids[placeholder]) return false
  return true
}

/** The range in which a listing finds the nodes that belong to another one. */
export const placeIn = ({ side, last }: Listing, by: Naming, ids: Ids): Place => placeBefore(side, filled(by, ids), last)

export const asText = (value: unknown) => (typeof value === 'string' ? value : undefined)

/** @param names the attributes that the answer rests on, beside conditions and bounds */
export function specOf(
  { where, specs }: Declared,
  step: object,
  entity: Entity,
  names: () => readonly string[],
  bounds?: Partial<Pick<Tie, 'from' | 'until'>>,
): Spec {
  const known = specs.get(step)
  if (known !== undefined) return known
  const conditions = Object.entries(where.get(entity.name) ?? {})
  const { from, until } = bounds ?? {}
  const rests = [...names(), ...conditions.map(([name]) => name), ...[from, until].flatMap((name) => name ?? [])]
  const isDay = until !== undefined && entity.attributes[until]?.kind.name === 'day'
  const isPlain = conditions.length === 0 && from === undefined && until === undefined
  const spec: Spec = { conditions, rests, from, until, lasts_ms: isDay ? day_ms : 0, isPlain }
  specs.set(step, spec)
  return spec
}

export function linkOf(
  { conditions, rests, from, until, lasts_ms, isPlain }: Spec,
  entity: Entity,
  id: Ids,
  result: LoadResult<Fields>,
  now_ms: number,
): Link {
  if (result.state !== 'found' || isPlain) return { entity, id, result, state: result.state, rests, end: undefined }
  const { item } = result
  const begin = from === undefined ? undefined : asText(item[from])
  const text = until === undefined ? undefined : asText(item[until])
  const end = text === undefined ? undefined : { text, at_ms: Date.parse(text) + lasts_ms }
  const isLive = conditions.every(([name, value]) => item[name] === value)
  const hasBegun = begin === undefined || Date.parse(begin) <= now_ms
  const isOver = end !== undefined && end.at_ms <= now_ms
  return { entity, id, result, state: isOver ? 'expired' : isLive && hasBegun ? 'found' : 'inactive', rests, end }
}

/** The end of the first of these that ends. */
export function firstEnd(links: readonly (Link | undefined)[]): Link['end'] {
  let end: Link['end']
  for (const link of links) if (link?.end !== undefined && (end === undefined || link.end.at_ms < end.at_ms)) end = link.end
  return end
}
