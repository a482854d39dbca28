import { type Awaitable, whenThere } from '../awaitable.ts'
import type { Entity } from '../design/form.ts'
import { keyPlaceholders } from '../design/reference.ts'
import { targetKey } from '../plan/copies.ts'
import { keyText } from '../plan/keys.ts'
import type { Stored } from '../plan/stored.ts'
import { isUntold, type TenantScope } from '../plan/tenant-scope.ts'
import { besideOwner } from './by-index.ts'
import { parallelMap } from './meter.ts'
import { readItem } from './read.ts'
import type { Runtime } from './runtime.ts'

// An item of another program may not tell its tenant, which the design adds: it is of the tenant of what it refers to. Within the scope of a tenant that is
// read, so that the tenant sees what is its own.

interface Untold {
  readonly entity: Entity
  readonly item: Stored
  /** The attribute that would name the tenant. */
  readonly attribute: string
}

function untoldAmong({ design }: Runtime, tenantScope: TenantScope, items: Iterable<Stored | undefined>): readonly Untold[] {
  return [...items].flatMap((item) => {
    const entity = design.form.entities.get(String(item?.Type))
    if (item === undefined || entity === undefined) return []
    const { attribute } = tenantScope.of(entity)
    return attribute !== undefined && item[attribute] === undefined && isUntold(entity, attribute, item)
      ? [{ entity, item, attribute }]
      : []
  })
}

/** Says of a target, by its key, whether it is the tenant's. Of many items beneath one target it is read once. */
function targetsOf(runtime: Runtime, tenantScope: TenantScope) {
  const known = new Map<string, Promise<boolean>>()
  return async ({ entity, item, attribute }: Untold): Promise<boolean> => {
    const { part, references } = entity.form
    const values = { ...item, [attribute]: tenantScope.tenant }
    const through = entity.attributes[attribute]?.source?.through
    for (const reference of part.kind === 'edge' ? part.edge.ends : references) {
      const { to, by } = reference
      const own = tenantScope.of(to).attribute
      const key = own === undefined || (through !== undefined && through !== reference.attribute) ? undefined : targetKey(reference, values)
      if (own === undefined || key === undefined) continue
      const isOwn = async () => {
        const id = Object.fromEntries(keyPlaceholders(to).map((name) => [name, values[by[name] ?? '']]))
        const isDerived = to.form.part.kind !== 'entity'
        const found = (await readItem(runtime, key, { consistent: true })) ?? (isDerived ? await besideOwner(runtime, to, id) : undefined)
        return found?.[own] === tenantScope.tenant
      }
      const text = keyText(key)
      const told = known.get(text) ?? isOwn()
      known.set(text, told)
      if (await told) return true
    }
    return false
  }
}

/** The items among these that do not tell their tenant and are this one's, with the attribute that would name it. */
export function toldTenants(runtime: Runtime, items: Iterable<Stored | undefined>): Awaitable<readonly Untold[]> {
  const { tenantScope } = runtime
  if (tenantScope === undefined) return []
  const untold = untoldAmong(runtime, tenantScope, items)
  return untold.length === 0
    ? untold
    : parallelMap(untold, targetsOf(runtime, tenantScope)).then((told) => untold.filter((_, index) => told[index]))
}

/** Lets those items tell their tenant: copies of them, since a call may have read an item for others, too, to whom it tells what the table has. */
export function tellTenants(runtime: Runtime, items: (Stored | undefined)[]): Awaitable<void> {
  return whenThere(toldTenants(runtime, items), (told) => {
    for (const { item, attribute } of told) {
      const copy = Object.defineProperties({ ...item }, Object.getOwnPropertyDescriptors(item))
      items[items.indexOf(item)] = Object.assign(copy, { [attribute]: runtime.tenantScope?.tenant })
    }
  })
}
