import type { Entity, Item, Runtime } from '@freehold/table'
import {
  byIndex,
  consistent,
  isReadByDecisions,
  isWithin,
  type KeyRange,
  keyText,
  mayLack,
  type Stored,
  type TableKey,
  readCollection as wholeCollection,
  readItems as wholeItems,
  readRange as wholeRange,
} from '@freehold/table/runtime'
import { type LoadResult, parseRecord, parseRecords, type Records, type Wanted } from './record.ts'
import type { Place, Sources } from './sources.ts'

// All that decisions read comes from here, consistently and within the tenant scope of the question: another tenant's item is as if it were not
// there, sound or malformed, whatever key led to it (spec rule 22). Items of no tenant are there if the design shares them, as for the table's own
// reads. Internal users, whom the table hides, are known here: they have roles at tenants.

function isOutsideScope({ design: { form, tenants }, tenantScope }: Runtime, item: Stored): boolean {
  if (tenantScope === undefined || tenants === undefined) return false
  const entity = form.entities.get(String(item.Type))
  return entity === undefined ? item[tenants.by] !== tenantScope.tenant : !isReadByDecisions(tenantScope, entity, item)
}

const within = (runtime: Runtime, item: Stored | undefined) => (item === undefined || isOutsideScope(runtime, item) ? undefined : item)

/** Items by the texts of their keys. */
export function readItems(runtime: Runtime, keys: readonly TableKey[]): Promise<ReadonlyMap<string, Stored | undefined>> {
  return wholeItems(runtime, keys, consistent).then((found) => allWithin(runtime, found))
}

function allWithin(runtime: Runtime, found: ReadonlyMap<string, Stored | undefined>): ReadonlyMap<string, Stored | undefined> {
  return runtime.tenantScope === undefined ? found : new Map([...found].map(([key, item]) => [key, within(runtime, item)]))
}

/** A whole range of one partition. */
export function readCollection(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  reading?: Parameters<typeof wholeCollection>[3],
): Promise<readonly Stored[]> {
  const items = wholeCollection(runtime, partition, range, reading)
  return runtime.tenantScope === undefined ? items : items.then((all) => all.filter((item) => !isOutsideScope(runtime, item)))
}

/** At most `limit` items of a range, from after a sort key. In another tenant's range nothing tells how many items there are. */
export async function readRange(
  runtime: Runtime,
  partition: string,
  range: KeyRange,
  how: { readonly limit: number; readonly after?: string | undefined },
): Promise<{ readonly items: readonly Stored[]; readonly isLast: boolean }> {
  const { items, isLast } = await wholeRange(runtime, partition, range, how)
  const own = items.filter((item) => !isOutsideScope(runtime, item))
  return { items: own, isLast: isLast || (own.length === 0 && items.length > 0) }
}

/** Reads one record of a question. */
export function loadRecord<E extends Entity>(sources: Sources, at: Wanted<E>): Promise<LoadResult<Item<E>>> {
  return loadRecords(sources, [at]).then((loaded) => loaded(at))
}

/**
 * A guard or lookup item. One that is absent, since another program writes none, is as it would be beside its one owner by an index of the document. An index
 * follows the table late: a caller believes it only once the owner that was read from the table still has the name.
 */
export async function loadLookup<E extends Entity>(sources: Sources, at: Wanted<E>): Promise<LoadResult<Item<E>>> {
  const loaded = await loadRecord(sources, at)
  return loaded.state === 'missing' ? lookupByIndex(sources, at) : loaded
}

/** The same of one that was looked for in vain. */
export async function lookupByIndex<E extends Entity>({ runtime }: Sources, at: Wanted<E>): Promise<LoadResult<Item<E>>> {
  // Decisions know guests, whom the table hides from a tenant.
  const found = await byIndex({ ...runtime, tenantScope: undefined }, at.entity, at.id ?? {})
  const [item, other] = found?.filter((each) => !isOutsideScope(runtime, { ...at.key, ...each })) ?? []
  // Of two with one name, each might be the other: an index refuses no second one.
  if (item !== undefined && other === undefined) return { state: 'found', item }
  const missing = parseRecord(at, undefined)
  if (missing.state === 'found' || found !== undefined || !(await mayLack(runtime, at.entity))) return missing
  const { name } = runtime.design
  return {
    ...missing,
    hint: `The table is not adopted, so ${at.entity.name} items may be missing: ask by id, or run \`freehold adopt ${name}\`.`,
  }
}

/**
 * Gives one of the records that were loaded together. It is parsed when it is asked for.
 * @param isGuestHidden a guest of the tenant counts as not there: without a grant of this tenant its existence is no business of the tenant's
 */
export type Loaded = <E extends Entity>(at: Wanted<E>, isGuestHidden?: boolean) => LoadResult<Item<E>>

/** Many records: one round trip. */
export function loadRecords({ runtime, readItems }: Sources, all: readonly Wanted[]): Promise<Loaded> {
  const keys = all.map(({ key }) => key)
  return readItems(keys).then((whole): Loaded => {
    const found = allWithin(runtime, whole)
    return (at, isGuestHidden = false) => {
      const item = found.get(keyText(at.key))
      // Decisions have read it. So unless the tenant itself may read it, it is a guest.
      const isHidden = isGuestHidden && item !== undefined && !isWithin(runtime.tenantScope, at.entity, item)
      return parseRecord(at, isHidden ? undefined : item)
    }
  })
}

/** All records of a range in which only `entity` can lie. One round trip, and one more for each further 1,000 items. */
export function loadRange<E extends Entity>(
  { runtime }: Sources,
  entity: E,
  { partition, range }: Place,
  reading?: Parameters<typeof readCollection>[3],
): Promise<Records<Item<E>>> {
  return readCollection(runtime, partition, range, reading).then((items) => parseRecords(entity, items))
}

/** The records of a range by what follows the prefix of their sort keys: the last part of their ids, also of malformed ones. */
export async function loadById<E extends Entity, V>(
  { runtime }: Sources,
  entity: E,
  { partition, range }: Place,
  keep: (result: LoadResult<Item<E>>, at: Wanted<E>) => V,
): Promise<ReadonlyMap<string, V>> {
  const stored = await readCollection(runtime, partition, range)
  const records = stored.map((item): [string, V] => {
    const at = { entity, key: { PK: partition, SK: String(item.SK) } }
    return [at.key.SK.slice(range.from.length), keep(parseRecord(at, item), at)]
  })
  return new Map(records)
}
