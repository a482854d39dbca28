import type { Item } from '@freehold/table'
import type { Zone } from '../design.ts'

export type ZoneItem = Item<typeof Zone>

/** A zone, and those in it. */
export interface ZoneNode {
  readonly zone: ZoneItem
  readonly zones: readonly ZoneNode[]
}

/** The zones around a zone, itself first: `cycle` where it is in itself, `missing` where one of them is not there. */
export interface Ancestry {
  readonly path: readonly ZoneItem[]
  readonly problem?: 'cycle' | 'missing'
}

export function ancestryOf(zones: ReadonlyMap<string, ZoneItem>, id: string): Ancestry {
  const path: ZoneItem[] = []
  const seen = new Set<string>()
  for (let next: string | undefined = id; next !== undefined; ) {
    if (seen.has(next)) return { path, problem: 'cycle' }
    const zone = zones.get(next)
    if (zone === undefined) return { path, problem: 'missing' }
    seen.add(next)
    path.push(zone)
    next = zone.parent_zone_id
  }
  return { path }
}

function childrenOf(zones: Iterable<ZoneItem>): ReadonlyMap<string | undefined, readonly ZoneItem[]> {
  const children = new Map<string | undefined, ZoneItem[]>()
  for (const zone of zones) {
    const known = children.get(zone.parent_zone_id)
    if (known === undefined) children.set(zone.parent_zone_id, [zone])
    else known.push(zone)
  }
  return children
}

/** How many levels a zone and those in it have. */
export function heightOf(zones: ReadonlyMap<string, ZoneItem>, id: string): number {
  const children = childrenOf(zones.values())
  let height = 0
  const seen = new Set<string>()
  for (let level: readonly string[] = [id]; level.length > 0; height++) {
    for (const each of level) seen.add(each)
    level = level.flatMap((each) => (children.get(each) ?? []).map((zone) => zone.id)).filter((each) => !seen.has(each))
  }
  return height
}

/**
 * A building's zones as a tree, in the order of their ids. What others wrote in a circle, beneath a zone that is not there or deeper than
 * `depthMax` is in no tree: it is given back apart.
 */
export function zoneTree(
  items: readonly ZoneItem[],
  depthMax: number,
): { readonly zones: readonly ZoneNode[]; readonly astray: readonly ZoneItem[] } {
  const children = childrenOf(items)
  const placed = new Set<string>()
  const nodes = (parent: string | undefined, depth: number): ZoneNode[] => {
    if (depth === depthMax) return []
    return (children.get(parent) ?? []).map((zone) => {
      placed.add(zone.id)
      return { zone, zones: nodes(zone.id, depth + 1) }
    })
  }
  const zones = nodes(undefined, 0)
  return { zones, astray: items.filter(({ id }) => !placed.has(id)) }
}
