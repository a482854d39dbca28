import type { ConnectedTable, Json, Step, Steps } from '@freehold/table'
import type { Caller } from '../actor.ts'
import { deciderFor, type FlowHost, type FlowTable } from '../flow-host.ts'
import type { View } from './recorded-changes.ts'
import { keyOf, tenantOfItem } from './recorded-write.ts'

/** The flow that records of imports name. */
const flow = 'import'

/**
 * Records the items that an operator's import creates past the flows, by the attributes of their keys: in the audit of their tenant, or of none if they
 * are of several.
 */
export function importRecorder(host: FlowHost, table: ConnectedTable, caller: Caller): (created: readonly Step[]) => Steps {
  const unscoped: FlowTable = table
  const context = { host, table: unscoped, unscoped, caller, flow, decider: () => deciderFor(host, table.runtime) }
  return (created) => {
    if (host.recordsImports !== true) return {}
    // A step that creates an item has its attributes as input.
    const items = created.map(({ entity, input }) => ({ entity, view: input as View }))
    const tenants = new Set(items.map(({ entity, view }) => tenantOfItem(context, entity, view)))
    const keys: Record<string, Json[]> = {}
    for (const { entity, view } of items) {
      keys[entity.name] = [...(keys[entity.name] ?? []), keyOf(entity, view)]
    }
    const [tenant] = tenants.size === 1 ? tenants : []
    return host.recordEvent?.(context, { tenant, more: keys }, 'record of the import') ?? {}
  }
}
