import { parallel } from '@freehold/table/runtime'
import { loadRange, loadRecord, readCollection } from '../decision/load.ts'
import { isForeign, type LoadResult, parseRecord, parseRecords, type Unusable, wanted } from '../decision/record.ts'
import type { Sources } from '../decision/sources.ts'
import { type Fields, placeIn } from './link.ts'
import type { Ids, TiedNode } from './tie.ts'

/** A node, and what ties it to others: the items of one range beside it. */
export interface Tied {
  readonly node: LoadResult<Fields>
  /** By the last part of their keys, in its order. */
  readonly ties: ReadonlyMap<string, Fields>
  readonly unusable: readonly Unusable[]
  /** Another program wrote one of the items. */
  readonly hasForeign: boolean
}

/** One request, if both lie in one partition with nothing between them. Only what decisions need is kept. */
export async function loadTied(sources: Sources, { by, listing: { side, last }, isBeside, keeps }: TiedNode, ids: Ids): Promise<Tied> {
  const at = wanted(by.node, ids)
  const place = placeIn({ side, last }, by, ids)
  const whole = async () => {
    const items = await readCollection(sources.runtime, place.partition, { from: at.key.SK, to: place.range.to })
    const [node, others] = [items.find(({ SK }) => SK === at.key.SK), items.filter(({ SK }) => SK !== at.key.SK)]
    return [parseRecord(at, node), parseRecords(side, others)] as const
  }
  const apart = () =>
    parallel(
      () => loadRecord(sources, at),
      () => loadRange(sources, side, place),
    )
  const [node, { found, unusable }] = await (isBeside ? whole() : apart())
  const ties = new Map<string, Fields>()
  for (const item of found as readonly Fields[]) {
    const kept: Record<string, unknown> = {}
    for (const name of keeps) kept[name] = item[name]
    ties.set(String(item[last]), kept)
  }
  return { node, ties, unusable, hasForeign: found.some(isForeign) }
}
