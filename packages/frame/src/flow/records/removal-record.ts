import { type Entity, isFreeholdError, type RecordRemoval } from '@freehold/table'
import { keyPlaceholders, type Stored, tableOn, viewItem } from '@freehold/table/runtime'
import { callerOf } from '../actor.ts'
import { deciderFor, type FlowHost, type FlowTable } from '../flow-host.ts'
import type { View } from './recorded-changes.ts'
import { entryOf, keyOf, recordSteps } from './recorded-write.ts'

/** An item that goes, as its record tells it: one that is malformed by its key alone. */
function goneView(entity: Entity, item: Stored): View {
  try {
    return viewItem(entity, item)
  } catch (error) {
    if (!isFreeholdError(error)) throw error
    return Object.fromEntries(keyPlaceholders(entity).map((name) => [name, item[name]]))
  }
}

/** Records each item that a removal of a flow takes along, as that flow's change: whose it was, who asked, and the removal's job. */
export function removalRecorder(host: FlowHost): RecordRemoval {
  return ({ entity, item }, { id: job, entity: with_entity, note }, runtime) => {
    const { flow, caller, within } = note as { readonly flow: string; readonly caller: unknown; readonly within?: unknown }
    const table: FlowTable = tableOn(runtime)
    const context = { host, table, unscoped: table, caller: callerOf(caller), within, flow, decider: () => deciderFor(host, runtime) }
    const before = goneView(entity, item)
    const { part } = entity.form
    // Of an edge, whichever of its items was found.
    const told = (part.kind === 'edge' ? part.edge.sides[0] : undefined) ?? entity
    const related = keyOf(entity, before)
    return recordSteps(context, { ...entryOf(context, told, before), before, related, more: { job, removed_with: with_entity } })
  }
}
