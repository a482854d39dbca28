import type { Runtime } from '@freehold/table'
import {
  isReadByDecisions,
  type KeyRange,
  type Stored,
  type TableKey,
  readCollection as wholeCollection,
  readItem as wholeItem,
  readItems as wholeItems,
  readRange as wholeRange,
} from '@freehold/table/runtime'

// What decisions read, behind the wall of the tenant that asks: another tenant's item is as if it were not there, sound or malformed, whatever key
// led to it (spec rule 22), by the rule of the table's own reads: what is of no tenant is there for all where its design shares it. Internal users,
// whom the table hides, are known here: they have roles at tenants.

function isOutsideScope({ design: { form, tenants }, tenantScope }: Runtime, item: Stored): boolean {
  if (tenantScope === undefined || tenants === undefined) return false
  const entity = form.entities.get(String(item.Type))
  return entity === undefined ? item[tenants.by] !== tenantScope.tenant : !isReadByDecisions(tenantScope, entity, item)
}

const within = (runtime: Runtime, item: Stored | undefined) => (item === undefined || isOutsideScope(runtime, item) ? undefined : item)

const consistent = { consistent: true } as const

/** One item, consistently. */
export async function readItem(runtime: Runtime, key: TableKey, how: typeof consistent): Promise<Stored | undefined> {
  return within(runtime, await wholeItem(runtime, key, how))
}

/** Items by the texts of their keys, consistently. */
export async function readItems(
  runtime: Runtime,
  keys: readonly TableKey[],
  how: typeof consistent,
): Promise<ReadonlyMap<string, Stored | undefined>> {
  const found = await wholeItems(runtime, keys, how)
  return runtime.tenantScope === undefined ? found : new Map([...found].map(([key, item]) => [key, within(runtime, item)]))
}

/** A whole range of one partition. */
export async function readCollection(runtime: Runtime, partition: string, range: KeyRange): Promise<readonly Stored[]> {
  return (await wholeCollection(runtime, partition, range)).filter((item) => !isOutsideScope(runtime, item))
}

/** At most `limit` items of a range of one tenant's, from after a sort key. Where they are another's nothing says how many there are. */
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
