import type { Entity } from '@freehold/table'
import type { ChangeEntry, FlowContext } from './flow-host.ts'
import type { View } from './recorded-changes.ts'

/** The attribute that names an item's tenant; undefined for an entity whose items belong to none. */
function tenantAttribute({ table }: FlowContext, entity: Entity): string | undefined {
  return table.runtime.design.form.tenantOf?.(entity).attribute
}

/** The tenant of an item, as the design says; undefined for an item of none. */
export function tenantOfItem(context: FlowContext, entity: Entity, view: View): string | undefined {
  const tenant = view[tenantAttribute(context, entity) ?? '']
  return typeof tenant === 'string' ? tenant : undefined
}

/** A new item as its record tells it: with its tenant, even where that is a copy which only the write reads. */
export function withTenant(context: FlowContext, entity: Entity, view: View, tenant: string | undefined): View {
  const attribute = tenantAttribute(context, entity)
  return attribute === undefined || tenant === undefined ? view : { ...view, [attribute]: tenant }
}

/** The part of a record that every change of an item has. */
export function entryOf(context: FlowContext, entity: Entity, view: View): ChangeEntry {
  return { entity, id: String(view.id), tenant: tenantOfItem(context, entity, view) }
}
