import type { Item } from '@freehold/table'
import { grouped } from '@freehold/table/runtime'
import type { Zone } from '../../design.ts'

export type ZoneItem = Item<typeof Zone>

/** A zone, and those in it. */
export interface ZoneNode {
  readonly zone: ZoneItem
  readonly zones: readonly ZoneNode[]
}

/** The zones of a building; `astray`: those that are in no tree. */
export interface ZoneTree {
  readonly zones: readonly ZoneNode[]
  readonly astray: readonly ZoneItem[]
}

/** The part of a zone that is kept of the zones around one: whole, each may be as large as an item. */
export type ZoneOutline = Pick<ZoneItem, 'building_id' | 'id' | 'parent_zone_id' | 'deleting'>

export function outlineOf({ building_id, id, parent_zone_id, deleting }: ZoneItem): ZoneOutline {
  return { building_id, id, ...(parent_zone_id === undefined ? {} : { parent_zone_id }), ...(deleting === undefined ? {} : { deleting }) }
}

/** The zones around a zone, itself first: `cycle` where it is in itself, `missing` where one of them is not there. */
export interface Ancestry {
  readonly path: readonly ZoneOutline[]
  readonly problem?: 'cycle' | 'missing'
}

/** Reads the zones around a zone one after another, at most so many. */
export async function ancestryOf(read: (id: string) => Promise<ZoneOutline | undefined>, id: string, pathMax: number): Promise<Ancestry> {
  const path: ZoneOutline[] = []
  const seen = new Set<string>()
  for (let next: string | undefined = id; next !== undefined && path.length < pathMax; ) {
    if (seen.has(next)) return { path, problem: 'cycle' }
    const zone = await read(next)
    if (zone === undefined) return { path, problem: 'missing' }
    seen.add(next)
    path.push(zone)
    next = zone.parent_zone_id
  }
  return { path }
}

const childrenOf = <Z extends ZoneOutline>(zones: readonly Z[]) => grouped(zones, (zone) => zone.parent_zone_id)

/** The ids of a zone and of those in it, level by level. */
export function levelsOf(zones: readonly ZoneOutline[], id: string): readonly (readonly string[])[] {
  const children = childrenOf(zones)
  const levels: (readonly string[])[] = []
  const seen = new Set<string>()
  for (let level: readonly string[] = [id]; level.length > 0; ) {
    levels.push(level)
    for (const each of level) seen.add(each)
    level = level.flatMap((each) => (children.get(each) ?? []).map((zone) => zone.id)).filter((each) => !seen.has(each))
  }
  return levels
}

/**
 * A building's zones as a tree, in the order of their ids. What others wrote in a circle, beneath a zone that is not there or deeper than
 * `depthMax` is in no tree: it is given back apart.
 */
export function zoneTree(items: readonly ZoneItem[], depthMax: number): ZoneTree {
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
